// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/calibration.h"

#include <sstream>

#include <fmt/format.h>

#include "gputlm/calibrate/jacobian.h"
#include "gputlm/calibrate/stairs.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/config/show.h"
#include "gputlm/version.h"

namespace gputlm {

namespace {

std::vector<double> errors_of(const TargetsFile& targets, const std::vector<double>& values) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < values.size(); ++i) errors.push_back(targets.targets[i].error_of(values[i]));
  return errors;
}

class Calibrator : private Objective {
 public:
  Calibrator(const TargetsFile& targets, const Config& start, const EvaluationOptions& options, Journal& journal)
      : targets_(for_card(targets, start)), start_(start), journal_(journal), evaluator_(targets_, options, journal) {
    for (const FittedParameter& p : targets.parameters) axes_.push_back(p.axis());
  }

  Calibration run(std::size_t budget) {
    Calibration result;
    result.budget = budget;
    evaluator_.allow(budget);
    Point begin;
    for (const FittedParameter& p : targets_.parameters) {
      result.settings_before.push_back(p.value_text(start_));
      begin.push_back(p.share_of(start_));
    }
    for (const Settings& settings : {result.settings_before, settings_of(begin)}) evaluator_.check(settings);
    const Evaluation as_it_is = measured(result.settings_before, "the configuration as it is");
    result.before = as_it_is.values;
    result.units = as_it_is.units;
    const Evaluation within =
        measured(settings_of(begin), "the configuration, its values brought within their bounds,");
    journal_.begin();  // the input has proven right
    const std::vector<double> errors = errors_of(targets_, within.values);
    const std::size_t reserve = evaluations_for_sensitivities();
    evaluator_.allow(budget > 2 * reserve + kLeastBudget ? budget - reserve : budget);
    const FitResult found = fit(axes_, begin, errors, *this);
    evaluator_.allow(budget);
    result.end = found.end;
    result.settings_after = settings_of(found.point);
    result.after = evaluator_.evaluate({result.settings_after}).front()->values;
    find_sensitivities(found, result);
    result.evaluations = evaluator_.counted();
    return result;
  }

  const std::vector<Settings>& order() const { return evaluator_.order(); }

 private:
  std::vector<Outcome> at(const std::vector<Point>& points) override {
    std::vector<Settings> settings;
    for (const Point& p : points) settings.push_back(settings_of(p));
    std::vector<Outcome> outcomes;
    for (const std::optional<Evaluation>& e : evaluator_.evaluate(settings)) {
      if (!e)
        outcomes.push_back({Outcome::Kind::unpaid, {}});
      else if (e->values.empty())
        outcomes.push_back({Outcome::Kind::refused, {}});
      else
        outcomes.push_back({Outcome::Kind::measured, errors_of(targets_, e->values)});
    }
    return outcomes;
  }

  Settings settings_of(const Point& point) const {
    Settings settings;
    for (std::size_t i = 0; i < point.size(); ++i) settings.push_back(targets_.parameters[i].text(point[i]));
    return settings;
  }

  Evaluation measured(const Settings& settings, const std::string& what) {
    Evaluation e = *evaluator_.evaluate({settings}).front();
    if (!e.values.empty()) return e;
    if (!e.refused) throw NoStart(what + " gives no measurement: " + e.failure);
    Diagnostics diagnostics;
    diagnostics.add({targets_.file}, {}, what + " is refused: " + e.failure);
    throw ConfigError(diagnostics);
  }

  std::size_t evaluations_for_sensitivities() const {
    constexpr std::size_t kLooks = 3;  // at a number: for its slope, and for stairs, which take two or so
    std::size_t count = 0;
    for (const FittedParameter& p : targets_.parameters) count += p.is_list() ? p.list_size() - 1 : kLooks;
    return count;
  }

  void find_sensitivities(const FitResult& found, Calibration& result) {
    constexpr double kReach = 1.0 / 16;  // further than the fit looks: what quantities in steps add is small over that
    const Jacobian slope = jacobian(axes_, found.point, found.errors, kReach, *this);
    if (!slope.complete) return;
    for (std::size_t i = 0; i < axes_.size(); ++i)
      if (targets_.parameters[i].is_list() && !find_alternatives(i, found, result)) return;
    Sensitivities sensitivities = analyse(slope.columns);
    if (widen_to_stairs(axes_, found.point, found.errors, slope.columns, kReach, *this, sensitivities))
      result.sensitivities = std::move(sensitivities);
  }

  /// False when the budget is spent.
  bool find_alternatives(std::size_t parameter, const FitResult& found, Calibration& result) {
    std::vector<Point> points;
    const double quantum = axes_[parameter].quantum;
    for (std::size_t k = 0; k < targets_.parameters[parameter].list_size(); ++k) {
      Point p = found.point;
      p[parameter] = axes_[parameter].nearest(static_cast<double>(k) * quantum);
      if (p != found.point) points.push_back(std::move(p));
    }
    const std::vector<Outcome> outcomes = at(points);
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (outcomes[k].kind == Outcome::Kind::unpaid) return false;
      if (!outcomes[k].measured()) continue;
      std::vector<double> change = outcomes[k].errors;
      add_scaled(change, -1, found.errors);
      if (norm(change) < 1) result.alternatives.push_back({parameter, settings_of(points[k])[parameter]});
    }
    return true;
  }

  /// Its probes with the sizes that fit the card, below those that the file gives.
  static TargetsFile for_card(TargetsFile targets, const Config& card) {
    for (ProbeFile& probe : targets.probes) probe.take_parameters_of(card.name);
    return targets;
  }

  const TargetsFile targets_;
  const Config& start_;
  Journal& journal_;
  Evaluator evaluator_;
  std::vector<Axis> axes_;
};

/// FNV-1a, 64 bits.
std::string digest(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

std::string digest_of_file(const std::string& file) {
  return digest(read_input_file(file, YamlLimits{}.file_bytes));
}

}  // namespace

bool Calibration::met(const TargetsFile& targets) const {
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!targets.targets[i].wanted.met_by(after[i])) return false;
  return true;
}

Calibration calibrate(const TargetsFile& targets, const Config& start, const EvaluationOptions& options,
                      Journal& journal, std::size_t budget) {
  Calibrator calibrator(targets, start, options, journal);
  Calibration result = calibrator.run(budget);
  journal.put_in_order(calibrator.order());
  return result;
}

nlohmann::json journal_subject(const TargetsFile& targets, const Config& start) {
  std::ostringstream card;
  show_yaml(card, start);
  nlohmann::json probes = nlohmann::json::object();
  for (const ProbeFile& p : targets.probes) probes[p.name] = digest_of_file(p.file);
  return {{"journal", targets.name},
          {"program", GPUTLM_VERSION_STRING},
          {"targets", digest_of_file(targets.file)},
          {"configuration", digest(card.str())},
          {"probes", probes}};
}

}  // namespace gputlm
