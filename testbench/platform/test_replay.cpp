// SPDX-License-Identifier: Apache-2.0
//
// Traces made by hand, replayed on the small card and checked access by access.
#include "gputlm/test_support/sc_test.h"

#include <cstdlib>
#include <filesystem>

#include "../unit/replay/trace_bench.h"
#include "gputlm/config/quantity.h"
#include "gputlm/replay/traceg_capture.h"
#include "replay_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

const std::string kExit = "0040 ffffffff 0 EXIT 0 0";

/// The same kernel as every version writes it: a load by stride, a store by deltas, one by list, an EXIT.
std::string kernel(const std::string& version, const std::string& before, const std::string& behind) {
  std::vector<std::string> lines{"0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f2000000000 4",
                                 "0010 0000000f 0 STG.E.STRONG.GPU 2 R6 R4 4 2 0x7f2000200000 64 64 64",
                                 "0020 80000001 0 STG.E.64 2 R6 R4 8 0 0x7f2000200200 0x7f2000200218", kExit};
  for (std::string& l : lines) l = before + l + behind;
  return header(version, version >= "4" && !before.empty() ? "-enable lineinfo = 1\n" : "") + block(lines);
}

void check_kernel(const std::string& text) {
  const TempFolder f;
  ReplayBench b(f.file("kernel-1.traceg", text));
  const Verdict v = b.run();
  BOOST_TEST(v.clean());
  BOOST_TEST(v.bytes_on_the_road > 0U);
  const std::vector<SeenAccess> seen = b.accesses.sorted();
  BOOST_REQUIRE(seen.size() == 3U);
  BOOST_TEST((seen[0].operation == Operation::load));
  BOOST_TEST((seen[0].semantics == Semantics::weak));
  BOOST_TEST(seen[0].active == 0xffffffffU);
  for (unsigned lane = 0; lane < 32; ++lane) BOOST_TEST(seen[0].addresses[lane] == 0x7f2000000000 + 4 * lane);
  BOOST_TEST((seen[1].operation == Operation::store));
  BOOST_TEST((seen[1].semantics == Semantics::relaxed));
  BOOST_TEST((seen[1].scope == Scope::gpu));
  BOOST_TEST((seen[1].addresses ==
              std::vector<std::uint64_t>{0x7f2000200000, 0x7f2000200040, 0x7f2000200080, 0x7f20002000c0}));
  BOOST_TEST(seen[2].lane_bytes == 8U);
  BOOST_TEST(seen[2].active == 0x80000001U);
  BOOST_TEST((seen[2].addresses == std::vector<std::uint64_t>{0x7f2000200200, 0x7f2000200218}));
  BOOST_TEST(b.state.counters.instructions == 4U);
  BOOST_TEST(b.lines.loaded().lines == 1U);
  BOOST_TEST(b.lines.loaded().sectors == 4U);
  BOOST_TEST(b.lines.stored().lines == 3U);
  BOOST_TEST(b.lines.stored().sectors == 5U);
}

/// A block that stores to its own line and loads its neighbour's.
std::string numbered_block(unsigned n) {
  const auto line = [](unsigned number) { return format_hex(0x7f2010000000 + number * 128) + " 4"; };
  return block({"0000 ffffffff 0 STG.E 2 R6 R4 4 1 " + line(n),
                "0010 ffffffff 1 R4 LDG.E.STRONG.GPU 1 R2 4 1 " + line(n + 1), kExit},
               n);
}

std::string blocks(unsigned count) {
  std::string text = header("3", {}, 1, count);
  for (unsigned n = 0; n < count; ++n) text += numbered_block(n);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_trace_without_a_version_is_replayed_access_by_access) {
  check_kernel(kernel("", "0 0 0 0 ", ""));
}
BOOST_AUTO_TEST_CASE(a_trace_of_version_1_2_is_replayed_access_by_access) {
  check_kernel(kernel("1.2", "0 0 0 0 ", ""));
}
BOOST_AUTO_TEST_CASE(a_trace_of_version_3_is_replayed_access_by_access) {
  check_kernel(kernel("3", "", ""));
}
BOOST_AUTO_TEST_CASE(a_trace_of_version_4_with_line_numbers_is_replayed_access_by_access) {
  check_kernel(kernel("4", "117 ", ""));
}
BOOST_AUTO_TEST_CASE(a_trace_of_version_5_is_replayed_access_by_access) {
  check_kernel(kernel("5", "", " 64"));
}

BOOST_AUTO_TEST_CASE(a_load_is_waited_for_by_who_needs_it_and_by_nobody_else) {
  const TempFolder f;
  const std::string load = "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f2000000000 4";
  const std::string needs = "0010 ffffffff 0 STG.E 2 R6 R4 4 1 0x7f2000200000 4";
  const std::string other = "0010 ffffffff 0 STG.E 2 R6 R9 4 1 0x7f2000200000 4";
  struct Times final : LsuObserver {
    void on_line_request(unsigned, const Payload& p) override {
      if (find_sideband(p)->operation == Operation::store) store[find_sideband(p)->origin.kernel] = now();
    }
    void on_line_response(unsigned, const Payload& p) override {
      if (find_sideband(p)->operation == Operation::load) load[find_sideband(p)->origin.kernel] = now();
    }
    Fs load[2] = {}, store[2] = {};
  } times;
  f.file("kernel-1.traceg", header("3") + block({load, needs, kExit}));
  f.file("kernel-2.traceg", header("3") + block({load, other, kExit}));
  ReplayBench b(f.file("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n"));
  b.simulation.lsu_observers.add(times);
  BOOST_TEST(b.run().clean());
  BOOST_TEST(times.store[0] >= times.load[0]);
  BOOST_TEST(times.store[1] < times.load[1]);
}

BOOST_AUTO_TEST_CASE(dependent_arithmetic_takes_its_latency_and_independent_one_a_cycle) {
  const TempFolder f;
  std::vector<std::string> chain, free;
  for (unsigned n = 0; n < 100; ++n) {
    chain.push_back("0000 ffffffff 1 R4 FADD 2 R4 R5 0");
    free.push_back("0000 ffffffff 1 R" + std::to_string(10 + n) + " FADD 2 R4 R5 0");
  }
  f.file("kernel-1.traceg", header("3") + block(chain));
  f.file("kernel-2.traceg", header("3") + block(free));
  ReplayBench b(f.file("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n"));
  BOOST_TEST(b.run().clean());
  const auto cycles = [&](std::uint32_t kernel) {
    const KernelTimes& t = b.simulation.dispatcher.kernel_times(kernel);
    return to_ns(t.end() - t.start) * 1e-9 * b.config.warp.clock_hz;
  };
  BOOST_TEST(cycles(0) == 99 * b.config.sass.arithmetic_cycles + 1, boost::test_tools::tolerance(0.02));
  BOOST_TEST(cycles(1) == 100.0, boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(fences_and_barriers_are_carried_out_and_an_invalidate_behind_a_fence_is_part_of_it) {
  const TempFolder f;
  const std::string store = "0000 ffffffff 0 STG.E 2 R6 R4 4 1 0x7f2000000000 4";
  const std::string fence = "0010 ffffffff 0 MEMBAR.SC.GPU 0 0", errbar = "0020 ffffffff 0 ERRBAR 0 0",
                    invalidate = "0030 ffffffff 0 CCTL.IVALL 0 0", barrier = "0040 ffffffff 0 BAR.SYNC 0 0";
  const std::string text = header("3", {}, 2) + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 6\n" + store +
                           "\n" + fence + "\n" + errbar + "\n" + invalidate + "\n" + barrier + "\n" + kExit +
                           "\nwarp = 1\ninsts = 2\n" + barrier + "\n" + kExit + "\n#END_TB\n";
  ReplayBench b(f.file("kernel-1.traceg", text));
  BOOST_TEST(b.run().clean());
  BOOST_TEST(b.counters().fences == 1U);
  BOOST_TEST(b.state.counters.barriers == 2U);
  const auto fences = std::count_if(b.accesses.seen.begin(), b.accesses.seen.end(), [](const SeenAccess& a) {
    return a.operation == Operation::fence && a.scope == Scope::gpu;
  });
  BOOST_TEST(fences == 1);
}

BOOST_AUTO_TEST_CASE(a_strong_load_and_an_invalidate_are_an_acquire) {
  const TempFolder f;
  ReplayBench b(
      f.file("kernel-1.traceg", header("3") + block({"0000 ffffffff 1 R4 LDG.E.STRONG.GPU 1 R2 4 1 0x7f2000000000 4",
                                                     "0010 ffffffff 0 CCTL.IVALL 0 0", kExit})));
  BOOST_TEST(b.run().clean());
  BOOST_REQUIRE(b.accesses.seen.size() == 1U);
  BOOST_TEST((b.accesses.seen[0].semantics == Semantics::acquire));
}

BOOST_AUTO_TEST_CASE(shared_local_and_predicated_off_accesses_do_not_leave_the_sm) {
  const TempFolder f;
  ReplayBench b(f.file(
      "kernel-1.traceg",
      header("3") + block({"0000 ffffffff 1 R4 LDS 1 R2 4 1 0x0 4", "0010 ffffffff 0 STL 2 R1 R4 4 1 0x8 0",
                           "0020 00000001 1 R4 LD.E 1 R2 4 2 0x7f0000000010", "0030 00000000 1 R4 LDG.E 1 R2 4 1 0x0 4",
                           "0040 00000003 1 R4 LD.E 1 R2 4 0 0x7f0000000010 0x7f2000000000", kExit})));
  BOOST_TEST(b.run().clean());
  BOOST_REQUIRE(b.accesses.seen.size() == 1U);
  BOOST_TEST(b.accesses.seen[0].active == 2U);
  BOOST_TEST(b.state.counters.shared == 3U);
  BOOST_TEST(b.counters().loads == 1U);
}

BOOST_AUTO_TEST_CASE(atomics_of_all_kinds_pass_the_scoreboard) {
  const TempFolder f;
  std::vector<std::string> lines;
  for (const char* opcode : {"RED.E.ADD.STRONG.GPU", "RED.E.ADD.F32.FTZ.RN.STRONG.GPU", "ATOMG.E.CAS.STRONG.GPU",
                             "ATOM.E.EXCH.STRONG.SYS", "RED.E.MAX.S32.STRONG.GPU", "RED.E.ADD.F16x2.RN.STRONG.GPU"})
    lines.push_back(std::string("0000 ffffffff 1 R8 ") + opcode + " 2 R2 R4 4 1 0x7f2000000000 4");
  lines.push_back("0000 ffffffff 1 R8 ATOMG.E.ADD.F64.RN.STRONG.GPU 2 R2 R4 8 1 0x7f2000000100 8");
  lines.push_back("0000 ffffffff 1 R8 ATOMG.E.CAS.64.STRONG.GPU 2 R2 R4 8 1 0x7f2000000100 0");
  lines.push_back(kExit);
  ReplayBench b(f.file("kernel-1.traceg", header("3") + block(lines)));
  const Verdict v = b.run();
  BOOST_TEST(v.clean());
  BOOST_TEST(b.counters().atomics == 8U);
}

BOOST_AUTO_TEST_CASE(copies_fill_the_pages_they_reach_and_what_no_kernel_writes_is_compared_at_the_end) {
  const TempFolder f;
  f.file("kernel-1.traceg", kernel("3", "", ""));
  ReplayBench b(
      f.file("kernelslist.g", "MemcpyHtoD,0x7f2000000000,128\nMemcpyHtoD,0x7f9000000000,4096\nkernel-1.traceg\n"));
  BOOST_REQUIRE(b.simulation.workload.buffers().size() == 2U);  // the second copy's page is never touched
  unsigned char copied[32] = {}, other[32] = {};
  b.simulation.workload.image().fill(b.simulation.workload.buffers()[0].physical_address, copied, 32);
  b.simulation.workload.image().fill(b.simulation.workload.buffers()[1].physical_address, other, 32);
  BOOST_TEST(std::count(copied, copied + 32, 0) < 8);
  BOOST_TEST(std::count(other, other + 32, 0) == 32);
  const Verdict v = b.run();
  BOOST_TEST(v.clean());
  BOOST_TEST(v.bytes_in_memory == b.config.mmu.page_bytes);
}

BOOST_AUTO_TEST_CASE(registers_and_shared_memory_limit_the_blocks_on_an_sm) {
  const TempFolder f;
  std::string text = blocks(16);
  text.replace(text.find("-shmem = 0"), 10, "-shmem = 40000");  // two fit
  struct Resident final : WarpObserver {
    explicit Resident(const Gpu& g) : gpu(g) {}
    void on_issue(unsigned sm, unsigned, std::uint32_t, const WarpInstruction&) override {
      most = std::max(most, gpu.sms[sm]->scheduler.ctas_resident());
    }
    const Gpu& gpu;
    unsigned most = 0;
  };
  ReplayBench b(f.file("kernel-1.traceg", text));
  Resident resident(b.simulation.gpu);
  b.simulation.warp_observers.add(resident);
  BOOST_TEST(b.run().clean());
  BOOST_TEST(resident.most == 2U);
  BOOST_TEST(b.accesses.seen.size() == 32U);
}

BOOST_AUTO_TEST_CASE(what_is_kept_of_a_trace_does_not_grow_with_its_blocks) {
  const TempFolder f;
  ReplayBench b(f.file("kernel-1.traceg", blocks(2000)));
  BOOST_TEST(b.run().clean());
  BOOST_TEST(b.accesses.seen.size() == 4000U);
  // Two SMs with 24 blocks each, of three instructions.
  BOOST_TEST(b.state.chunks.memory_peak() < 2U * 24 * 3 * 40);
}

BOOST_AUTO_TEST_CASE(a_long_block_goes_through_a_file_and_comes_back_whole) {
  const TempFolder f;
  std::vector<std::string> lines;
  for (unsigned n = 0; n < 3000; ++n)
    lines.push_back("0000 ffffffff 0 STG.E 2 R6 R4 4 1 " + format_hex(0x7f2000000000 + n * 7919 % 4096 * 128) + " 4");
  lines.push_back(kExit);
  ReplayBench b(f.file("kernel-1.traceg", header("3") + block(lines)), false, 8192);
  BOOST_TEST(b.run().clean());
  BOOST_TEST(b.counters().stores == 3000U);
  BOOST_TEST(b.state.chunks.memory_peak() <= 8192U);
  BOOST_TEST(b.state.chunks.file_bytes() > 16'000U);
}

BOOST_AUTO_TEST_CASE(a_block_that_finds_no_temporary_file_ends_the_run) {
  const TempFolder f;
  ReplayBench b(f.file("kernel-1.traceg", blocks(8)), false, 0);
  ::setenv("TMPDIR", "/nowhere", 1);
  b.simulation.run([&](const Progress&) { return !b.state.failure; });
  BOOST_REQUIRE(b.state.failure.has_value());
  BOOST_TEST(std::string(b.state.failure->what()).find("kernel-1.traceg: the temporary file") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_recording_that_finds_the_disk_full_says_so_after_the_run_and_leaves_nothing) {
  const TempFolder f;
  ReplayBench b(f.file("kernel-1.traceg", blocks(2000)));
  auto capture =
      std::make_unique<TracegCapture>(b.simulation, CaptureTarget(f.path("made/deep"), {}),
                                      std::vector<TracegHeader>{b.trace.kernels[0].header}, std::vector<ReplayCopy>());
  std::filesystem::create_symlink("/dev/full", f.path("made/deep/kernel-1.traceg.part"));
  BOOST_TEST(b.run().clean());
  BOOST_CHECK_EXCEPTION(capture->finish(), std::runtime_error, [&](const std::runtime_error& e) {
    return e.what() == "cannot write " + f.path("made/deep/kernel-1.traceg") + ": No space left on device";
  });
  capture.reset();
  BOOST_TEST(!std::filesystem::exists(f.path("made")));
}

BOOST_AUTO_TEST_CASE(a_recording_is_refused_where_something_stands_that_it_cannot_replace) {
  const TempFolder f;
  std::filesystem::create_directories(f.path("there/kernel-2.traceg.part"));
  BOOST_CHECK_THROW((void)CaptureTarget(f.path("there"), {}).open(2), ConfigError);
  (void)CaptureTarget(f.path("there"), {}).open(1);
  f.file("plain", "");
  BOOST_CHECK_THROW((void)CaptureTarget(f.path("new/../plain/deep"), {}).open(1), ConfigError);
  BOOST_TEST(std::filesystem::exists(f.path("there/kernel-2.traceg.part")));
  BOOST_TEST(!std::filesystem::exists(f.path("new")));
}

BOOST_AUTO_TEST_CASE(a_trace_that_changes_under_the_run_ends_it) {
  const TempFolder f;
  const std::string file = f.file("kernel-1.traceg", blocks(200));
  ReplayBench b(file);
  f.file("kernel-1.traceg", blocks(200).substr(0, 4000));
  const Verdict v = b.simulation.run([&](const Progress&) { return !b.state.failure; });
  BOOST_TEST((v.end == RunEnd::interrupted));
  BOOST_REQUIRE(b.state.failure.has_value());
  BOOST_TEST(std::string(b.state.failure->what()).find("kernel-1.traceg:") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_text_of_accesses_issues_them_not_before_their_times) {
  const TempFolder f;
  struct Times final : WarpObserver {
    void on_issue(unsigned, unsigned, std::uint32_t, const WarpInstruction& i) override {
      if (i.kind == WarpInstruction::Kind::memory) at.push_back(now());
    }
    std::vector<Fs> at;
  } times;
  ReplayBench b(f.file("t.txt",
                       "0 load 0x7f2000000000 4 ffffffff\n500 store 0x7f2000000000 4 ffffffff\n"
                       "2us store 0x7f2000400000 8 f warp=1\n501 fence.gpu\n501 load.gpu 0x7f2000000000 4\n"));
  b.simulation.warp_observers.add(times);
  BOOST_TEST(b.run().clean());
  BOOST_REQUIRE(times.at.size() == 4U);
  BOOST_TEST(to_ns(times.at[1]) >= 500);
  BOOST_TEST(to_ns(times.at[1]) < 502);
  BOOST_TEST(to_ns(times.at[3]) >= 2000);
  BOOST_TEST(to_ns(times.at[3]) < 2002);
  BOOST_TEST(b.lines.loaded().lines == 2U);
  BOOST_TEST(b.lines.stored().lines == 2U);
  BOOST_TEST(b.counters().fences == 1U);
}

BOOST_AUTO_TEST_CASE(lines_of_mem_trace_are_replayed_kernel_by_kernel) {
  const TempFolder f;
  std::string text;
  for (const char* place : {"grid_launch_id 0 - CTA 0,0,0 - warp 0", "grid_launch_id 0 - CTA 1,0,0 - warp 1",
                            "grid_launch_id 0 - CTA 0,0,0 - warp 0", "grid_launch_id 1 - CTA 0,0,0 - warp 0"}) {
    text += std::string("MEMTRACE: CTX 0x1 - ") + place + " - STG.E -";
    for (unsigned lane = 0; lane < 32; ++lane) text += lane < 8 ? " 0x7f20000000" + std::to_string(lane) + "0" : " 0x0";
    text += "\n";
  }
  ReplayBench b(f.file("m.txt", text));
  BOOST_TEST(b.run().clean());
  BOOST_REQUIRE(b.trace.kernels.size() == 2U);
  BOOST_TEST(b.trace.kernels[0].blocks == 2U);
  BOOST_TEST(b.trace.kernels[0].header.warps_per_block() == 2U);
  BOOST_TEST(b.counters(0).stores == 3U);
  BOOST_TEST(b.counters(1).stores == 1U);
}
