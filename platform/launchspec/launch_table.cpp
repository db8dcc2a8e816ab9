// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include "gputlm/config/figure_text.h"
#include "gputlm/launchspec/launch_report.h"

namespace gputlm {

namespace {

constexpr const char* kStepRow = "  {:<22}{:>16}{:>16}\n";

void print_reads(std::ostream& out, const std::vector<ReadBack>& reads) {
  for (const ReadBack& r : reads) {
    fmt::print(out, "{}[0]={}", r.name, r.first);
    if (r.count > 1) fmt::print(out, " {}[{}]={}", r.name, r.count - 1, r.last);
    out << '\n';
  }
}

std::string us_text(Fs from, Fs to) {
  return from == kNever || to == kNever ? "-" : fmt::format("{:.3f}", to_ns(to - from) / 1e3);
}

void print_timeline(std::ostream& out, const LaunchTimeline& t) {
  const struct {
    const char* name;
    Fs at;
  } steps[] = {{"doorbell", t.doorbell},      {"fetch", t.fetched},        {"first block", t.first_block},
               {"last block", t.last_block},  {"barrier", t.barrier_done}, {"semaphore", t.semaphore},
               {"copy begins", t.copy_start}, {"copy", t.copy_done},       {"done", t.done}};
  fmt::print(out, kStepRow, "", "us since", "us since");
  fmt::print(out, kStepRow, "step", "the doorbell", "the step before");
  Fs before = kNever;
  for (const auto& step : steps) {
    fmt::print(out, kStepRow, step.name, us_text(t.doorbell, step.at), us_text(before, step.at));
    if (step.at != kNever) before = step.at;
  }
}

std::string percent(double value) {
  return fmt::format("{:.1f} %", value);
}

std::string share_of(double share) {
  return percent(100 * share);
}

void print_figures(std::ostream& out, const LaunchResult& r) {
  const auto line = [&](const char* name, const std::string& value, const std::string& meaning) {
    print_figure(out, name, value, meaning);
  };
  line("kernel", fmt::format("{:.3f} us", r.kernel_ns / 1e3), "first block handed out to last block retired");
  line("launch to done", fmt::format("{:.3f} us", r.launch_to_done_ns / 1e3), "as the host sees it");
  line("barrier", fmt::format("{:.3f} us", r.barrier_ns / 1e3), "at the kernel's end");
  line("blocks", fmt::format("{}", r.blocks),
       fmt::format("of {} warps in all; {} at once on an SM, limited by {}", r.warps, r.blocks_per_sm, r.limited_by));
  line("occupancy", percent(r.warps_active_pct),
       fmt::format("warps active, mean of the SMs; {} in theory", percent(r.theoretical_occupancy_pct)));
  line("issue utilisation", percent(r.issue_active_pct), fmt::format("{} instructions of warps", r.instructions));
  line("DRAM read", size_text(static_cast<double>(r.dram_bytes_read)),
       share_of(r.dram_read_utilisation) + " of the peak during the kernel");
  line("DRAM written", size_text(static_cast<double>(r.dram_bytes_written)),
       share_of(r.dram_write_utilisation) + " of the peak during the kernel");
  line("L1 loads", share_of(r.l1_hit_rate), "hit");
  line("L2 loads", share_of(r.l2_load_hit_rate), "found all bytes valid");
  line("L2 stores", share_of(r.l2_store_hit_rate), "found the line present");
  line("L2 dirty", size_text(static_cast<double>(r.l2_dirty_bytes_at_kernel_end)),
       "by the kernel, not in DRAM at its end");
  line("copied back", size_text(static_cast<double>(r.copy_bytes)),
       size_text(static_cast<double>(r.copy_dram_bytes_read)) + " read from DRAM meanwhile");
  for (const ReadBack& read : r.reads)
    if (read.expected)
      line(("mismatches in " + read.name).c_str(), fmt::format("{}", read.mismatches),
           fmt::format("of {} elements differ from the expected ones", read.count));
  line("wall time", fmt::format("{:.2f} s", r.wall_seconds), "");
}

}  // namespace

void print_launch(std::ostream& out, const LaunchResult& result) {
  print_reads(out, result.reads);
  fmt::print(out, "\n{}{}\n\n", result.kernel, result.complete ? "" : ": stopped before its end");
  print_timeline(out, result.t);
  out << '\n';
  if (result.t.barrier_done != kNever) print_figures(out, result);
}

}  // namespace gputlm
