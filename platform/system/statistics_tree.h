// SPDX-License-Identifier: Apache-2.0
//
// The statistics of the whole hierarchy as one JSON document: every leaf with its unit, description and value.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "gputlm/tlm/unit.h"

namespace gputlm {

using Json = nlohmann::ordered_json;

/// As much of a measured or summed time as means something: four significant digits, and whole nanoseconds.
double four_digits(double value);

/// {"count": .., "mean": .., "p50": .., "p99": .., "max": ..} in ns; percentiles are estimates (Histogram::quantile).
Json json_of(const Histogram& h);

/// Places a unit's statistics at its dotted hierarchical name.
class StatisticsTree {
 public:
  /// Adds all statistics of a unit under its name ("gpu.sm3.lsu").
  void add(const Unit& unit);
  /// {"gpu": {"sm3": {"lsu": {"stores": {"value": .., "unit": .., "description": ..}, ...}}}}
  const Json& document() const { return document_; }

 private:
  Json document_ = Json::object();
};

/// Sum of statistics over units: reads report() of each and adds up what is called one of `names`.
class StatisticSum : public StatisticsSink {
 public:
  explicit StatisticSum(std::vector<std::string_view> names) : names_(std::move(names)) {}
  StatisticSum& over(const Unit& unit) {
    unit.report(*this);
    return *this;
  }
  double total() const { return total_; }

  void count(std::string_view name, std::string_view, std::string_view, std::uint64_t value) override {
    if (wanted(name)) total_ += static_cast<double>(value);
  }
  void value(std::string_view name, std::string_view, std::string_view, double value) override {
    if (wanted(name)) total_ += value;
  }
  void histogram(std::string_view, std::string_view, const Histogram&) override {}

 private:
  bool wanted(std::string_view name) const { return std::find(names_.begin(), names_.end(), name) != names_.end(); }

  std::vector<std::string_view> names_;
  double total_ = 0;
};

}  // namespace gputlm
