// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"
#include "gputlm/probe/steps.h"

namespace gputlm::probes {
namespace {

using Places = std::vector<std::uint64_t>;

/// Lines of the first sets of the slices that are wanted, going round the slices line by line.
Places targets(const ProbeRun& run, const Buffer& buffer, const std::function<bool(std::uint64_t)>& wanted) {
  const std::uint64_t sets = run.count("sets");
  std::map<unsigned, Places> by_slice;
  for (std::uint64_t o = 0; o < buffer.size; o += kLineBytes) {
    const std::uint64_t physical = buffer.physical_address + o;
    if (wanted(physical) && run.set_of(physical) < sets) by_slice[run.slice_of(physical)].push_back(o);
  }
  Places all;
  for (std::size_t i = 0, before = 1; all.size() != before; ++i) {
    before = all.size();
    for (const auto& [slice, lines] : by_slice)
      if (i < lines.size()) all.push_back(lines[i]);
  }
  return all;
}

/// When a controller's backlog first reached that depth.
std::optional<double> first_at(const Measurement& m, double depth) {
  const auto at = std::find_if(m.series.begin(), m.series.end(), [&](const SeriesRow& r) {
    return !r.write_backlog.empty() && *std::max_element(r.write_backlog.begin(), r.write_backlog.end()) >= depth;
  });
  return at == m.series.end() ? std::nullopt : std::optional(at->time_ns);
}

/// When an SM was first seen to be throttled.
std::optional<double> first_throttled(const Measurement& m) {
  const auto at =
      std::find_if(m.series.begin(), m.series.end(), [](const SeriesRow& r) { return r.sms_throttled > 0; });
  return at == m.series.end() ? std::nullopt : std::optional(at->time_ns);
}

/// Bytes acknowledged per ns between two moments.
double rate_between(const Measurement& m, double from_ns, double until_ns) {
  const auto count = std::count_if(m.accesses.begin(), m.accesses.end(), [&](const AccessTimes& a) {
    return to_ns(a.answered) > from_ns && to_ns(a.answered) <= until_ns;
  });
  return static_cast<double>(count) * kLineBytes / (until_ns - from_ns);
}

Measurement store_to(ProbeRun& run, const Places& lines, std::uint64_t stores, unsigned ctas, unsigned threads) {
  const std::uint64_t repeat = std::max<std::uint64_t>(1, stores / lines.size());
  return run.measure({{"lines", lines}, {"repeat", repeat}, {"ctas", ctas}, {"threads", threads}});
}

/// Stores of all SMs; returns the deepest backlog.
double flood(ProbeRun& run, const std::string& name, const Places& lines) {
  const Measurement m = store_to(run, lines, run.count("stores"), 256, 128);
  const double peak = m.max("mc", "write_backlog_peak");
  const auto full = first_at(m, peak);
  const double first_answer = to_ns(m.accesses.front().answered), end = m.phases.at(0).end_ns;
  run.row(name + ",backlog_peak", peak, "line");
  run.row(name + ",backlog_full_from", full, "ns");
  run.row(name + ",rate_until_full", full ? std::optional(rate_between(m, first_answer, *full)) : std::nullopt, "GB/s");
  run.row(name + ",rate_when_full", full ? std::optional(rate_between(m, *full, end)) : std::nullopt, "GB/s");
  run.row(name + ",throttled_from", first_throttled(m), "ns");
  run.row(name + ",throttled_sms", m.summary["sm"]["throttled_peak"].get<double>(), "SM");
  run.row(name + ",controllers_full", m.sum("mc", "stall_write_backlog_full"), "ns");
  run.row(name + ",slices_wait", m.sum("l2", "stall_write_back_list_ns"), "ns");
  run.row(name + ",crossbar_blocked", m.sum("crossbar", "blocked_by_slice"), "ns");
  run.row(name + ",exits_back_pressure", m.sum("lsu", "stall_back_pressure"), "ns");
  return peak;
}

/// Stores of one warp, which a slice takes as they come but DRAM does not: is one acknowledged late before the backlog
/// is as deep as it gets?
void trickle(ProbeRun& run, const Places& lines, double full_depth) {
  const Measurement m = store_to(run, lines, run.count("one_warp_stores"), 1, kLanes);
  const auto full = first_at(m, full_depth);
  const double usual = duration_ns(m.accesses.front());
  const auto late = std::find_if(m.accesses.begin(), m.accesses.end(),
                                 [&](const AccessTimes& a) { return duration_ns(a) > 2 * usual; });
  const auto late_from = late == m.accesses.end() ? std::nullopt : std::optional(to_ns(late->issued) + usual);
  run.row("one_warp,backlog_full_from", full, "ns");
  run.row("one_warp,late_from", late_from, "ns");
  run.row("one_warp,late_only_when_full",
          full && late_from ? std::optional(*late_from >= *full ? 1.0 : 0.0) : std::nullopt, "1 or 0");
}

}  // namespace

void write_backlog(ProbeRun& run) {
  const Buffer buffer = run.buffer("lines", {{"lines", "0"}, {"repeat", 1}, {"ctas", 1}, {"threads", 32}});
  const Places slice = targets(run, buffer, [&](std::uint64_t a) { return run.slice_of(a) == 0; });
  const double deepest = flood(run, "slice", slice);
  flood(run, "controller", targets(run, buffer, [&](std::uint64_t a) { return run.controller_of(a) == 0; }));
  flood(run, "all", targets(run, buffer, [](std::uint64_t) { return true; }));
  trickle(run, slice, deepest);
}

}  // namespace gputlm::probes
