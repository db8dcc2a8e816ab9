// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/measurement.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "gputlm/system/summary.h"

namespace gputlm {

namespace {

/// Appends each statistic of a unit to the row of its kind.
class Columns final : public StatisticsSink {
 public:
  explicit Columns(std::map<std::string, std::vector<double>>& rows) : rows_(rows) {}

  void count(std::string_view name, std::string_view, std::string_view, std::uint64_t value) override {
    add(name, "", static_cast<double>(value));
  }
  void value(std::string_view name, std::string_view, std::string_view, double value) override { add(name, "", value); }
  void histogram(std::string_view name, std::string_view, const Histogram& h) override {
    add(name, ".count", static_cast<double>(h.count()));
    add(name, ".mean", h.mean_ns());
    add(name, ".p50", to_ns(h.quantile(0.5)));
    add(name, ".max", to_ns(h.max()));
  }

 private:
  void add(std::string_view name, const char* suffix, double value) {
    rows_[std::string(name) + suffix].push_back(value);
  }

  std::map<std::string, std::vector<double>>& rows_;
};

/// gpu.mem.l2_17 is an l2, gpu.sm3.lsu an lsu; an l1 stays an l1.
std::string kind_of(const std::string& unit_name) {
  std::string last = unit_name.substr(unit_name.rfind('.') + 1);
  const std::size_t underscore = last.find('_');
  if (underscore != std::string::npos) return last.substr(0, underscore);
  if (last == "l1") return last;
  return last.substr(0, last.find_last_not_of("0123456789") + 1);
}

/// Adds up counters; what is no counter (a latency) is left out.
class Sums final : public StatisticsSink {
 public:
  explicit Sums(std::map<std::string, double>& sums) : sums_(sums) {}

  void count(std::string_view name, std::string_view, std::string_view, std::uint64_t value) override {
    sums_[std::string(name)] += static_cast<double>(value);
  }
  void value(std::string_view name, std::string_view, std::string_view, double value) override {
    sums_[std::string(name)] += value;
  }
  void histogram(std::string_view, std::string_view, const Histogram&) override {}

 private:
  std::map<std::string, double>& sums_;
};

CounterSums sums_now(const Simulation& simulation) {
  CounterSums sums;
  for (const Unit* unit : simulation.gpu.units()) {
    Sums sink(sums[kind_of(unit->name())]);
    unit->report(sink);
  }
  return sums;
}

Json access_json(const AccessTimes& a) {
  return Json::array({a.kernel, a.cta, a.sm, a.warp, a.instruction, static_cast<unsigned>(a.operation), a.address,
                      a.issued, a.answered, a.loaded});
}

AccessTimes access_from(const Json& j) {
  return {j[0], j[1], j[2], j[3], j[4], static_cast<Operation>(j[5].get<unsigned>()), j[6], j[7], j[8], j[9]};
}

}  // namespace

PhaseCounters::PhaseCounters(Simulation& simulation) {
  simulation.dispatcher.on_phase_end = [this, &simulation](std::size_t) { at_end_.push_back(sums_now(simulation)); };
}

std::vector<CounterSums> PhaseCounters::by_phase() const {
  std::vector<CounterSums> differences = at_end_;
  for (std::size_t i = 1; i < at_end_.size(); ++i)
    for (auto& [kind, sums] : differences[i])
      for (auto& [name, value] : sums) value -= at_end_[i - 1].at(kind).at(name);
  return differences;
}

const PhaseResult& Measurement::phase(const std::string& name) const {
  const auto at = std::find_if(phases.begin(), phases.end(), [&](const PhaseResult& p) { return p.name == name; });
  if (at == phases.end()) throw std::out_of_range("no phase is called " + name);
  return *at;
}

std::vector<AccessTimes> Measurement::of_kernel(std::uint32_t kernel) const {
  std::vector<AccessTimes> own;
  std::copy_if(accesses.begin(), accesses.end(), std::back_inserter(own),
               [&](const AccessTimes& a) { return a.kernel == kernel; });
  return own;
}

const std::vector<double>& Measurement::each(const std::string& kind, const std::string& statistic) const {
  return statistics.at(kind).at(statistic);
}

double Measurement::sum(const std::string& kind, const std::string& statistic) const {
  const auto& all = each(kind, statistic);
  return std::accumulate(all.begin(), all.end(), 0.0);
}

double Measurement::max(const std::string& kind, const std::string& statistic) const {
  const auto& all = each(kind, statistic);
  return *std::max_element(all.begin(), all.end());
}

Json Measurement::to_json() const {
  Json j{{"summary", summary},
         {"statistics", statistics},
         {"phases", Json::array()},
         {"accesses", Json::array()},
         {"series", Json::array()}};
  for (const PhaseResult& p : phases)
    j["phases"].push_back(Json::array({p.name, p.start_ns, p.end_ns, p.bytes_stored, p.bytes_loaded, p.counters}));
  for (const AccessTimes& a : accesses) j["accesses"].push_back(access_json(a));
  for (const SeriesRow& r : series)
    j["series"].push_back(Json::array({r.time_ns, r.bytes_stored, r.l2_dirty_bytes, r.dram_bytes_read,
                                       r.dram_bytes_written, r.sms_throttled, r.write_backlog}));
  return j;
}

Measurement Measurement::from_json(const Json& j) {
  Measurement m;
  m.summary = j.at("summary");
  m.statistics = j.at("statistics").get<decltype(m.statistics)>();
  for (const Json& p : j.at("phases")) m.phases.push_back({p[0], p[1], p[2], p[3], p[4], p[5].get<CounterSums>()});
  for (const Json& a : j.at("accesses")) m.accesses.push_back(access_from(a));
  for (const Json& r : j.at("series"))
    m.series.push_back({r[0], r[1], r[2], r[3], r[4], r[5], r[6].get<std::vector<unsigned>>()});
  return m;
}

Measurement measure(const Experiment& experiment, const Simulation& simulation, const Verdict& verdict,
                    const PhaseCounters& counters, const Recorder* recorder) {
  Measurement m;
  m.summary = make_summary(experiment, simulation, verdict, {});
  const auto& phases = simulation.workload.phases();
  const std::vector<CounterSums> counted = counters.by_phase();
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const PhaseTimes t = simulation.dispatcher.times().at(i);
    m.phases.push_back({phases[i].name, to_ns(t.start), to_ns(t.end), static_cast<double>(phases[i].bytes_stored()),
                        static_cast<double>(phases[i].bytes_loaded()), counted.at(i)});
  }
  if (recorder != nullptr) m.accesses = recorder->accesses();
  for (const Sample& s : simulation.series.samples())
    m.series.push_back({to_ns(s.time), static_cast<double>(s.bytes_stored), static_cast<double>(s.l2_dirty_bytes),
                        static_cast<double>(s.dram_bytes_read), static_cast<double>(s.dram_bytes_written),
                        s.sms_throttled, s.write_backlog});
  for (const Unit* unit : simulation.gpu.units()) {
    Columns columns(m.statistics[kind_of(unit->name())]);
    unit->report(columns);
  }
  return m;
}

}  // namespace gputlm
