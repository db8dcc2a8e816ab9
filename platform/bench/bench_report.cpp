// SPDX-License-Identifier: Apache-2.0
#include "gputlm/bench/bench_report.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "gputlm/version.h"

namespace gputlm {
namespace {

double rounded(double value) {
  return std::round(value * 10000) / 10000;
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (const std::size_t colon = line.find(": "); line.rfind("model name", 0) == 0 && colon != std::string::npos)
      return line.substr(colon + 2);
  return "unknown";
}

const BenchJson* find_case(const BenchJson& report, const std::string& name) {
  for (const BenchJson& c : report.at("cases"))
    if (c.at("name") == name) return &c;
  return nullptr;
}

}  // namespace

BenchJson to_json(const BenchResult& r) {
  return {{"name", r.name},
          {"lines", r.lines},
          {"ns_per_line", rounded(r.ns_per_line)},
          {"raw_events_per_line", rounded(r.raw_events_per_line)},
          {"events_per_line", rounded(r.events_per_line)},
          {"allocations_per_line", rounded(r.allocations_per_line)},
          {"memory_peak_mib", rounded(r.memory_peak_mib)},
          {"elaboration_ms", rounded(r.elaboration_ms)},
          {"raw_event_ns", rounded(r.raw_event_ns)}};
}

BenchResult bench_result_from(const BenchJson& json) {
  BenchResult r;
  r.name = json.at("name").get<std::string>();
  r.lines = json.at("lines").get<std::uint64_t>();
  r.ns_per_line = json.at("ns_per_line").get<double>();
  r.raw_events_per_line = json.at("raw_events_per_line").get<double>();
  r.events_per_line = json.at("events_per_line").get<double>();
  r.allocations_per_line = json.at("allocations_per_line").get<double>();
  r.memory_peak_mib = json.at("memory_peak_mib").get<double>();
  r.elaboration_ms = json.at("elaboration_ms").get<double>();
  r.raw_event_ns = json.at("raw_event_ns").get<double>();
  return r;
}

BenchJson bench_report(const std::vector<BenchResult>& cases) {
  std::vector<double> raw;
  BenchJson list = BenchJson::array();
  for (const BenchResult& r : cases) {
    raw.push_back(r.raw_event_ns);
    list.push_back(to_json(r));
  }
  std::sort(raw.begin(), raw.end());
  return {{"raw_event_ns", raw.empty() ? 0 : rounded(raw[raw.size() / 2])},
          {"machine", {{"processor", processor()}, {"threads", std::thread::hardware_concurrency()}}},
          {"build", {{"compiler", GPUTLM_BUILD}, {"version", GPUTLM_VERSION_STRING}}},
          {"cases", std::move(list)}};
}

void print_bench_table(std::ostream& out, const BenchJson& report) {
  fmt::print(out, "{}, {}; a raw SystemC event takes {:.1f} ns\n\n",
             report.at("machine").at("processor").get<std::string>(),
             report.at("build").at("compiler").get<std::string>(), report.at("raw_event_ns").get<double>());
  fmt::print(out, "  {:<16}{:>10}{:>10}{:>12}{:>10}{:>14}{:>10}{:>16}\n", "case", "lines", "ns/line", "raw events",
             "events", "allocations", "MiB", "elaboration ms");
  for (const BenchJson& c : report.at("cases")) {
    const BenchResult r = bench_result_from(c);
    fmt::print(out, "  {:<16}{:>10}{:>10.0f}{:>12.1f}{:>10.2f}{:>14.4f}{:>10.0f}{:>16.0f}\n", r.name, r.lines,
               r.ns_per_line, r.raw_events_per_line, r.events_per_line, r.allocations_per_line, r.memory_peak_mib,
               r.elaboration_ms);
  }
}

void print_bench_comparison(std::ostream& out, const BenchJson& before, const BenchJson& after) {
  fmt::print(out, "  {:<16}{:>24}{:>8}{:>24}{:>20}{:>18}\n", "case", "raw events/line", "ratio", "ns/line",
             "events/line", "MiB");
  for (const BenchJson& c : before.at("cases")) {
    const BenchResult a = bench_result_from(c);
    const BenchJson* other = find_case(after, a.name);
    if (other == nullptr) continue;
    const BenchResult b = bench_result_from(*other);
    fmt::print(out, "  {:<16}{:>24}{:>8.2f}{:>24}{:>20}{:>18}\n", a.name,
               fmt::format("{:.1f} -> {:.1f}", a.raw_events_per_line, b.raw_events_per_line),
               b.raw_events_per_line / a.raw_events_per_line,
               fmt::format("{:.0f} -> {:.0f}", a.ns_per_line, b.ns_per_line),
               fmt::format("{:.2f} -> {:.2f}", a.events_per_line, b.events_per_line),
               fmt::format("{:.0f} -> {:.0f}", a.memory_peak_mib, b.memory_peak_mib));
  }
}

}  // namespace gputlm
