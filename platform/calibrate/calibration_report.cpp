// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/calibration_report.h"

#include "gputlm/version.h"

namespace gputlm {

namespace {

const char* name_of(FitEnd end) {
  switch (end) {
    case FitEnd::exact:
      return "exact";
    case FitEnd::converged:
      return "converged";
    case FitEnd::spent:
      return "budget spent";
  }
  return "";
}

double cost_of_values(const TargetsFile& targets, const std::vector<double>& values) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < values.size(); ++i) errors.push_back(targets.targets[i].error_of(values[i]));
  return cost_of(errors);
}

Json targets_json(const TargetsFile& targets, const Calibration& result) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < targets.targets.size(); ++i) {
    const Target& t = targets.targets[i];
    rows.push_back({{"probe", t.probe},
                    {"case", t.case_name},
                    {"unit", result.units[i]},
                    {"target", t.wanted.value},
                    {"tolerance", t.wanted.tolerance},
                    {"source", t.wanted.source},
                    {"before", result.before[i]},
                    {"after", result.after[i]},
                    {"error_before", t.error_of(result.before[i])},
                    {"error_after", t.error_of(result.after[i])},
                    {"met", t.wanted.met_by(result.after[i])}});
  }
  return rows;
}

Json parameters_json(const TargetsFile& targets, const Calibration& result) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < targets.parameters.size(); ++i) {
    const FittedParameter& p = targets.parameters[i];
    Json row{{"path", p.path()},
             {"before", result.settings_before[i]},
             {"after", result.settings_after[i]},
             {"allowed", p.allowed()}};
    if (result.sensitivities && !p.is_list()) {
      const auto& known = result.sensitivities->known_to[i];
      row["strength"] = result.sensitivities->strength[i];
      row["known_to"] = known ? Json(p.distance_text(*known)) : Json();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json combination_json(const TargetsFile& targets, const FreeCombination& combination) {
  Json changes = Json::array();
  for (const FreeCombination::Change& c : combination.changes) {
    const FittedParameter& p = targets.parameters[c.parameter];
    changes.push_back({{"path", p.path()},
                       {"change", (c.share < 0 ? "-" : "+") + p.distance_text(c.share)},
                       {"share_of_bounds", c.share}});
  }
  return changes;
}

Json sensitivities_json(const TargetsFile& targets, const Calibration& result) {
  if (!result.sensitivities) return {};
  const Sensitivities& s = *result.sensitivities;
  Json silent = Json::array(), alike = Json::array(), free = Json::array(), alternatives = Json::array();
  for (const std::size_t i : s.silent)
    if (!targets.parameters[i].is_list()) silent.push_back(targets.parameters[i].path());
  for (const AlikePair& pair : s.alike)
    alike.push_back({{"first", targets.parameters[pair.first].path()},
                     {"second", targets.parameters[pair.second].path()},
                     {"correlation", pair.correlation}});
  for (const FreeCombination& c : s.free) free.push_back(combination_json(targets, c));
  for (const Alternative& a : result.alternatives)
    alternatives.push_back({{"path", targets.parameters[a.parameter].path()}, {"value", a.value}});
  return {{"singular_values", s.singular_values},
          {"undetermined", silent},
          {"alike", alike},
          {"free_combinations", free},
          {"alternatives", alternatives}};
}

}  // namespace

Json report_json(const TargetsFile& targets, const std::string& config, const Calibration& result) {
  return {{"calibration", targets.name},
          {"configuration", config},
          {"targets_file", targets.file},
          {"version", GPUTLM_VERSION_STRING},
          {"end", name_of(result.end)},
          {"evaluations", result.evaluations},
          {"budget", result.budget},
          {"met", result.met(targets)},
          {"cost_before", cost_of_values(targets, result.before)},
          {"cost_after", cost_of_values(targets, result.after)},
          {"targets", targets_json(targets, result)},
          {"parameters", parameters_json(targets, result)},
          {"sensitivities", sensitivities_json(targets, result)}};
}

}  // namespace gputlm
