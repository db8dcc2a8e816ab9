// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/results_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "gputlm/config/figure_text.h"
#include "gputlm/version.h"

namespace gputlm {

namespace {

constexpr int kFormat = 1;  // of sweep.json

std::string cell_text(const Json& cell) {
  if (cell.is_string()) return csv_text(cell.get<std::string>());
  return cell.is_number_float() ? fmt::format("{}", cell.get<double>()) : cell.dump();
}

/// The values of a list, each once, or the ends of a range.
Json values_of(const SweepParameter& p) {
  if (p.sampled)
    return Json{{"from", value_of(p.quantity, p.sampled->from, p.sampled->at).cell},
                {"to", value_of(p.quantity, p.sampled->to, p.sampled->at).cell}};
  Json values = Json::array();
  for (const SweepValue& v : p.values)
    if (std::find(values.begin(), values.end(), v.cell) == values.end()) values.push_back(v.cell);
  return values;
}

Json parameter_json(const SweepParameter& p) {
  return Json{{"path", p.path},
              {"column", p.column()},
              {"unit", p.unit},
              {"numeric", p.quantity != Quantity::text},
              {"scale", p.logarithmic ? "log" : "linear"},
              {"description", p.description},
              {"values", values_of(p)}};
}

Json statistic_json(const Statistic& s) {
  return Json{
      {"name", s.name}, {"column", s.column()}, {"unit", s.unit}, {"better", s.better}, {"description", s.description}};
}

}  // namespace

const char* PointRecord::state() const {
  if (!end) return "waiting";
  return end->done ? "done" : "failed";
}

const Statistic* PointRecord::find(const std::string& column) const {
  const auto found =
      std::find_if(statistics.begin(), statistics.end(), [&](const Statistic& s) { return s.column() == column; });
  return found == statistics.end() ? nullptr : &*found;
}

std::string point_folder(const SweepPlan& plan, unsigned number) {
  constexpr std::size_t kLeastDigits = 4;
  const std::size_t digits = std::max(kLeastDigits, std::to_string(plan.points.size()).size());
  return fmt::format("points/{:0{}}", number, digits);
}

ResultsTable::ResultsTable(const SweepPlan& plan, const std::vector<PointRecord>& records)
    : plan_(plan), records_(records) {
  for (const PointRecord& record : records)
    for (const Statistic& s : record.statistics)
      if (std::none_of(columns_.begin(), columns_.end(), [&](const Statistic& c) { return c.column() == s.column(); }))
        columns_.push_back(s);
}

std::string ResultsTable::csv() const {
  std::string text = "point,state";
  for (const SweepParameter& p : plan_.file.parameters) text += "," + csv_text(p.column());
  for (const Statistic& s : columns_) text += "," + csv_text(s.column());
  text += "\n";
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const PointRecord& record = records_[i];
    if (!record.end) continue;
    text += fmt::format("{},{}", plan_.points[i].number, record.state());
    for (const SweepValue& v : plan_.points[i].values) text += "," + cell_text(v.cell);
    for (const Statistic& s : columns_) {
      const Statistic* found = record.find(s.column());
      text += found == nullptr ? "," : fmt::format(",{}", found->value);
    }
    text += "\n";
  }
  return text;
}

Json ResultsTable::description() const {
  const SweepFile& file = plan_.file;
  Json j{{"format", kFormat},
         {"sweep", file.name},
         {"description", file.description},
         {"version", GPUTLM_VERSION_STRING},
         {"kind", file.probe ? "probe" : "experiment"},
         {"target", file.target},
         {"config", plan_.config},
         {"method", name_of(file.method)},
         {"seed", file.seed}};
  j["parameters"] = Json::array();
  for (const SweepParameter& p : file.parameters) j["parameters"].push_back(parameter_json(p));
  j["statistics"] = Json::array();
  for (const Statistic& s : columns_) j["statistics"].push_back(statistic_json(s));
  j["points"] = Json::array();
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const SweepPoint& point = plan_.points[i];
    Json parameters = Json::object(), statistics = Json::object();
    for (std::size_t p = 0; p < point.values.size(); ++p) parameters[file.parameters[p].path] = point.values[p].cell;
    for (const Statistic& s : records_[i].statistics) statistics[s.name] = s.value;
    j["points"].push_back(Json{{"point", point.number},
                               {"folder", point_folder(plan_, point.number)},
                               {"state", records_[i].state()},
                               {"parameters", std::move(parameters)},
                               {"statistics", std::move(statistics)},
                               {"problem", records_[i].end ? records_[i].end->problem : ""}});
  }
  return j;
}

std::vector<std::string> ResultsTable::missing() const {
  std::vector<std::string> names;
  for (const StatisticChoice& choice : plan_.file.statistics)
    if (std::none_of(columns_.begin(), columns_.end(), [&](const Statistic& s) { return s.name == choice.name; }))
      names.push_back(choice.name);
  return names;
}

}  // namespace gputlm
