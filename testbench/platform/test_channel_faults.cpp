// SPDX-License-Identifier: Apache-2.0
//
// What a program on the host can do wrong: each mistake fails one channel, with its number, the entry and the reason,
// the host hears of it in every way there is, and nothing else is disturbed.
#include "gputlm/test_support/sc_test.h"

#include <numeric>

#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/hostformats/copy_methods.h"
#include "gputlm/hostformats/pushbuffer_writer.h"
#include "gputlm/system/statistics_tree.h"
#include "hosted_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr auto kPushbuffer = ChannelErrorKind::pushbuffer_error, kMmu = ChannelErrorKind::mmu_fault,
               kException = ChannelErrorKind::graphics_exception, kTimeout = ChannelErrorKind::acquire_timeout;
/// Virtual addresses that nobody has.
constexpr std::uint64_t kNowhere = HostDriver::kDeviceVirtual + (std::uint64_t{1} << 34U);

struct Machine : HostedBench {
  explicit Machine(const std::vector<std::string>& overrides = {})
      : HostedBench("tiny", overrides), bad(cuda.create_stream()) {}

  const StreamId bad;  ///< The stream that goes wrong; stream 0 must not notice.

  /// The bad stream has failed, for this reason and for no other, and everything has come to rest.
  void failed(ChannelErrorKind kind, std::uint32_t entry, const std::string& reason) {
    BOOST_TEST(problems() == "");
    BOOST_TEST_REQUIRE(cuda.errors().size() == 1U);
    const ChannelError& e = cuda.errors()[0];
    BOOST_TEST(e.channel == bad);
    BOOST_TEST(e.entry == entry);
    BOOST_TEST((e.kind == kind));
    BOOST_TEST(e.reason.find(reason) != std::string::npos, e.reason);
    BOOST_TEST(cuda.interrupts() == 1U);
    check_notifier(e);
    BOOST_CHECK_EXCEPTION(cuda.synchronize(bad), DriverError,
                          [&](const DriverError& thrown) { return thrown.what() == e.text(); });
    BOOST_CHECK_THROW(cuda.record(bad), DriverError);
    works(0);
  }

  /// A kernel and a copy on another stream come to their ends, with the right result.
  void works(StreamId stream) {
    std::vector<std::uint32_t> expected(1000), seen(1000);
    std::iota(expected.begin(), expected.end(), 5U);
    const std::uint64_t out = cuda.malloc(4000);
    const HostBuffer host = cuda.host_malloc(4000);
    cuda.launch(stream, launch_of("fill", 4, 256, Parameters() << out << std::uint32_t{5} << 1000));
    cuda.copy(stream, host.address, out, 4000);
    cuda.synchronize(stream);
    cuda.host_read(host, 0, seen.data(), 4000);
    BOOST_TEST(seen == expected);
    BOOST_TEST(problems() == "");
  }

 private:
  void check_notifier(const ChannelError& e) const {
    std::uint64_t ns = 0;
    std::uint32_t kind = 0;
    std::uint16_t entry = 0, status = 0;
    const HostBuffer& notifier = cuda.notifier(bad);
    cuda.host_read(notifier, 0, &ns, sizeof ns);
    cuda.host_read(notifier, kNotifierKind, &kind, sizeof kind);
    cuda.host_read(notifier, kNotifierEntry, &entry, sizeof entry);
    cuda.host_read(notifier, kNotifierStatus, &status, sizeof status);
    BOOST_TEST(ns == static_cast<std::uint64_t>(e.time / kFsPerNs));
    BOOST_TEST(kind == static_cast<std::uint32_t>(e.kind));
    BOOST_TEST(entry == static_cast<std::uint16_t>(e.entry));
    BOOST_TEST(status == kNotifierError);
  }
};

Qmd small_qmd() {
  Qmd q;
  q.set(QmdField::cta_raster_width, 1);
  q.set(QmdField::cta_raster_height, 1);
  q.set(QmdField::cta_raster_depth, 1);
  q.set(QmdField::cta_thread_dimension0, 32);
  q.set(QmdField::cta_thread_dimension1, 1);
  q.set(QmdField::cta_thread_dimension2, 1);
  q.set(QmdField::register_count_v, 16);
  return q;
}

std::vector<std::uint32_t> launch_words(const Qmd& qmd) {
  const Qmd::Words words = qmd.words();
  PushbufferWriter writer;
  writer.incrementing(1, channel_method::set_object, {kComputeClass});
  writer.incrementing(1, compute_method::load_inline_qmd_data, {words.begin(), words.end()});
  return writer.take();
}

std::string hex(std::uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace

// -- Queues ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_malformed_entry) {
  Machine m;
  m.cuda.record(m.bad);
  m.cuda.submit_entry(m.bad, 0x1002, 1U << 10U);
  m.failed(kPushbuffer, 1, "GPFIFO entry: word 0, reserved bit 1 (found 0x1002");
}

BOOST_AUTO_TEST_CASE(an_unknown_method) {
  Machine m;
  m.cuda.submit(m.bad, PushbufferWriter().immediate(0, 0x24, 0).take());
  m.failed(kPushbuffer, 0, "method of class AMPERE_CHANNEL_GPFIFO_A (found 0x24");
}

BOOST_AUTO_TEST_CASE(a_put_outside_the_ring) {
  Machine m;
  m.cuda.write_put(m.bad, 64);
  m.cuda.ring_doorbell(m.cuda.token(m.bad));
  m.failed(kPushbuffer, ChannelError::kNoEntry, "GP_PUT (found 64, allowed 0 to 63)");
}

BOOST_AUTO_TEST_CASE(a_pushbuffer_that_is_not_mapped) {
  Machine m;
  m.cuda.submit_entry(m.bad, static_cast<std::uint32_t>(kNowhere),
                      static_cast<std::uint32_t>(kNowhere >> 32U) | 4U << 10U);
  m.failed(kMmu, 0, "pushbuffer at " + hex(kNowhere) + " cannot be read");
}

BOOST_AUTO_TEST_CASE(a_doorbell_with_a_token_that_no_channel_has_is_reported_and_stops_nobody) {
  Machine m;
  m.cuda.ring_doorbell(0x999);
  BOOST_TEST(m.problems() == "");
  BOOST_TEST_REQUIRE(m.cuda.errors().size() == 1U);
  const ChannelError& e = m.cuda.errors()[0];
  BOOST_TEST(e.channel == ChannelError::kNoChannel);
  BOOST_TEST((e.kind == kPushbuffer));
  BOOST_TEST(e.text() == "no channel: doorbell: token (found 0x999, allowed 0x100, 0x101)");
  m.works(0);
  m.works(m.bad);
}

BOOST_AUTO_TEST_CASE(an_event_that_never_comes_times_out) {
  Machine m({"host_engine.acquire_timeout=50us"});
  m.cuda.wait_for(m.bad, Ticket{0, 1000});
  m.failed(kTimeout, 0, "semaphore waited for in vain");
}

// -- Copies ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_copy_past_the_end_of_its_buffer) {
  Machine m;
  const std::uint64_t page = m.machine.gpu.config().mmu.page_bytes;
  const std::uint64_t last = m.cuda.malloc(page);
  const HostBuffer host = m.cuda.host_malloc(4096);
  const Ticket copy = m.cuda.copy(m.bad, host.address, last + page - 1024, 4096);
  m.failed(kMmu, 0, "copy: " + hex(last + page) + " cannot be read: not mapped, or refused");
  BOOST_TEST(!m.cuda.reached(copy));
}

BOOST_AUTO_TEST_CASE(a_copy_to_where_nothing_is) {
  Machine m;
  const std::uint64_t from = m.cuda.malloc(4096);
  m.cuda.copy(m.bad, kNowhere, from, 256);
  m.failed(kMmu, 0, "copy: " + hex(kNowhere) + " cannot be written: not mapped, or refused");
}

BOOST_AUTO_TEST_CASE(a_copy_from_physical_addresses_beyond_memory) {
  Machine m;
  const std::uint64_t past = m.machine.gpu.config().memory_bytes(), to = m.cuda.malloc(4096);
  const auto high = [](std::uint64_t a) { return static_cast<std::uint32_t>(a >> 32U); };
  const auto low = [](std::uint64_t a) { return static_cast<std::uint32_t>(a); };
  using namespace launch_dma;
  m.cuda.submit(m.bad, PushbufferWriter()
                           .incrementing(4, channel_method::set_object, {kCopyClass})
                           .incrementing(4, copy_method::offset_in_upper, {high(past), low(past), high(to), low(to)})
                           .incrementing(4, copy_method::line_length_in, {128, 1})
                           .incrementing(4, copy_method::launch_dma,
                                         {data_transfer_type.put(transfer_non_pipelined) | src_pitch.put(1) |
                                          dst_pitch.put(1) | src_physical.put(1)})
                           .take());
  m.failed(kMmu, 0, "copy: " + hex(past) + " cannot be read");
}

// -- Launches --------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_block_of_more_threads_than_an_sm_takes) {
  Machine m;
  Qmd q = small_qmd();
  q.set(QmdField::cta_thread_dimension0, 4096);
  m.cuda.submit(m.bad, launch_words(q));
  m.failed(kException, 0, "QMD: CTA_THREAD_DIMENSION0 (found 4096, allowed 1 to 1024)");
}

BOOST_AUTO_TEST_CASE(a_block_of_more_shared_memory_than_an_sm_has) {
  Machine m;
  m.cuda.record(m.bad);
  m.cuda.launch(m.bad, m.launch_of("fill", 1, 32, Parameters() << kNowhere << 1U << 32, 100 << 10));
  m.failed(kException, 1, "QMD: SHARED_MEMORY_SIZE (found 102400, allowed 0 to 101376)");
}

BOOST_AUTO_TEST_CASE(a_program_address_where_no_code_begins) {
  Machine m;
  KernelLaunch launch = m.launch_of("fill", 100, 32, Parameters() << kNowhere << 1U << 32);
  launch.kernel.address += 16;
  m.cuda.launch(m.bad, launch);
  m.failed(kMmu, 0, "no code begins at " + hex(launch.kernel.address));
}

BOOST_AUTO_TEST_CASE(a_constant_bank_that_is_not_mapped) {
  Machine m;
  PreparedLaunch prepared = m.cuda.prepare(m.launch_of("fill", 1, 32, Parameters() << kNowhere << 1U << 32));
  prepared.bank = kNowhere;
  m.cuda.launch(m.bad, prepared);
  m.failed(kMmu, 0, "constant buffer 0 at " + hex(kNowhere) + " is not mapped");
}

// -- Kernels ---------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_kernel_that_stores_to_an_address_that_is_not_mapped) {
  Machine m;
  m.cuda.launch(m.bad, m.launch_of("fill", 1, 32, Parameters() << kNowhere << 1U << 32));
  m.failed(kMmu, 0, "address " + hex(kNowhere) + " is not mapped");
}

BOOST_AUTO_TEST_CASE(a_kernel_that_loads_from_an_address_that_is_not_mapped) {
  Machine m;
  const std::uint64_t out = m.cuda.malloc(4096);
  m.cuda.launch(m.bad, m.launch_of("copy4", 1, 32, Parameters() << kNowhere << out << 32));
  m.failed(kMmu, 0, "SM 0 warp 0 instruction ");
}

BOOST_AUTO_TEST_CASE(a_kernel_that_stores_askew) {
  Machine m;
  const std::uint64_t out = m.cuda.malloc(4096);
  m.cuda.launch(m.bad, m.launch_of("fill", 1, 32, Parameters() << out + 2 << 1U << 32));
  m.failed(kException, 0,
           "kernel fill, CTA 0, warp 0: a global access of 4 bytes at " + hex(out + 2) +
               ", which is not aligned (at STG.E [R2.64], R5)");
}

BOOST_AUTO_TEST_CASE(an_atomic_on_the_hosts_memory) {
  Machine m;
  const HostBuffer counter = m.pin(std::vector<unsigned>{7});
  const std::uint64_t order = m.cuda.malloc(4096);
  m.cuda.launch(m.bad, m.launch_of("ticket", 1, 32, Parameters() << counter.address << order));
  m.failed(kMmu, 0, "address " + hex(counter.address) + " was refused");
}

BOOST_AUTO_TEST_CASE(a_kernel_that_stores_past_the_end_of_pinned_memory) {
  Machine m;
  m.works(0);
  m.kernel("fill");
  const HostBuffer host = m.cuda.host_malloc(4096);
  m.cuda.launch(m.bad, m.launch_of("fill", 2, 1024, Parameters() << host.address << 1U << 1025));
  m.failed(kMmu, 0, "address " + hex(host.address + 4096) + " is not mapped");
}

BOOST_AUTO_TEST_CASE(of_a_kernel_that_fails_no_further_blocks_start) {
  Machine m;
  m.cuda.launch(m.bad, m.launch_of("fill", 100000, 256, Parameters() << kNowhere << 1U << 25600000));
  m.failed(kMmu, 0, " is not mapped");
  StatisticSum blocks({"blocks"});
  BOOST_TEST(blocks.over(m.machine.host.distributor).total() < 10000);
}

BOOST_AUTO_TEST_CASE(a_launch_that_fails_has_the_entry_that_launched_it) {
  Machine m;
  const HostBuffer semaphore = m.cuda.host_malloc(16);
  m.cuda.record(m.bad);
  m.cuda.launch(m.bad, m.launch_of("fill", 1, 32, Parameters() << kNowhere << 1U << 32));
  const auto low = static_cast<std::uint32_t>(semaphore.address),
             high = static_cast<std::uint32_t>(semaphore.address >> 32U);
  for (int n = 0; n < 3; ++n)  // entries that do not wait for the launch
    m.cuda.submit(m.bad, PushbufferWriter().incrementing(0, channel_method::sem_addr_lo, {low, high, 1, 0, 1}).take());
  m.failed(kMmu, 1, " is not mapped");
}

BOOST_AUTO_TEST_CASE(warps_at_a_barrier_do_not_wait_for_one_that_has_failed) {
  Machine m;
  m.works(0);
  m.kernel("saxpy_shared");
  const std::uint64_t page = m.machine.gpu.config().mmu.page_bytes, x = m.cuda.malloc(page);  // nothing is behind it
  m.cuda.launch(m.bad, m.launch_of("saxpy_shared", 1, 256, Parameters() << x + page - 512 << x << 1.0F << 256, 1024));
  m.failed(kMmu, 0, " is not mapped");
}

BOOST_AUTO_TEST_CASE(a_loop_without_end_runs_out_of_its_budget) {
  Machine m({"instructions.budget=5000"});
  const SassListing listing = parse_listing(
      "\t\tFunction : endless\n"
      "/*0000*/ BRA 0x0; /* 0xfffffff000007947 */\n"
      "/* 0x000fc0000383ffff */\n"
      "\t\t..........\n",
      "endless.sass");
  KernelLaunch launch;
  launch.kernel = m.cuda.load(std::make_unique<SassCode>(listing, listing.kernel("endless")));
  launch.grid.x = 3;
  launch.block.x = 64;
  m.cuda.launch(m.bad, launch);
  m.failed(kException, 0, "has issued 5000 instructions, its budget: an endless loop, or a wait for what never comes");
  BOOST_TEST(m.cuda.errors()[0].reason.find("endless.sass:2: kernel endless") == 0U);
}

// -- Beside a failing one --------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(kernels_on_the_same_sms_go_on_and_their_results_are_right) {
  Machine m;
  const auto numbers = some_floats(20000, 0.5F);
  const std::uint64_t in = m.upload(numbers), out = m.cuda.malloc(4096);
  const PreparedLaunch good =
      m.cuda.prepare(m.launch_of("grid_stride_sum", 8, 128, Parameters() << in << out << 20000));
  const PreparedLaunch wrong =
      m.cuda.prepare(m.launch_of("grid_stride_sum", 8, 128, Parameters() << in << kNowhere << 20000));
  m.cuda.launch(m.bad, wrong);
  m.cuda.launch(0, good);
  m.cuda.synchronize(0);
  const auto sums = m.download<float>(out, 1024);
  for (std::size_t t = 0; t < 1024; ++t) {
    float sum = 0;
    for (std::size_t i = t; i < 20000; i += 1024) sum += numbers[i];
    BOOST_REQUIRE_EQUAL(sums[t], sum);
  }
  m.failed(kMmu, 0, " is not mapped");
}

BOOST_AUTO_TEST_CASE(the_page_of_constant_banks_is_used_again_although_a_stream_has_failed) {
  Machine m;
  m.cuda.submit(m.bad, PushbufferWriter().immediate(0, 0x24, 0).take());
  m.failed(kPushbuffer, 0, "found 0x24");
  KernelLaunch launch = m.launch_of("fill", 1, 32, Parameters() << m.cuda.malloc(128) << 1U << 32);
  launch.parameters.resize(32000);
  for (int n = 0; n < 100; ++n) BOOST_REQUIRE_NO_THROW(m.cuda.prepare(launch));
  m.works(0);
}

BOOST_AUTO_TEST_CASE(a_stream_that_waits_for_a_failed_one_fails_too_and_no_other) {
  Machine m({"host_engine.acquire_timeout=50us"});
  const StreamId behind = m.cuda.create_stream();
  m.cuda.launch(m.bad, m.launch_of("fill", 1, 32, Parameters() << kNowhere << 1U << 32));
  m.cuda.wait_for(behind, m.cuda.record(m.bad));
  BOOST_CHECK_THROW(m.cuda.synchronize(), DriverError);
  BOOST_TEST(m.problems() == "");
  BOOST_TEST_REQUIRE(m.cuda.errors().size() == 2U);
  BOOST_TEST(m.cuda.errors()[0].channel == m.bad);
  BOOST_TEST(m.cuda.errors()[1].channel == behind);
  BOOST_TEST((m.cuda.errors()[1].kind == kTimeout));
  BOOST_TEST(m.cuda.interrupts() == 2U);
  m.works(0);
}
