// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/summary.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include "gputlm/system/unit_totals.h"

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

Json time_of(Fs at) {
  return at == kNever ? Json(nullptr) : Json(rounded(to_ns(at)));
}

Json kernel(const Kernel& k, const KernelTimes& t) {
  return Json{{"name", k.shape().name},
              {"start_ns", time_of(t.start)},
              {"end_ns", time_of(t.end())},
              {"bytes_stored", k.counters.bytes_stored},
              {"bytes_loaded", k.counters.bytes_loaded}};
}

Json phases(const Simulation& s) {
  Json list = Json::array();
  for (std::size_t i = 0; i < s.workload.phases().size(); ++i) {
    const Phase& p = s.workload.phases()[i];
    const PhaseTimes t = s.dispatcher.times().at(i);
    const bool begun = t.start != kNever;
    const DramBytes until = !begun ? t.dram_at_start : t.end == kNever ? s.gpu.mem.dram_bytes() : t.dram_at_end;
    Json kernels = Json::array();
    for (const auto& k : p.kernels) kernels.push_back(kernel(*k, s.dispatcher.kernel_times(k->shape().number)));
    list.push_back(Json{{"name", p.name},
                        {"start_ns", time_of(t.start)},
                        {"end_ns", time_of(t.end)},
                        {"bytes_stored", p.bytes_stored()},
                        {"bytes_loaded", p.bytes_loaded()},
                        {"dram_bytes_read", until.read - t.dram_at_start.read},
                        {"dram_bytes_written", until.written - t.dram_at_start.written},
                        {"kernels", kernels}});
  }
  return list;
}

/// Latencies as the SMs' load/store units see them, request to response.
Json latencies(const UnitTotals& totals) {
  Json all = Json::object();
  for (const char* name : {"load_latency", "store_latency", "atomic_latency", "fence_latency_cta", "fence_latency_gpu",
                           "fence_latency_sys"})
    if (const Histogram* h = totals.distribution("lsu", name); h != nullptr && h->count() != 0) all[name] = json_of(*h);
  return all;
}

/// What the latencies are made of, over all units of a kind.
Json legs(const UnitTotals& totals) {
  constexpr std::pair<const char*, const char*> kLegs[] = {{"lsu", "load_line_wait"},
                                                           {"lsu", "store_line_wait"},
                                                           {"l1", "load_wait"},
                                                           {"l1", "hit_latency"},
                                                           {"l1", "fill_latency"},
                                                           {"mmu", "wait"},
                                                           {"loose", "load_latency"},
                                                           {"loose", "store_latency"},
                                                           {"crossbar", "load_request_wait"},
                                                           {"crossbar", "store_request_wait"},
                                                           {"l2", "load_latency"},
                                                           {"l2", "store_latency"},
                                                           {"l2", "fetch_latency"},
                                                           {"mc", "read_latency"},
                                                           {"crossbar", "load_response_wait"},
                                                           {"crossbar", "store_response_wait"}};
  Json all = Json::object();
  for (const auto& [kind, name] : kLegs)
    if (const Histogram* h = totals.distribution(kind, name); h != nullptr && h->count() != 0)
      all[std::string(kind) + "." + name] = json_of(*h);
  return all;
}

Json l2(const MemorySystem& mem) {
  const L2Totals sum = mem.l2_totals();
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
  const DramBytes bytes = mem.dram_bytes();
  const double capacity = mem.peak_bytes_per_ns() * to_ns(simulated);
  const auto share = [&](std::uint64_t bytes) { return capacity > 0 ? static_cast<double>(bytes) / capacity : 0.0; };
  return Json{{"bytes_read", bytes.read},
              {"bytes_written", bytes.written},
              {"bytes_enabled", bytes.enabled},
              {"peak_bytes_per_ns", rounded(mem.peak_bytes_per_ns())},
              {"read_utilisation", share(bytes.read)},
              {"write_utilisation", share(bytes.written)}};
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

Json checker(Wiring& wiring, const CommandChecker& commands) {
  std::uint64_t transactions = 0;
  for (const auto& c : wiring.checkers()) transactions += c->transactions();
  return Json{{"arrows", wiring.checkers().size()},
              {"transactions", transactions},
              {"dram_commands", commands.commands()},
              {"violations", wiring.log().total() + commands.violation_count()}};
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

Json make_summary(const Experiment& experiment, const Simulation& s, const Verdict& verdict, const RunRecord& record) {
  UnitTotals totals;
  for (const Unit* u : s.gpu.units()) totals.add(*u);
  Json j;
  j["version"] = record.version;
  j["experiment"] = experiment.name;
  j["configuration"] = s.gpu.config().name;
  j["configuration_file"] = record.configuration;
  j["overrides"] = record.overrides;
  j["timing"] = s.gpu.config().timing;
  j["seed"] = experiment.seed;
  j["complete"] = verdict.end == RunEnd::complete;
  j["end"] = name_of(verdict.end);
  j["simulated_ns"] = rounded(to_ns(now()));
  j["wall_s"] = rounded(record.wall_seconds);
  j["line_transactions"] = s.line_requests();
  j["phases"] = phases(s);
  j["scoreboard"] = Json{{"bytes_checked", verdict.bytes_checked},
                         {"on_the_road", verdict.bytes_on_the_road},
                         {"by_programs", verdict.bytes_by_programs},
                         {"in_memory_at_the_end", verdict.bytes_in_memory},
                         {"mismatches", verdict.mismatches}};
  j["latency_ns"] = latencies(totals);
  j["legs_ns"] = legs(totals);
  j["l1"] = Json{{"loads", totals.count("l1", "loads")}, {"load_hits", totals.count("l1", "load_hits")}};
  j["tlb"] = Json{{"lookups", totals.count("mmu", "translations")}, {"misses", totals.count("mmu", "tlb_misses")}};
  j["l2"] = l2(s.gpu.mem);
  j["dram"] = dram(s.gpu.mem, now());
  j["sm"] = Json{{"throttled_peak", s.dispatcher.throttled_peak()}, {"stall_ns_by_cause", stalls(s.gpu)}};
  if (s.gpu.mem.wiring.checking()) j["checker"] = checker(const_cast<Wiring&>(s.gpu.mem.wiring), *s.gpu.mem.commands);
  j["problems"] = verdict.problems;
  j["memory_peak_mib"] = rounded(memory_peak_mib());
  return j;
}

std::string text_of(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json make_statistics(const Gpu& gpu) {
  StatisticsTree tree;
  UnitTotals totals;
  for (const Unit* u : gpu.units()) {
    tree.add(*u);
    totals.add(*u);
  }
  Json document = tree.document();
  document["total"] = totals.document();
  return document;
}

}  // namespace gputlm
