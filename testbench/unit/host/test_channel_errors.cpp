// SPDX-License-Identifier: Apache-2.0
//
// Every way to break a channel: what is reported, that the notifier has it, and that another channel goes on.
#include "gputlm/test_support/sc_test.h"

#include <stdexcept>

#include "engine_bench.h"
#include "gputlm/hostformats/compute_methods.h"
#include "gputlm/hostformats/copy_methods.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr std::uint64_t kSemaphore = 0x800000;
constexpr auto kPushbuffer = ChannelErrorKind::pushbuffer_error, kFault = ChannelErrorKind::mmu_fault,
               kException = ChannelErrorKind::graphics_exception;

/// Breaks channel 2 by what `act` does to it; channel 3 must not notice.
template <class Act>
void breaks(Act act, ChannelErrorKind kind, std::uint32_t entry, const std::string& reason) {
  EngineBench b;
  b.open(2);
  b.open(3);
  act(b);
  b.settle();
  BOOST_TEST_REQUIRE(b.errors.size() == 1U);
  const ChannelError& e = b.errors[0];
  BOOST_TEST(e.channel == 2U);
  BOOST_TEST(e.entry == entry);
  BOOST_TEST((e.kind == kind));
  BOOST_TEST(e.reason == reason);
  BOOST_TEST(b.engine.failed(2));
  const std::uint64_t notifier = EngineBench::base(2) + 0x2000;
  BOOST_TEST(b.wide(notifier) == static_cast<std::uint64_t>(e.time / kFsPerNs));
  BOOST_TEST(b.word(notifier + kNotifierKind) == static_cast<std::uint32_t>(kind));
  BOOST_TEST(b.word(notifier + kNotifierEntry) == ((entry & 0xffffU) | 0xffff0000U));
  b.submit(2, EngineBench::semaphore(kSemaphore, 1, 1));  // it stands still from now on
  b.ring(0x102);
  b.run(3, EngineBench::semaphore(kSemaphore + 64, 1, 1));
  b.settle();
  BOOST_TEST(b.word(kSemaphore) == 0U);
  BOOST_TEST(b.word(kSemaphore + 64) == 1U);
  BOOST_TEST(b.errors.size() == 1U);
  BOOST_TEST(b.engine.idle());
}

void breaks(const std::vector<std::uint32_t>& words, const std::string& reason, ChannelErrorKind kind = kPushbuffer) {
  breaks([&](EngineBench& b) { b.run(2, words); }, kind, 0, reason);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_malformed_entry) {
  breaks(
      [](EngineBench& b) {
        b.submit(2, EngineBench::semaphore(0x700000, 1, 1));
        b.raw_entry(2, 0x1002, 1U << 10);
        b.ring(0x102);
      },
      kPushbuffer, 1, "GPFIFO entry: word 0, reserved bit 1 (found 0x1002, allowed 0 there)");
}

BOOST_AUTO_TEST_CASE(an_unknown_opcode) {
  breaks({0x00000000},
         "method header: opcode in 0x0 (found 0, allowed 1 incrementing, 3 non-incrementing, 4 immediate, "
         "5 increment once, 7 end of segment)");
}

BOOST_AUTO_TEST_CASE(an_unknown_method) {
  breaks(PushbufferWriter().immediate(0, 0x24, 0).take(),
         "method of class AMPERE_CHANNEL_GPFIFO_A (found 0x24, allowed one that the class knows)");
}

BOOST_AUTO_TEST_CASE(a_method_of_a_subchannel_without_class) {
  breaks(PushbufferWriter().immediate(1, 0x100, 0).take(),
         "method 0x100 on subchannel 1 (found no class bound, allowed SET_OBJECT before it)");
}

BOOST_AUTO_TEST_CASE(an_unknown_class) {
  breaks(PushbufferWriter().incrementing(1, 0, {0xc7c0}).take(),
         "SET_OBJECT: class (found 0xc7c0, allowed 0xc9c0 ADA_COMPUTE_A, 0xc7b5 AMPERE_DMA_COPY_B)");
}

BOOST_AUTO_TEST_CASE(a_segment_that_ends_inside_a_burst) {
  breaks({0x20020008, 0},
         "pushbuffer segment: ends inside a burst for method 0x24 (found the end, allowed 1 more words)");
}

BOOST_AUTO_TEST_CASE(bits_that_are_not_modelled) {
  breaks(EngineBench::semaphore(kSemaphore, 1, 1U | 1U << 27),
         "SEM_EXECUTE: bits that are not modelled (found 0x8000000, allowed 0 there)");
}

BOOST_AUTO_TEST_CASE(operations_that_are_none) {
  breaks(EngineBench::semaphore(kSemaphore, 1, 6),
         "SEM_EXECUTE: OPERATION (found 6, allowed 0 acquire, 1 release, 2 acquire if >=, 3 acquire if circular >=)");
}

BOOST_AUTO_TEST_CASE(memory_operations_that_are_none) {
  breaks(PushbufferWriter().incrementing(0, 0x34, {9U << 27}).take(),
         "MEM_OP_D: OPERATION (found 0x9, allowed 0x5 membar, 0x10 L2 flush dirty)");
}

BOOST_AUTO_TEST_CASE(a_semaphore_askew) {
  breaks(EngineBench::semaphore(kSemaphore + 8, 1, 1U | 1U << 25),
         "SEM_ADDR (found 0x1000800008, allowed a multiple of 16)");
}

BOOST_AUTO_TEST_CASE(a_semaphore_that_is_not_mapped) {
  breaks(PushbufferWriter().incrementing(0, 0x5c, {0x100000, 0, 1, 0, 1}).take(),
         "semaphore at 0x100000 cannot be written", kFault);
}

BOOST_AUTO_TEST_CASE(a_copy_of_blocklinear_memory) {
  breaks(PushbufferWriter().incrementing(4, 0, {kCopyClass}).incrementing(4, 0x300, {1}).take(),
         "LAUNCH_DMA: SRC_MEMORY_LAYOUT, DST_MEMORY_LAYOUT (found 0 blocklinear, allowed 1 pitch, both)");
}

BOOST_AUTO_TEST_CASE(a_qmd_of_another_version) {
  std::vector<std::uint32_t> burst(64);
  breaks(PushbufferWriter().incrementing(1, 0, {kComputeClass}).incrementing(1, 0x320, burst).take(),
         "QMD: version, major and minor (found 0 and 0, allowed 2 and 4)", kException);
}

BOOST_AUTO_TEST_CASE(a_pushbuffer_that_is_not_mapped) {
  breaks(
      [](EngineBench& b) {
        b.raw_entry(2, 0x200000, 4U << 10);
        b.ring(0x102);
      },
      kFault, 0, "pushbuffer at 0x200000 cannot be read: not mapped, or refused");
}

BOOST_AUTO_TEST_CASE(a_ring_overrun) {
  breaks(
      [](EngineBench& b) {
        b.word(EngineBench::base(2) + kUserdGpPut, 4);
        b.ring(0x102);
      },
      kPushbuffer, ChannelError::kNoEntry, "GPFIFO ring overrun: GP_PUT (found 4, allowed 0 to 3)");
}

BOOST_AUTO_TEST_CASE(a_semaphore_that_never_comes) {
  breaks(EngineBench::semaphore(0x700000, 5, 0), "semaphore waited for in vain since 2869.125 ns, 20000 ns allowed",
         ChannelErrorKind::acquire_timeout);
}

BOOST_AUTO_TEST_CASE(a_kernel_that_fails_is_reported_with_the_entry_that_launched_it) {
  breaks(
      [](EngineBench& b) {
        const Qmd qmd;
        const std::vector<std::uint32_t> burst(qmd.words().begin(), qmd.words().end());
        b.submit(2, PushbufferWriter().incrementing(1, 0, {kComputeClass}).incrementing(1, 0x320, burst).take());
        b.run(2, PushbufferWriter().immediate(0, 0x8, 0).take());
        b.settle();
        b.units.open.at(0)({false, ChannelErrorKind::mmu_fault, "a load of an address that is not mapped"});
      },
      kFault, 0, "a load of an address that is not mapped");
}

BOOST_AUTO_TEST_CASE(an_unknown_token_is_no_channels_error_and_is_reported) {
  EngineBench b;
  b.open(1);
  b.ring(0x1234);
  b.run(1, EngineBench::semaphore(kSemaphore, 1, 1));
  b.settle();
  BOOST_TEST_REQUIRE(b.errors.size() == 1U);
  BOOST_TEST(b.errors[0].text() == "no channel: doorbell: token (found 0x1234, allowed 0x101)");
  BOOST_TEST(b.word(kSemaphore) == 1U);
}

BOOST_AUTO_TEST_CASE(writes_beside_the_doorbell_are_refused) {
  EngineBench b;
  PayloadRef p = b.pool.line(tlm::TLM_WRITE_COMMAND, 0, Operation::store);
  set_enables(*p, ByteMask::range(0, 4));
  b.cpu.queue(p);
  b.settle();
  BOOST_TEST(b.engine.counters().doorbells == 0U);
  BOOST_TEST(b.errors.empty());
}

BOOST_AUTO_TEST_CASE(a_channel_cannot_be_opened_twice_nor_without_entries) {
  EngineBench b;
  b.open(1);
  BOOST_CHECK_THROW(b.open(1), std::invalid_argument);
  BOOST_CHECK_THROW(b.engine.open({2, 0x101, 0, 0, 4, 0}), std::invalid_argument);
  BOOST_CHECK_THROW(b.engine.open({2, 0x102, 0, 0, 0, 0}), std::invalid_argument);
}
