// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/summary.h"

#include <sys/resource.h>

#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace gputlm {
namespace {

double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

double memory_peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

Json phases(const Simulation& s) {
  Json list = Json::array();
  for (std::size_t i = 0; i < s.workload.phases().size(); ++i) {
    const Phase& p = s.workload.phases()[i];
    const PhaseTimes t = s.dispatcher.times().at(i);
    const auto time = [](Fs at) { return at == kNever ? Json(nullptr) : Json(rounded(to_ns(at))); };
    list.push_back(Json{{"name", p.name},
                        {"start_ns", time(t.start)},
                        {"end_ns", time(t.end)},
                        {"bytes_stored", p.bytes_stored()},
                        {"bytes_loaded", p.bytes_loaded()}});
  }
  return list;
}

Json l2(const MemorySystem& mem) {
  L2Counters sum;
  for (const auto& slice : mem.slices) {
    const L2Counters& c = slice->counters();
    sum.stores += c.stores, sum.loads += c.loads, sum.load_hits += c.load_hits, sum.store_hits += c.store_hits;
    sum.write_backs += c.write_backs, sum.janitor_cleans += c.janitor_cleans;
    sum.dirty_lines_peak += c.dirty_lines_peak;
    sum.dirty_lines_per_set_peak = std::max(sum.dirty_lines_per_set_peak, c.dirty_lines_per_set_peak);
  }
  return Json{{"stores", sum.stores},
              {"loads", sum.loads},
              {"load_hits", sum.load_hits},
              {"store_hits", sum.store_hits},
              {"write_backs", sum.write_backs},
              {"janitor_cleans", sum.janitor_cleans},
              {"dirty_lines_peak", sum.dirty_lines_peak},
              {"dirty_lines_per_set_peak", sum.dirty_lines_per_set_peak},
              {"dirty_bytes_end", mem.dirty_bytes()}};
}

Json dram(const MemorySystem& mem, Fs simulated) {
  std::uint64_t read = 0, written = 0, enabled = 0;
  for (const auto& c : mem.channels) {
    read += c->statistics().bytes_read;
    written += c->statistics().bytes_written;
    enabled += c->statistics().bytes_enabled;
  }
  const double capacity = mem.peak_bytes_per_ns() * to_ns(simulated);
  const auto share = [&](std::uint64_t bytes) { return capacity > 0 ? static_cast<double>(bytes) / capacity : 0.0; };
  return Json{{"bytes_read", read},
              {"bytes_written", written},
              {"bytes_enabled", enabled},
              {"peak_bytes_per_ns", rounded(mem.peak_bytes_per_ns())},
              {"read_utilisation", share(read)},
              {"write_utilisation", share(written)}};
}

// Time lost on the SMs' side, summed over SMs; a warp's causes are warp time.
Json stalls(const Gpu& gpu) {
  double queue = 0, scoreboard = 0, fence = 0, barrier = 0, exit_busy = 0, pressure = 0;
  for (const auto& sm : gpu.sms) {
    queue += sm->scheduler.stall_ns(WarpScheduler::Stall::queue_full);
    scoreboard += sm->scheduler.stall_ns(WarpScheduler::Stall::scoreboard);
    fence += sm->scheduler.stall_ns(WarpScheduler::Stall::fence);
    barrier += sm->scheduler.stall_ns(WarpScheduler::Stall::barrier);
    exit_busy += sm->lsu.exit_stall_ns(Lsu::ExitStall::exit_busy);
    pressure += sm->lsu.exit_stall_ns(Lsu::ExitStall::back_pressure);
  }
  return Json{{"warp_queue_full", rounded(queue)},   {"warp_scoreboard", rounded(scoreboard)},
              {"warp_fence", rounded(fence)},        {"warp_barrier", rounded(barrier)},
              {"lsu_exit_busy", rounded(exit_busy)}, {"lsu_back_pressure", rounded(pressure)}};
}

Json checker(Wiring& wiring) {
  std::uint64_t transactions = 0;
  for (const auto& c : wiring.checkers()) transactions += c->transactions();
  return Json{
      {"arrows", wiring.checkers().size()}, {"transactions", transactions}, {"violations", wiring.log().total()}};
}

const char* name_of(RunEnd end) {
  switch (end) {
    case RunEnd::complete:
      return "complete";
    case RunEnd::fault:
      return "fault";
    case RunEnd::stalled:
      return "stalled";
    case RunEnd::interrupted:
      break;
  }
  return "interrupted";
}

}  // namespace

Json make_summary(const Experiment& experiment, const Simulation& s, const Verdict& verdict, double wall_seconds) {
  Json j;
  j["experiment"] = experiment.name;
  j["configuration"] = s.gpu.config().name;
  j["seed"] = experiment.seed;
  j["complete"] = verdict.end == RunEnd::complete;
  j["end"] = name_of(verdict.end);
  j["simulated_ns"] = rounded(to_ns(now()));
  j["wall_s"] = rounded(wall_seconds);
  j["line_transactions"] = s.line_requests();
  j["phases"] = phases(s);
  j["scoreboard"] = Json{{"bytes_checked", verdict.bytes_checked}, {"mismatches", verdict.mismatches}};
  j["l2"] = l2(s.gpu.mem);
  j["dram"] = dram(s.gpu.mem, now());
  j["sm"] = Json{{"throttled_peak", s.dispatcher.throttled_peak()}, {"stall_ns_by_cause", stalls(s.gpu)}};
  if (s.gpu.mem.wiring.checking()) j["checker"] = checker(const_cast<Wiring&>(s.gpu.mem.wiring));
  j["problems"] = verdict.problems;
  j["memory_peak_mib"] = rounded(memory_peak_mib());
  return j;
}

Json make_statistics(const Simulation& s) {
  StatisticsTree tree;
  for (const Unit* u : s.gpu.units()) tree.add(*u);
  return tree.document();
}

void print_summary(std::ostream& out, const Json& j) {
  constexpr double kMiB = 1 << 20;
  const auto mib = [](const Json& bytes) { return bytes.get<double>() / kMiB; };
  fmt::print(out, "\n{} on {}: {}\n\n", j["experiment"].get<std::string>(), j["configuration"].get<std::string>(),
             j["end"].get<std::string>());
  fmt::print(out, "  {:<24}{:>12}{:>12}{:>12}{:>12}{:>14}\n", "phase", "start us", "end us", "stored MiB", "loaded MiB",
             "GB/s");
  for (const Json& p : j["phases"]) {
    if (p["end_ns"].is_null()) {
      fmt::print(out, "  {:<24}{:>12}\n", p["name"].get<std::string>(), "unfinished");
      continue;
    }
    const double start = p["start_ns"], end = p["end_ns"];
    const double bytes = p["bytes_stored"].get<double>() + p["bytes_loaded"].get<double>();
    fmt::print(out, "  {:<24}{:>12.3f}{:>12.3f}{:>12.2f}{:>12.2f}{:>14.1f}\n", p["name"].get<std::string>(),
               start / 1e3, end / 1e3, mib(p["bytes_stored"]), mib(p["bytes_loaded"]),
               end > start ? bytes / (end - start) : 0.0);
  }
  const auto line = [&](const char* name, const std::string& value, const char* meaning) {
    fmt::print(out, "  {:<24}{:>16}  {}\n", name, value, meaning);
  };
  const Json &l2 = j["l2"], &dram = j["dram"], &sm = j["sm"];
  out << '\n';
  line("simulated", fmt::format("{:.3f} us", j["simulated_ns"].get<double>() / 1e3),
       "power-on to the last write drained");
  line("line transactions", fmt::format("{}", j["line_transactions"].get<std::uint64_t>()),
       "requests that left an LSU");
  line("L2 stores, hits",
       fmt::format("{}, {}", l2["stores"].get<std::uint64_t>(), l2["store_hits"].get<std::uint64_t>()),
       "a hit found the line present");
  line("L2 loads, hits", fmt::format("{}, {}", l2["loads"].get<std::uint64_t>(), l2["load_hits"].get<std::uint64_t>()),
       "a hit found all bytes valid");
  line("L2 write-backs", fmt::format("{}", l2["write_backs"].get<std::uint64_t>()),
       "lines handed to a memory controller");
  line("  by the janitor", fmt::format("{}", l2["janitor_cleans"].get<std::uint64_t>()), "cleaned in place");
  line("L2 dirty at the end", fmt::format("{:.2f} MiB", mib(l2["dirty_bytes_end"])), "stored and not in DRAM");
  line("DRAM read", fmt::format("{:.2f} MiB", mib(dram["bytes_read"])),
       fmt::format("{:.1f} % of the peak of {:.0f} GB/s over the whole run",
                   100 * dram["read_utilisation"].get<double>(), dram["peak_bytes_per_ns"].get<double>())
           .c_str());
  line("DRAM written", fmt::format("{:.2f} MiB", mib(dram["bytes_written"])),
       fmt::format("{:.1f} % of the peak", 100 * dram["write_utilisation"].get<double>()).c_str());
  line("SMs throttled, peak", fmt::format("{}", sm["throttled_peak"].get<unsigned>()),
       "an access waited at the LSU's door");
  line("bytes checked", fmt::format("{:.2f} MiB", mib(j["scoreboard"]["bytes_checked"])),
       fmt::format("{} mismatches", j["scoreboard"]["mismatches"].get<std::uint64_t>()).c_str());
  if (j.contains("checker"))
    line("protocol checker", fmt::format("{}", j["checker"]["transactions"].get<std::uint64_t>()),
         fmt::format("transactions on {} arrows, {} violations", j["checker"]["arrows"].get<std::size_t>(),
                     j["checker"]["violations"].get<std::uint64_t>())
             .c_str());
  line("wall time", fmt::format("{:.2f} s", j["wall_s"].get<double>()),
       fmt::format("{:.0f} lines/s, peak memory {:.0f} MiB",
                   j["line_transactions"].get<double>() / std::max(j["wall_s"].get<double>(), 1e-3),
                   j["memory_peak_mib"].get<double>())
           .c_str());
  for (const Json& p : j["problems"]) fmt::print(out, "\n  {}\n", p.get<std::string>());
}

}  // namespace gputlm
