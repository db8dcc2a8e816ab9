// SPDX-License-Identifier: Apache-2.0
//
// The units as every shipped card puts them together: streams, random traffic, fences and atomics at sizes that pass
// L1 and, on small cards, L2; all judges on. And what a card's error correction makes of partial writes.
#include "gputlm/test_support/sc_test.h"

#include <fmt/format.h>

#include "run_text.h"

using namespace gputlm;

namespace {

const char* const kMixed = R"(
experiment: mixed
config: {}
buffers:
  a: {{size: 256 KiB}}
  b: {{size: 256 KiB}}
  c: {{size: 256 KiB}}
  sectors: {{size: 2 MiB}}
  words: {{size: 64 KiB}}
  fenced: {{size: 128 KiB}}
  masks: {{size: 256 KiB}}
image:
  a: floats
  b: floats
  sectors: pattern
  masks: pattern
phases:
  - {{name: vadd, pattern: vadd, a: a, b: b, c: c, grid: 256, block: 256}}
  - name: side by side
    kernels:
      - {{name: sectors, pattern: random, buffer: sectors, granule: sector, stores: 0.5, accesses: 12, grid: 32, block: 128}}
      - {{name: masks, pattern: byte_masks, buffer: masks, grid: 8, block: 64}}
  - {{name: gpu, pattern: fenced_stores, buffer: fenced, every: 4, scope: gpu, grid: 8, block: 64}}
  - {{name: acq_rel, pattern: fenced_stores, buffer: fenced, every: 2, fence: acq_rel, grid: 8, block: 64}}
  - {{name: distinct, pattern: atomics, buffer: words, target: distinct, count: 4, grid: 16, block: 64}}
  - {{name: same word, pattern: atomics, buffer: words, target: same_word, grid: 4, block: 64}}
)";

void runs_clean(const char* card) {
  TextRun run(fmt::format(kMixed, card));
  const Verdict v = run.run();
  BOOST_TEST(v.clean(), complaints(v));
  BOOST_TEST(v.mismatches == 0U);
  BOOST_TEST(v.bytes_checked > 2U << 20);
  std::uint64_t busy = 0;
  for (const auto& slice : run.simulation.gpu.mem.slices) busy += slice->counters().stores > 0 ? 1U : 0U;
  BOOST_TEST(busy == run.config.crossbar.slices);  // the card's address function uses all of them
}

/// Columns that all channels of a card read and wrote, and sectors that they merged.
struct Columns {
  std::uint64_t read = 0, written = 0, merged = 0;

  explicit Columns(const MemorySystem& mem) {
    for (const auto& channel : mem.channels) {
      read += channel->bank_statistics().columns_read;
      written += channel->bank_statistics().columns_written;
      merged += channel->statistics().merged_sectors;
    }
  }
};

/// 64 KiB are stored to, in the way of the pattern, and written back.
Columns columns_of_stores(const char* card, const char* pattern) {
  TextRun run(
      fmt::format("experiment: stores\nconfig: {}\nend: flush\nbuffers: {{out: {{size: 64 KiB}}}}\n"
                  "image: {{out: pattern}}\n"
                  "phases: [{{name: stores, pattern: {}, buffer: out, grid: 8, block: 64}}]\n",
                  card, pattern));
  const Verdict v = run.run();
  BOOST_TEST(v.clean(), complaints(v));
  return Columns(run.simulation.gpu.mem);
}

constexpr std::uint64_t kSectorsStored = (64 << 10) / kSectorBytes;

}  // namespace

BOOST_AUTO_TEST_CASE(rtx4090_runs_clean) {
  runs_clean("rtx4090");
}
BOOST_AUTO_TEST_CASE(l40_runs_clean) {
  runs_clean("l40");
}
BOOST_AUTO_TEST_CASE(l40s_runs_clean) {
  runs_clean("l40s");
}
BOOST_AUTO_TEST_CASE(rtx4080_runs_clean) {
  runs_clean("rtx4080");
}
BOOST_AUTO_TEST_CASE(a100_runs_clean) {
  runs_clean("a100");
}
BOOST_AUTO_TEST_CASE(teach_runs_clean) {
  runs_clean("teach");
}
BOOST_AUTO_TEST_CASE(tiny_runs_clean) {
  runs_clean("tiny");
}

// A byte of each of 2048 sectors: every one of them is a code word of which 31 bytes must come from DRAM, once, since
// L2 holds all 512 lines until they are flushed.
BOOST_AUTO_TEST_CASE(the_hbm_card_reads_a_code_word_for_every_partly_written_sector) {
  const Columns c = columns_of_stores("a100", "byte_per_sector");
  BOOST_TEST(c.merged == kSectorsStored);
  BOOST_TEST(c.read == kSectorsStored);
  BOOST_TEST(c.written == kSectorsStored);
}

BOOST_AUTO_TEST_CASE(the_hbm_card_reads_nothing_for_whole_sectors) {
  const Columns c = columns_of_stores("a100", "stream_store");
  BOOST_TEST(c.merged == 0U);
  BOOST_TEST(c.read == 0U);
  BOOST_TEST(c.written == kSectorsStored);
}

BOOST_AUTO_TEST_CASE(a_card_without_code_words_masks_the_bytes_instead) {
  const Columns c = columns_of_stores("l40", "byte_per_sector");
  BOOST_TEST(c.merged == 0U);
  BOOST_TEST(c.read == 0U);
  BOOST_TEST(c.written == kSectorsStored);
}
