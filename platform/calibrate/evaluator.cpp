// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/evaluator.h"

#include <algorithm>

#include "gputlm/probe/probe_catalogue.h"
#include "gputlm/process/child_process.h"

namespace gputlm {

namespace {

// nlohmann's own objects, whose keys are sorted: what a child sends.
using Answer = nlohmann::json;

// Keys of an answer: the rows of all probes, or why there are none.
constexpr const char *kRows = "rows", *kFailed = "failed", *kRefused = "refused", *kStopped = "stopped";

const Answer* row_of(const Answer& rows, const Target& target) {
  for (const Answer& row : rows)
    if (row["probe"] == target.probe && row["case"] == target.case_name) return &row;
  return nullptr;
}

[[noreturn]] void refuse_target(const Target& target, const char* key, const std::string& why, const std::string& found,
                                const std::string& allowed) {
  Diagnostics diagnostics;
  diagnostics.add(target.wanted.place, key, why, found, allowed);
  throw ConfigError(diagnostics);
}

std::string cases_of(const Answer& rows, const std::string& probe) {
  std::vector<std::string> names;
  for (const Answer& row : rows)
    if (row["probe"] == probe) names.push_back(row["case"].get<std::string>());
  return join_names(names);
}

}  // namespace

Evaluator::Evaluator(const TargetsFile& targets, EvaluationOptions options, Journal& journal)
    : targets_(targets), options_(std::move(options)), journal_(journal) {}

std::vector<std::string> Evaluator::overrides_of(const Settings& settings) const {
  std::vector<std::string> all = options_.overrides;
  for (std::size_t i = 0; i < settings.size(); ++i) all.push_back(targets_.parameters[i].path() + "=" + settings[i]);
  return all;
}

std::string Evaluator::why_refused(const Settings& settings) const {
  try {
    Config::load(options_.config, overrides_of(settings));
    return {};
  } catch (const ConfigError& e) {
    return e.what();
  }
}

std::vector<std::optional<Evaluation>> Evaluator::evaluate(const std::vector<Settings>& settings) {
  std::vector<std::optional<Evaluation>> results(settings.size());
  std::vector<Settings> open;
  std::vector<bool> paid(settings.size(), false);
  for (std::size_t i = 0; i < settings.size(); ++i) {
    paid[i] = std::find(order_.begin(), order_.end(), settings[i]) != order_.end();
    if (paid[i]) continue;
    if (const std::string why = why_refused(settings[i]); !why.empty()) {
      results[i] = Evaluation{{}, {}, why, true};
      continue;
    }
    if (order_.size() >= allowed_) continue;
    paid[i] = true;
    order_.push_back(settings[i]);
    if (journal_.find(settings[i]) == nullptr) open.push_back(settings[i]);
  }
  run(open);
  for (std::size_t i = 0; i < settings.size(); ++i)
    if (paid[i]) results[i] = understood(*journal_.find(settings[i]));
  return results;
}

ProbeOptions Evaluator::probe_options(const Settings& settings) const {
  ProbeOptions options;
  options.config = options_.config;
  options.overrides = overrides_of(settings);
  options.keep_going = options_.keep_going;
  return options;
}

void Evaluator::check(const Settings& settings) const {
  ProbeOptions options = probe_options(settings);
  options.dry = true;
  Diagnostics diagnostics;
  for (const ProbeFile& file : targets_.probes) {
    try {
      gather(diagnostics, [&] {
        ProbeRun run(file, options);
        find_probe(file.name).run(run);
      });
    } catch (const ProbeError&) {  // as far as nothing runs; one that does not apply fails as an evaluation
    }
  }
  diagnostics.throw_if_any();
}

void Evaluator::run(const std::vector<Settings>& open) {
  std::size_t ended = counted() - open.size();
  options_.progress(ended);
  run_in_children(
      open.size(), options_.jobs, [&](std::size_t i) { return run_probes(open[i]); },
      [&](std::size_t i, const Answer& answer) {
        if (answer.contains(kStopped)) throw CalibrationStopped();
        journal_.add(open[i], answer);
        options_.progress(++ended);
      },
      options_.keep_going);
  if (ended != counted()) throw CalibrationStopped();
}

// In the child. The rows without references: whether those of the probe's file are met is not asked here.
nlohmann::json Evaluator::run_probes(const Settings& settings) const {
  const ProbeOptions options = probe_options(settings);
  Answer rows = Answer::array();
  try {
    for (const ProbeFile& file : targets_.probes) {
      ProbeRun run(file, options);
      find_probe(file.name).run(run);
      for (const ProbeRow& row : run.rows())
        rows.push_back({{"probe", row.probe},
                        {"case", row.case_name},
                        {"value", row.value ? Answer(*row.value) : Answer()},
                        {"unit", row.unit}});
    }
  } catch (const ProbeError& e) {
    if (!options_.keep_going()) return {{kStopped, true}};
    return {{kFailed, e.what()}};
  } catch (const ConfigError& e) {
    return {{kRefused, e.what()}};
  }
  return {{kRows, rows}};
}

Evaluation Evaluator::understood(const Answer& answer) const {
  if (answer.contains(kRefused)) return {{}, {}, answer[kRefused].get<std::string>(), true};
  if (answer.contains(kFailed)) return {{}, {}, answer[kFailed].get<std::string>(), false};
  Evaluation evaluation;
  for (const Target& target : targets_.targets) {
    const Answer* row = row_of(answer.at(kRows), target);
    if (row == nullptr)
      refuse_target(target, "case", "the probe has no such case", excerpt(target.case_name),
                    cases_of(answer[kRows], target.probe));
    const auto unit = row->at("unit").get<std::string>();
    if (!target.unit.empty() && unit != target.unit)
      refuse_target(target, "unit", "is not the unit of this case", excerpt(target.unit), unit);
    if (row->at("value").is_null()) return {{}, {}, target.name() + ": the runs did not show it", false};
    evaluation.values.push_back(row->at("value").get<double>());
    evaluation.units.push_back(unit);
  }
  return evaluation;
}

}  // namespace gputlm
