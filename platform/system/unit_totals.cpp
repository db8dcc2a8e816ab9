// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/unit_totals.h"

#include <algorithm>

namespace gputlm {
namespace {

bool is_peak(std::string_view name) {
  constexpr std::string_view kEnd = "_peak";
  return name.size() >= kEnd.size() && name.substr(name.size() - kEnd.size()) == kEnd;
}

}  // namespace

std::string unit_kind(std::string_view name) {
  std::string last(name.substr(name.rfind('.') + 1));
  const std::size_t end = last.find_last_not_of("0123456789") + 1;
  if (end <= 1) return last;  // the number of a cache level belongs to its name
  return last.substr(0, last[end - 1] == '_' ? end - 1 : end);
}

/// Adds one unit's statistics to its kind's. Units of a kind report the same ones in the same order.
class UnitTotals::Sink final : public StatisticsSink {
 public:
  explicit Sink(Kind& kind) : kind_(kind) {}

  void count(std::string_view name, std::string_view unit, std::string_view description, std::uint64_t value) override {
    TotalStatistic& s = next(name, unit, description);
    s.whole = true;
    s.count = is_peak(name) ? std::max(s.count, value) : s.count + value;
  }
  void value(std::string_view name, std::string_view unit, std::string_view description, double value) override {
    next(name, unit, description).value += value;
  }
  void histogram(std::string_view name, std::string_view description, const Histogram& values) override {
    TotalStatistic& s = next(name, "ns", description);
    if (!s.values) s.values = std::make_unique<Histogram>();
    s.values->merge(values);
  }

 private:
  TotalStatistic& next(std::string_view name, std::string_view unit, std::string_view description) {
    const std::size_t at = at_++;
    if (at == kind_.size()) {
      kind_.emplace_back();
      kind_.back().name = name;
      kind_.back().unit = unit;
      kind_.back().description = description;
    }
    return kind_[at];
  }

  Kind& kind_;
  std::size_t at_ = 0;
};

void UnitTotals::add(const Unit& unit) {
  const std::string name = unit_kind(unit.name());
  auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const auto& k) { return k.first == name; });
  if (kind == kinds_.end()) kind = kinds_.emplace(kind, name, Kind{});
  Sink sink(kind->second);
  unit.report(sink);
}

const TotalStatistic* UnitTotals::find(std::string_view kind, std::string_view name) const {
  for (const auto& [known, statistics] : kinds_)
    for (const TotalStatistic& s : statistics)
      if (known == kind && s.name == name) return &s;
  return nullptr;
}

std::uint64_t UnitTotals::count(std::string_view kind, std::string_view name) const {
  const TotalStatistic* s = find(kind, name);
  return s == nullptr ? 0 : s->count;
}

const Histogram* UnitTotals::distribution(std::string_view kind, std::string_view name) const {
  const TotalStatistic* s = find(kind, name);
  return s == nullptr ? nullptr : s->values.get();
}

Json UnitTotals::document() const {
  Json all = Json::object();
  for (const auto& [kind, statistics] : kinds_) {
    Json& node = all[kind] = Json::object();
    for (const TotalStatistic& s : statistics) {
      const Json value = s.values ? json_of(*s.values) : s.whole ? Json(s.count) : Json(four_digits(s.value));
      node[s.name] = {{"value", value}, {"unit", s.unit}, {"description", s.description}};
    }
  }
  return all;
}

}  // namespace gputlm
