// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/statistics_tree.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace gputlm {
namespace {

class JsonSink : public StatisticsSink {
 public:
  explicit JsonSink(Json& at) : at_(at) {}

  void count(std::string_view name, std::string_view unit, std::string_view description, std::uint64_t value) override {
    put(name, unit, description, value);
  }
  void value(std::string_view name, std::string_view unit, std::string_view description, double value) override {
    put(name, unit, description, four_digits(value));
  }
  void histogram(std::string_view name, std::string_view description, const Histogram& h) override {
    put(name, "ns", description, json_of(h));
  }

 private:
  template <class Value>
  void put(std::string_view name, std::string_view unit, std::string_view description, const Value& value) {
    at_[std::string(name)] =
        Json{{"value", value}, {"unit", std::string(unit)}, {"description", std::string(description)}};
  }
  Json& at_;
};

}  // namespace

double four_digits(double value) {
  constexpr double kWhole = 10000;
  return std::abs(value) >= kWhole ? std::round(value) : std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr);
}

Json json_of(const Histogram& h) {
  return Json{{"count", h.count()},
              {"mean", four_digits(h.mean_ns())},
              {"p50", four_digits(to_ns(h.quantile(0.5)))},
              {"p99", four_digits(to_ns(h.quantile(0.99)))},
              {"max", four_digits(to_ns(h.max()))}};
}

void StatisticsTree::add(const Unit& unit) {
  Json* node = &document_;
  const std::string name = unit.name();
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t dot = std::min(name.find('.', from), name.size());
    Json& child = (*node)[name.substr(from, dot - from)];
    if (child.is_null()) child = Json::object();
    node = &child;
    from = dot + 1;
  }
  JsonSink sink(*node);
  unit.report(sink);
}

}  // namespace gputlm
