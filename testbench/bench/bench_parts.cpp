// SPDX-License-Identifier: Apache-2.0
//
// Cost of the parts that every simulated line passes, each by itself and with warm caches: what is left when the host's
// memory costs nothing. `gputlm bench` measures the whole.
#include <benchmark/benchmark.h>

#include <array>

#include "gputlm/dram/sparse_memory.h"
#include "gputlm/judge/digest.h"
#include "gputlm/judge/digest_table.h"
#include "gputlm/l2/line_array.h"
#include "gputlm/tlm/event_queue.h"
#include "gputlm/tlm/parity_table.h"
#include "gputlm/tlm/payload_pool.h"
#include "gputlm/workload/pattern_data.h"

using namespace gputlm;

namespace {

constexpr std::uint64_t kManyLines = 4096, kStride = 37;  // a footprint that the second-level cache holds

void payload_from_pool_and_back(benchmark::State& state) {
  PayloadPool pool;
  for (auto _ : state) benchmark::DoNotOptimize(pool.line(tlm::TLM_WRITE_COMMAND, 0x80, Operation::store).get());
}
BENCHMARK(payload_from_pool_and_back);

void sideband_of_a_pooled_payload(benchmark::State& state) {
  PayloadPool pool;
  const PayloadRef p = pool.line(tlm::TLM_WRITE_COMMAND, 0x80, Operation::store);
  for (auto _ : state) benchmark::DoNotOptimize(find_sideband(*p));
}
BENCHMARK(sideband_of_a_pooled_payload);

void byte_mask_of_shared_enables(benchmark::State& state) {
  PayloadPool pool;
  const PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, 0x80, Operation::load);
  set_enables(*p, ByteMask::sectors(5));
  for (auto _ : state) benchmark::DoNotOptimize(ByteMask::of(*p));
}
BENCHMARK(byte_mask_of_shared_enables);

void byte_mask_of_own_enables(benchmark::State& state) {
  PayloadPool pool;
  const PayloadRef p = pool.line(tlm::TLM_WRITE_COMMAND, 0x80, Operation::store);
  set_enables(*p, ByteMask{1, 1});
  for (auto _ : state) benchmark::DoNotOptimize(ByteMask::of(*p));
}
BENCHMARK(byte_mask_of_own_enables);

void kernel_time(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(now());
}
BENCHMARK(kernel_time);

void timed_queue_in_and_out(benchmark::State& state) {
  TimedQueue<std::uint64_t> queue;
  Fs t = 0;
  for (auto _ : state) {
    queue.push(++t, 1);
    benchmark::DoNotOptimize(queue.pop());
  }
}
BENCHMARK(timed_queue_in_and_out);

void parity_of_ten_masks(benchmark::State& state) {
  const ParityTable parity({0x0bd654c80, 0x07aed8b80, 0x03e313180, 0x03e313300, 0x0bd654e80, 0x0bd654c00, 0x044dcb880,
                            0x000000200, 0x13bc21180, 0x0bd654c80});
  std::uint64_t address = 0;
  for (auto _ : state) benchmark::DoNotOptimize(parity(address += kLineBytes));
}
BENCHMARK(parity_of_ten_masks);

void digests_of_a_line(benchmark::State& state) {
  std::array<unsigned char, kLineBytes> line{};
  for (auto _ : state) benchmark::DoNotOptimize(sector_digests(line.data(), ByteMask::full()));
}
BENCHMARK(digests_of_a_line);

void digest_table_entry(benchmark::State& state) {
  DigestTable table(std::uint64_t{1} << 34);
  std::uint64_t line = 0;
  for (auto _ : state) {
    line += kStride;
    table.at(line % kManyLines * kLineBytes)[0] = line;
  }
}
BENCHMARK(digest_table_entry);

void pattern_data_of_a_line(benchmark::State& state) {
  std::array<unsigned char, kLineBytes> line{};
  std::uint64_t address = 0;
  for (auto _ : state) {
    fill_pattern(address += kLineBytes, line.size(), 1, line.data());
    benchmark::DoNotOptimize(line);
  }
}
BENCHMARK(pattern_data_of_a_line);

void dram_line_written(benchmark::State& state) {
  SparseMemory memory(std::uint64_t{1} << 34);
  const std::array<unsigned char, kLineBytes> data{};
  std::uint64_t line = 0;
  for (auto _ : state) memory.write((line += kStride) % kManyLines * kLineBytes, data.data(), ByteMask::full());
}
BENCHMARK(dram_line_written);

void l2_set_searched(benchmark::State& state) {
  LineArray lines(1024, 16);
  std::uint64_t set = 0;
  for (auto _ : state) benchmark::DoNotOptimize(lines.find(static_cast<unsigned>((set += kStride) % 1024), 0x80));
}
BENCHMARK(l2_set_searched);

}  // namespace

// The kernel's library wants one; its own main() calls it.
int sc_main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
