// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gputlm/sweep/statistic.h"

namespace gputlm {

namespace {

constexpr const char *kHigher = "higher", *kLower = "lower", *kNeither = "";

/// Ratios of measured figures, with as many digits as say something.
double rounded(double value) {
  constexpr int kDigits = 6;
  if (value == 0) return 0;
  const double scale = std::pow(10.0, kDigits - 1 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

/// A difference of times, to the 0.001 ns that they are given in.
double nanoseconds(double difference) {
  constexpr double kSteps = 1000;
  return std::round(difference * kSteps) / kSteps;
}

std::optional<double> number_at(const Json& map, const char* key) {
  const auto found = map.find(key);
  if (found == map.end() || !found->is_number()) return {};
  return found->get<double>();
}

/// Bytes moved in a stretch of time.
struct Traffic {
  std::optional<double> start, end;
  double stored = 0, loaded = 0, dram_written = 0, dram_read = 0;
  bool has_dram = false;

  void add(const Json& row) {
    const auto from = number_at(row, "start_ns"), to = number_at(row, "end_ns");
    if (!from || !to) return;
    start = std::min(start.value_or(*from), *from);
    end = std::max(end.value_or(*to), *to);
    stored += number_at(row, "bytes_stored").value_or(0);
    loaded += number_at(row, "bytes_loaded").value_or(0);
    has_dram = has_dram || row.contains("dram_bytes_read");
    dram_written += number_at(row, "dram_bytes_written").value_or(0);
    dram_read += number_at(row, "dram_bytes_read").value_or(0);
  }
};

class Headline {
 public:
  explicit Headline(const Json& summary) : j_(summary) {}

  std::vector<Statistic> totals() {
    if (const auto simulated = number_at(j_, "simulated_ns"))
      add("simulated", "ns", kLower, "Power-on until the last write has drained", *simulated);
    if (j_.contains("phases")) add_phases();
    if (j_.contains("kernel_ns")) add_launch();
    if (j_.contains("latency_ns")) add_latencies(j_["latency_ns"]);
    if (j_.contains("l2")) add_caches();
    return std::move(list_);
  }

  std::vector<Statistic> parts() {
    if (!j_.contains("phases")) return {};
    for (const Json& phase : j_["phases"]) {
      const std::string name = "phases." + phase["name"].get<std::string>() + ".";
      add_part(name, phase);
      if (phase["kernels"].size() < 2) continue;
      for (const Json& kernel : phase["kernels"]) add_part(name + kernel["name"].get<std::string>() + ".", kernel);
    }
    return std::move(list_);
  }

 private:
  void add(const std::string& name, const char* unit, const char* better, const std::string& description,
           double value) {
    list_.push_back({name, unit, better, description, value});
  }
  void share(const char* name, const char* better, const char* description, double part, double whole) {
    constexpr double kPercent = 100;
    if (whole > 0) add(name, "%", better, description, rounded(kPercent * part / whole));
  }

  void add_traffic(const std::string& prefix, const char* time, const Traffic& t) {
    if (!t.start) return;
    const double ns = nanoseconds(*t.end - *t.start);
    add(prefix + time, "ns", kLower, "First block handed out to last retirement", ns);
    const auto rate = [&](const char* name, const char* description, double bytes) {
      if (ns > 0) add(prefix + name, "GB/s", kHigher, description, rounded(bytes / ns));
    };
    rate("store_bandwidth", "What programs stored, over their time", t.stored);
    rate("load_bandwidth", "What programs loaded, over their time", t.loaded);
    if (!t.has_dram) return;
    rate("dram_write_bandwidth", "What was written to DRAM meanwhile", t.dram_written);
    rate("dram_read_bandwidth", "What was read from DRAM meanwhile", t.dram_read);
  }
  void add_phases() {
    Traffic all;
    for (const Json& phase : j_["phases"]) all.add(phase);
    add_traffic("", "program_time", all);
  }
  void add_part(const std::string& prefix, const Json& row) {
    Traffic one;
    one.add(row);
    add_traffic(prefix, "time", one);
  }

  void add_launch() {
    const double ns = *number_at(j_, "kernel_ns");
    add("kernel_time", "ns", kLower, "The kernel, first block to last", ns);
    if (const auto all = number_at(j_, "launch_to_done_ns"))
      add("launch_to_done", "ns", kLower, "Doorbell to what the program waits for", *all);
    for (const auto& [key, name, what] :
         {std::tuple{"dram_bytes_written", "dram_write_bandwidth", "What was written to DRAM meanwhile"},
          std::tuple{"dram_bytes_read", "dram_read_bandwidth", "What was read from DRAM meanwhile"}})
      if (const auto bytes = number_at(j_, key); bytes && ns > 0)
        add(name, "GB/s", kHigher, what, rounded(*bytes / ns));
    if (const auto active = number_at(j_, "warps_active_pct"))
      add("warps_active", "%", kHigher, "Resident warps, of those that an SM can hold", *active);
    for (const auto& [key, name] :
         {std::pair{"l1_hit_rate", "l1_load_hits"}, std::pair{"l2_load_hit_rate", "l2_load_hits"},
          std::pair{"l2_store_hit_rate", "l2_store_hits"}})
      if (const auto rate = number_at(j_, key)) share(name, kHigher, "Share of line requests", *rate, 1);
  }

  void add_latencies(const Json& all) {
    for (const char* name : {"load_latency", "store_latency", "atomic_latency", "fence_latency_cta",
                             "fence_latency_gpu", "fence_latency_sys"}) {
      if (!all.contains(name)) continue;
      const Json& one = all[name];
      add(name, "ns", kLower, "Mean, request to response as the LSUs see it", one["mean"].get<double>());
      add(std::string(name) + "_p99", "ns", kLower, "99 % of them are shorter", one["p99"].get<double>());
    }
  }

  void add_caches() {
    const Json& l2 = j_["l2"];
    if (j_.contains("l1")) {
      const Json& l1 = j_["l1"];
      share("l1_load_hits", kHigher, "Of L1's loads", l1["load_hits"].get<double>(), l1["loads"].get<double>());
    }
    share("l2_load_hits", kHigher, "Of L2's loads", l2["load_hits"].get<double>(), l2["loads"].get<double>());
    share("l2_store_hits", kHigher, "Of L2's stores", l2["store_hits"].get<double>(), l2["stores"].get<double>());
    if (j_.contains("tlb"))
      share("tlb_misses", kLower, "Of the TLBs' lookups", j_["tlb"]["misses"].get<double>(),
            j_["tlb"]["lookups"].get<double>());
    add("l2_write_backs", "lines", kNeither, "Handed to a memory controller", l2["write_backs"].get<double>());
    add("janitor_cleans", "lines", kNeither, "Of these, cleaned ahead of need", l2["janitor_cleans"].get<double>());
    add("l2_dirty_end", "B", kNeither, "Stored and in no controller at the end", l2["dirty_bytes_end"].get<double>());
  }

  const Json& j_;
  std::vector<Statistic> list_;
};

}  // namespace

std::vector<Statistic> headline_statistics(const Json& summary) {
  return Headline(summary).totals();
}

std::vector<Statistic> named_statistics(const Json& summary) {
  std::vector<Statistic> all = Headline(summary).totals(), parts = Headline(summary).parts();
  all.insert(all.end(), parts.begin(), parts.end());
  return all;
}

std::vector<std::string> statistic_names() {
  std::vector<std::string> names{
      "simulated",           "program_time",  "store_bandwidth", "load_bandwidth", "dram_write_bandwidth",
      "dram_read_bandwidth", "kernel_time",   "launch_to_done",  "warps_active",   "l1_load_hits",
      "l2_load_hits",        "l2_store_hits", "tlb_misses",      "l2_write_backs", "janitor_cleans",
      "l2_dirty_end"};
  for (const char* latency : {"load_latency", "store_latency", "atomic_latency", "fence_latency_cta",
                              "fence_latency_gpu", "fence_latency_sys"}) {
    names.emplace_back(latency);
    names.push_back(std::string(latency) + "_p99");
  }
  return names;
}

}  // namespace gputlm
