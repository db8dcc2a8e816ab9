// SPDX-License-Identifier: Apache-2.0
//
// From the doorbell to methods, semaphores and requests to the units behind.
#include "gputlm/test_support/sc_test.h"

#include <sstream>

#include "engine_bench.h"
#include "gputlm/hostformats/compute_methods.h"
#include "gputlm/hostformats/copy_methods.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr Fs ns = kFsPerNs;
constexpr std::uint32_t kAcquire = 0, kRelease = 1, kGeq = 2, kCircGeq = 3, kWfi = 1U << 20, kWide = 1U << 24,
                        kStamp = 1U << 25;
constexpr std::uint64_t kSemaphore = 0x800000;

std::vector<std::uint32_t> operator+(std::vector<std::uint32_t> a, const std::vector<std::uint32_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<std::uint32_t> launch(const Qmd& qmd) {
  std::vector<std::uint32_t> burst{0, 0};
  burst.insert(burst.end(), qmd.words().begin(), qmd.words().end());
  return PushbufferWriter().incrementing(1, 0, {kComputeClass}).incrementing(1, 0x318, burst).take();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_doorbell_leads_to_a_release_after_three_reads_and_the_words_time) {
  EngineBench b;
  b.open(0);
  b.run(0, EngineBench::semaphore(kSemaphore, 77, kRelease));
  // At 32 bytes per ns and 369 ns each way: a store of a word 1 + 1/8 ns and the way; a read of a sector 1 ns, the way,
  // 90 ns, 1 + 1 ns and the way. GP_PUT, the entry, its six words at 1 ns each, then the release.
  const Fs store = 1 * ns + ns / 8 + 369 * ns, read = (1 + 369 + 90 + 2 + 369) * ns;
  const Fs expected = store + 3 * read + 6 * ns + store;
  run_until(expected - 1);
  BOOST_TEST(b.word(kSemaphore) == 0U);
  run_until(expected);
  BOOST_TEST(b.word(kSemaphore) == 77U);
  b.settle();
  BOOST_TEST(b.word(EngineBench::base(0) + kUserdGpGet) == 1U);
  BOOST_TEST(b.engine.idle());
  BOOST_TEST(b.errors.empty());
}

BOOST_AUTO_TEST_CASE(a_ring_goes_round_and_one_doorbell_may_stand_for_several_entries) {
  EngineBench b;
  b.open(0, 4);
  for (unsigned round = 0; round < 5; ++round) {
    for (unsigned i = 0; i < 3; ++i)
      b.submit(0, EngineBench::semaphore(kSemaphore + 4 * (3 * round + i), round + 1, kRelease));
    b.ring(0x100);
    b.settle();
  }
  for (unsigned i = 0; i < 15; ++i) BOOST_TEST(b.word(kSemaphore + 4 * i) == i / 3 + 1);
  BOOST_TEST(b.engine.counters().entries == 15U);
  BOOST_TEST(b.word(EngineBench::base(0) + kUserdGpGet) == 15U % 4);
}

BOOST_AUTO_TEST_CASE(a_doorbell_rung_while_the_channel_works_is_not_lost) {
  EngineBench b;
  b.open(0);
  b.run(0, EngineBench::semaphore(kSemaphore, 1, kRelease));
  run_until(2000 * ns);
  b.run(0, EngineBench::semaphore(kSemaphore + 4, 2, kRelease));
  b.settle();
  BOOST_TEST(b.word(kSemaphore + 4) == 2U);
}

BOOST_AUTO_TEST_CASE(releases_write_a_word_two_words_or_payload_and_time) {
  EngineBench b;
  b.open(0);
  for (unsigned i = 0; i < 64; i += 4) b.word(kSemaphore + i, 0xffffffff);
  b.run(0, EngineBench::semaphore(kSemaphore, 0x1122334455667788, kRelease) +
               EngineBench::semaphore(kSemaphore + 16, 0x1122334455667788, kRelease | kWide) +
               EngineBench::semaphore(kSemaphore + 32, 0x1122334455667788, kRelease | kStamp));
  b.settle();
  BOOST_TEST(b.wide(kSemaphore) == 0xffffffff55667788U);
  BOOST_TEST(b.wide(kSemaphore + 16) == 0x1122334455667788U);
  BOOST_TEST(b.wide(kSemaphore + 24) == ~std::uint64_t{0});
  BOOST_TEST(b.wide(kSemaphore + 32) == 0x55667788U);
  BOOST_TEST(b.wide(kSemaphore + 40) > 2800U);
  BOOST_TEST(b.wide(kSemaphore + 40) < 4500U);
}

BOOST_AUTO_TEST_CASE(an_acquire_holds_back_its_channel_until_the_value_comes_and_no_other) {
  EngineBench b;
  b.open(0);
  b.open(1);
  b.run(0, EngineBench::semaphore(kSemaphore, 5, kAcquire) + EngineBench::semaphore(kSemaphore + 64, 1, kRelease));
  b.run(1, EngineBench::semaphore(kSemaphore + 128, 2, kRelease));
  run_until(10'000 * ns);
  BOOST_TEST(b.word(kSemaphore + 64) == 0U);
  BOOST_TEST(b.word(kSemaphore + 128) == 2U);
  std::ostringstream text;
  b.engine.explain(text);
  BOOST_TEST(text.str().find("channel 0 is wait") != std::string::npos, text.str());
  b.word(kSemaphore, 5);
  b.settle();
  BOOST_TEST(b.word(kSemaphore + 64) == 1U);
  BOOST_TEST(b.engine.idle());
}

BOOST_AUTO_TEST_CASE(each_form_of_acquire_holds_when_it_should) {
  struct Case {
    std::uint64_t memory, payload;
    std::uint32_t operation;
    bool holds;
  };
  const Case cases[] = {{5, 5, kAcquire, true},
                        {6, 5, kAcquire, false},
                        {6, 5, kGeq, true},
                        {4, 5, kGeq, false},
                        {0xfffffff0, 5, kGeq, true},
                        {3, 0xfffffff0, kCircGeq, true},
                        {0xfffffff0, 3, kCircGeq, false},
                        {5, 5, kCircGeq, true},
                        {0x100000000, 5, kGeq | kWide, true},
                        {0x100000005, 5, kAcquire | kWide, false},
                        {1, ~std::uint64_t{0}, kCircGeq | kWide, true}};
  EngineBench b;
  for (unsigned i = 0; i < std::size(cases); ++i) {
    b.open(i);
    b.word(kSemaphore + 256 * i, static_cast<std::uint32_t>(cases[i].memory));
    b.word(kSemaphore + 256 * i + 4, static_cast<std::uint32_t>(cases[i].memory >> 32));
    b.run(i, EngineBench::semaphore(kSemaphore + 256 * i, cases[i].payload, cases[i].operation) +
                 EngineBench::semaphore(kSemaphore + 256 * i + 128, 1, kRelease));
  }
  run_until(10'000 * ns);
  for (unsigned i = 0; i < std::size(cases); ++i)
    BOOST_TEST((b.word(kSemaphore + 256 * i + 128) == 1U) == cases[i].holds, "case " << i);
}

BOOST_AUTO_TEST_CASE(a_launch_hands_on_its_qmd_and_only_a_release_with_wfi_waits_for_it) {
  EngineBench b;
  b.open(0);
  Qmd qmd;
  qmd.set(QmdField::cta_raster_width, 4096);
  b.run(0, launch(qmd) + EngineBench::semaphore(kSemaphore, 1, kRelease) +
               EngineBench::semaphore(kSemaphore + 4, 2, kRelease | kWfi));
  b.settle();
  BOOST_TEST(b.units.launches.size() == 1U);
  BOOST_TEST((b.units.launches[0].words() == qmd.words()));
  BOOST_TEST(b.word(kSemaphore) == 1U);
  BOOST_TEST(b.word(kSemaphore + 4) == 0U);
  BOOST_TEST(!b.engine.idle());
  b.units.open[0]({});
  b.settle();
  BOOST_TEST(b.word(kSemaphore + 4) == 2U);
  BOOST_TEST(b.engine.idle());
}

BOOST_AUTO_TEST_CASE(wfi_waits_for_every_launch_of_the_channel) {
  EngineBench b;
  b.open(0);
  b.run(0, launch(Qmd()) + launch(Qmd()) + PushbufferWriter().immediate(0, 0x78, 0).take() +
               EngineBench::semaphore(kSemaphore, 1, kRelease));
  b.settle();
  BOOST_TEST(b.units.launches.size() == 2U);
  b.units.open[1]({});
  b.settle();
  BOOST_TEST(b.word(kSemaphore) == 0U);
  b.units.open[0]({});
  b.settle();
  BOOST_TEST(b.word(kSemaphore) == 1U);
}

BOOST_AUTO_TEST_CASE(barriers_and_flushes_are_handed_on_and_waited_for) {
  EngineBench b;
  b.open(0);
  PushbufferWriter w;
  w.incrementing(0, 0x28, {0, 0, 0, 5U << 27}).incrementing(0, 0x28, {0, 0, 1, 5U << 27});
  w.incrementing(0, 0x28, {0, 0, 0, 0x10U << 27});
  b.run(0, w.take() + EngineBench::semaphore(kSemaphore, 1, kRelease));
  for (const char* expected : {"membar sys", "membar gpu", "flush"}) {
    b.settle();
    BOOST_TEST(b.units.operations.back() == expected);
    BOOST_TEST(b.word(kSemaphore) == 0U);
    b.units.open.back()({});
  }
  b.settle();
  BOOST_TEST(b.units.operations.size() == 3U);
  BOOST_TEST(b.word(kSemaphore) == 1U);
}

BOOST_AUTO_TEST_CASE(a_copy_is_described_by_the_registers_before_it) {
  EngineBench b;
  b.open(0);
  PushbufferWriter w;
  w.incrementing(4, 0, {kCopyClass}).incrementing(4, 0x400, {1, 2, 3, 4, 512, 0xffffff00, 100, 7});
  w.incrementing(4, 0x240, {5, 0x60, 99}).incrementing(4, 0x300, {1U | 4U | 2U << 3 | 0x380U | 1U << 13 | 1U << 25});
  w.incrementing(4, 0x300, {2U | 1U << 3 | 2U << 5 | 0x180U});
  b.run(0, w.take());
  b.settle();
  BOOST_TEST(b.errors.empty());
  BOOST_TEST(b.units.copies.size() == 2U);
  const CopyRequest& c = b.units.copies[0];
  BOOST_TEST(c.source == 0x100000002U);
  BOOST_TEST(c.destination == 0x300000004U);
  BOOST_TEST(!c.source_physical);
  BOOST_TEST(c.destination_physical);
  BOOST_TEST(c.line_length == 100U);
  BOOST_TEST(c.line_count == 7U);
  BOOST_TEST(c.pitch_in == 512);
  BOOST_TEST(c.pitch_out == -256);
  BOOST_TEST(c.flush);
  BOOST_TEST(!c.flush_system);
  BOOST_TEST(c.semaphore_words == 4U);
  BOOST_TEST(c.semaphore == 0x500000060U);
  BOOST_TEST(c.payload == 99U);
  BOOST_TEST(b.units.copies[1].line_count == 1U);
  BOOST_TEST(b.units.copies[1].semaphore_words == 1U);
  BOOST_TEST(b.units.copies[1].interrupt);
}

BOOST_AUTO_TEST_CASE(a_segment_longer_than_a_fetch_is_read_in_parts_and_a_burst_may_lie_across) {
  EngineBench b;
  b.open(0);
  std::vector<std::uint32_t> words =
      PushbufferWriter().non_incrementing(0, 0x8, std::vector<std::uint32_t>(2000)).take();
  b.run(0, words + EngineBench::semaphore(kSemaphore, 1, kRelease));
  b.settle();
  BOOST_TEST(b.word(kSemaphore) == 1U);
  BOOST_TEST(b.engine.counters().words == 2007U);
}

BOOST_AUTO_TEST_CASE(semaphores_and_pushbuffers_may_lie_in_the_cards_memory) {
  EngineBench b;
  b.open(0);
  const auto words = PushbufferWriter().incrementing(0, 0x5c, {0x400, 0, 9, 0, kRelease}).take();
  b.card.write(0x1000, words.data(), 4 * words.size());
  b.raw_entry(0, 0x1000, static_cast<std::uint32_t>(words.size()) << 10);
  b.ring(0x100);
  b.settle();
  std::uint32_t value = 0;
  b.card.read(0x400, &value, 4);
  BOOST_TEST(value == 9U);
}

BOOST_AUTO_TEST_CASE(an_interrupt_follows_what_stands_before_it) {
  EngineBench b;
  b.open(3);
  b.engine.interrupt_address = kHostBase + 0x900000;
  struct Order : SystemMemoryObserver {
    std::vector<std::uint64_t> lines;
    void on_device_write(std::uint64_t line, ByteMask) override { lines.push_back(line); }
  } order;
  b.memory.observer = &order;
  b.run(3, EngineBench::semaphore(kSemaphore, 1, kRelease) + PushbufferWriter().immediate(0, 0x20, 0).take());
  b.settle();
  BOOST_TEST((order.lines == std::vector<std::uint64_t>{kSemaphore, 0x900000, EngineBench::base(3) + 0x80}));
  BOOST_TEST(b.word(0x900000) == 3U);
}

BOOST_AUTO_TEST_CASE(reset_closes_the_channels_and_late_answers_do_no_harm) {
  EngineBench b;
  b.open(0);
  b.run(0, launch(Qmd()) + EngineBench::semaphore(kSemaphore, 1, kRelease | kWfi));
  b.settle();
  b.engine.reset();
  BOOST_TEST(b.engine.idle());
  b.units.open[0]({});
  b.settle();
  BOOST_TEST(b.word(kSemaphore) == 0U);
  BOOST_TEST(b.engine.counters().doorbells == 0U);
}
