// SPDX-License-Identifier: Apache-2.0
//
// Address-ordered streams over one controller, as the twelve of them see when a kernel streams through memory. Shares
// are of the physical peak of two channels; one command per clock leaves 32/34 = 94.1 % to whole rows.
#include "gputlm/test_support/sc_test.h"

#include "dram_bench.h"

using namespace gputlm;

namespace {

constexpr std::size_t kLines = 4000, kWindow = 240;

struct Stream {
  explicit Stream(const DramSpec& spec) : bench(spec) {
    bench.slices.keep_payloads = false;
    read_lines = bench.lines(kLines);
    write_lines = bench.lines(kLines, 8ULL << 30);
  }

  /// Keeps kWindow lines of each direction under way, `reads` of them for every `writes`; returns the share of the peak
  /// that was used, ends of the run apart.
  double run(unsigned reads, unsigned writes, ByteMask mask = ByteMask::full()) {
    Fs from = 0, to = 0;
    std::size_t first = 0, last = 0;
    while (bench.slices.answered < kLines) {
      feed(reads, writes, mask);
      DramBench::run(from_ns(50));
      const std::size_t done = bench.slices.answered;
      if (from == 0 && done > kLines / 8) from = now(), first = done;
      if (done < kLines * 7 / 8) to = now(), last = done;
    }
    bench.commands.finish();
    for (const std::string& v : bench.commands.violations()) BOOST_ERROR(v);
    BOOST_TEST(bench.violations.total() == 0U);
    const double bytes = static_cast<double>(last - first) * 32 * count_sectors(mask.touched_sectors());
    const double peak = 32 * bench.spec.timing.clock_hz * 1e-9 * bench.spec.channels_per_controller;
    return bytes / to_ns(to - from) / peak;
  }

  void feed(unsigned reads, unsigned writes, ByteMask mask) {
    for (; seen < bench.slices.answer_order.size(); ++seen)
      ++(bench.slices.log[bench.slices.answer_order[seen]].is_write ? writes_done : reads_done);
    while (reads != 0 && r < kLines && r - reads_done < kWindow && (writes == 0 || r * writes < (w + 200) * reads))
      bench.slices.read(r % 3, read_lines[r], mask), ++r;
    while (writes != 0 && w < kLines && w - writes_done < kWindow && (reads == 0 || w * reads < (r + 200) * writes))
      bench.slices.write(w % 3, write_lines[w], 7, mask), ++w, bench.slices.log.back().is_write = true;
  }

  DramBench bench;
  std::vector<std::uint64_t> read_lines, write_lines;
  std::size_t r = 0, w = 0, seen = 0, reads_done = 0, writes_done = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(streaming_reads_reach_nine_tenths_of_the_peak) {
  Stream s(rtx4090_dram());
  const double share = s.run(1, 0);
  BOOST_TEST_MESSAGE("reads " << share);
  BOOST_TEST(share > 0.90);
  BOOST_TEST(share < 32.0 / 34 + 0.005);
}

BOOST_AUTO_TEST_CASE(streaming_writes_reach_nine_tenths_of_the_peak) {
  Stream s(rtx4090_dram());
  const double share = s.run(0, 1);
  BOOST_TEST_MESSAGE("writes " << share);
  BOOST_TEST(share > 0.90);
  BOOST_TEST(share < 32.0 / 34 + 0.005);
}

BOOST_AUTO_TEST_CASE(mixed_streams_lose_only_the_turnarounds) {
  Stream s(rtx4090_dram());
  const double share = s.run(1, 1);
  BOOST_TEST_MESSAGE("1:1 " << share);
  BOOST_TEST(share > 0.80);
  BOOST_TEST(share < 32.0 / 34);
}

BOOST_AUTO_TEST_CASE(small_write_marks_cost_bandwidth) {
  DramSpec spec = rtx4090_dram();
  spec.write_queue_entries = 16, spec.write_high_mark = 14, spec.write_low_mark = 4;
  Stream s(spec);
  BOOST_TEST(s.run(1, 1) < 0.75);
}

BOOST_AUTO_TEST_CASE(double_byte_masks_halve_the_write_rate) {
  Stream s(rtx4090_dram());
  const double share = s.run(0, 1, ByteMask(0x3333333333333333ULL, 0x3333333333333333ULL));
  BOOST_TEST(share > 0.44);
  BOOST_TEST(share <= 0.5);
}

BOOST_AUTO_TEST_CASE(closed_page_pays_an_activate_for_every_line) {
  DramSpec spec = rtx4090_dram();
  spec.page_policy = "closed";
  Stream s(spec);
  const double share = s.run(1, 0);
  BOOST_TEST(share < 4.0 / 7);  // one activate each tRRD, four columns
  BOOST_TEST(share > 0.4);
}

BOOST_AUTO_TEST_CASE(first_come_first_served_is_slower_than_fr_fcfs) {
  DramSpec spec = rtx4090_dram();
  spec.scheduler = "fcfs";
  Stream s(spec);
  BOOST_TEST(s.run(1, 0) < 0.88);
}

BOOST_AUTO_TEST_CASE(two_commands_per_clock_free_the_bus_from_row_commands) {
  DramSpec spec = rtx4090_dram();
  spec.timing.commands_per_clock = 2;
  Stream s(spec);
  BOOST_TEST(s.run(1, 0) > 0.96);
}
