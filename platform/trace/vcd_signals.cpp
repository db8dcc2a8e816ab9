// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/vcd_signals.h"

#include <fnmatch.h>

#include <algorithm>
#include <sstream>

#include "gputlm/config/diagnostics.h"

namespace gputlm {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

bool any_matches(const std::string& pattern, const Config& config) {
  const std::vector<VcdSignal>& all = vcd_signals();
  return std::any_of(all.begin(), all.end(), [&](const VcdSignal& s) {
    const unsigned units = units_of_kind(config, s.kind);
    unsigned i = 0;
    while (i < units && !matches(pattern, s.full_name(i))) ++i;
    return i < units;
  });
}

/// "smN.lsu_queued, ...; sms below 128, ..."
std::string allowed(const Config& config) {
  std::string text;
  for (const VcdSignal& s : vcd_signals()) text += (text.empty() ? "" : ", ") + (s.kind + ("N." + std::string(s.name)));
  for (const char* kind : {"sm", "slice", "controller", "channel"})
    text += std::string(kind[1] == 'm' ? "; " : ", ") + kind + "s below " + std::to_string(units_of_kind(config, kind));
  return text;
}

const Sm& sm(const Gpu& gpu, unsigned i) {
  return *gpu.sms[i];
}
const L2Slice& slice(const Gpu& gpu, unsigned i) {
  return *gpu.mem.slices[i];
}
const MemoryController& controller(const Gpu& gpu, unsigned i) {
  return *gpu.mem.controllers[i];
}

std::size_t lsu_queued(const Gpu& gpu, unsigned i) {
  const Lsu& lsu = sm(gpu, i).lsu;
  std::size_t queued = 0;
  for (unsigned port = 0; port < lsu.accesses.size(); ++port) queued += lsu.queued(port);
  return queued;
}

}  // namespace

const std::vector<VcdSignal>& vcd_signals() {
  using G = const Gpu&;
  static const std::vector<VcdSignal> all{
      {"sm", "lsu_queued", true, lsu_queued},
      {"sm", "unacknowledged", true, [](G g, unsigned i) -> std::size_t { return sm(g, i).lsu.unacknowledged(); }},
      {"sm", "warps", false, [](G g, unsigned i) -> std::size_t { return sm(g, i).scheduler.warps_resident(); }},
      {"sm", "accesses", false, [](G g, unsigned i) -> std::size_t { return sm(g, i).scheduler.outstanding(); }},
      {"sm", "throttled", false, [](G g, unsigned i) -> std::size_t { return sm(g, i).scheduler.throttled() ? 1 : 0; }},
      {"slice", "crossbar_queue", true, [](G g, unsigned i) { return g.mem.crossbar.waiting_for(i); }},
      {"slice", "dirty_lines", true, [](G g, unsigned i) -> std::size_t { return slice(g, i).dirty_lines(); }},
      {"slice", "dirty_bytes", false, [](G g, unsigned i) -> std::size_t { return slice(g, i).dirty_bytes(); }},
      {"slice", "requests", false, [](G g, unsigned i) -> std::size_t { return slice(g, i).counters().requests; }},
      {"controller", "write_backlog", true,
       [](G g, unsigned i) -> std::size_t { return controller(g, i).write_backlog(); }},
      {"controller", "read_backlog", true,
       [](G g, unsigned i) -> std::size_t { return controller(g, i).read_backlog(); }},
      {"controller", "turns", false,
       [](G g, unsigned i) -> std::size_t { return controller(g, i).statistics().mode_switches; }},
      {"channel", "columns_read", false,
       [](G g, unsigned i) -> std::size_t { return g.mem.channels[i]->bank_statistics().columns_read; }},
      {"channel", "columns_written", false,
       [](G g, unsigned i) -> std::size_t { return g.mem.channels[i]->bank_statistics().columns_written; }},
  };
  return all;
}

unsigned units_of_kind(const Config& config, const std::string& kind) {
  const CrossbarSpec& crossbar = config.crossbar;
  if (kind == "sm") return config.sms;
  if (kind == "slice") return crossbar.slices;
  const unsigned controllers = crossbar.slices / crossbar.slices_per_controller;
  return kind == "controller" ? controllers : controllers * config.dram.channels_per_controller;
}

VcdSelection VcdSelection::parse(const std::string& patterns, const Config& config, const std::string& option) {
  VcdSelection selection;
  Diagnostics mistakes;
  std::istringstream text(patterns + ",");
  for (std::string pattern; std::getline(text, pattern, ',');) {
    if (!any_matches(pattern, config))
      mistakes.add({}, option, "no signal has such a name", excerpt(pattern), allowed(config));
    selection.patterns_.push_back(pattern);
  }
  mistakes.throw_if_any();
  return selection;
}

bool VcdSelection::wants(const VcdSignal& signal, unsigned number) const {
  if (patterns_.empty()) return signal.by_default;
  return std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const std::string& p) { return matches(p, signal.full_name(number)); });
}

}  // namespace gputlm
