// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/sweep_parameter.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gputlm/config/data_dir.h"
#include "gputlm/config/document_overrides.h"
#include "gputlm/sweep/sweep_range.h"

namespace gputlm {

namespace {

constexpr const char* kCard = "config";

bool check_range_ends(const SweepParameter& parameter, const YamlNode& node, const std::string& file,
                      const SweepParameterContext& context, Diagnostics& diagnostics) {
  const bool from = check_sweep_value(parameter, *node.find("from"), file, context, diagnostics);
  const bool to = check_sweep_value(parameter, *node.find("to"), file, context, diagnostics);
  return from && to;
}

bool read_list(SweepParameter& parameter, const YamlNode& node, const std::string& file,
               const SweepParameterContext& context, Diagnostics& diagnostics) {
  const std::vector<YamlNode> lone{node};
  const std::vector<YamlNode>& items = node.kind == YamlNode::Kind::list ? node.items : lone;
  if (items.empty()) diagnostics.add({file, node.line, node.column}, parameter.path, "is an empty list");
  bool right = !items.empty();
  for (const YamlNode& item : items) right &= check_sweep_value(parameter, item, file, context, diagnostics);
  if (!right) return false;
  if (parameter.target == SweepTarget::document) {
    parameter.quantity = quantity_of(items.front());
    for (const YamlNode& item : items) parameter.quantity = common(parameter.quantity, quantity_of(item));
  }
  for (const YamlNode& item : items) parameter.values.push_back(value_of(parameter.quantity, item));
  return true;
}

}  // namespace

std::string column_name(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

std::string SweepParameter::column() const {
  return column_name(path, unit);
}

SweepValue SweepParameter::at(double share) const {
  if (!sampled) return values[static_cast<std::size_t>(share * static_cast<double>(values.size()))];
  // Each whole number is as likely as the others, the ends too: it stands for the stretch up to the next one.
  const bool whole = quantity == Quantity::whole;
  const double from = sampled->from, to = sampled->to + (whole ? 1 : 0);
  const double number = logarithmic ? from * std::pow(to / from, share) : from + share * (to - from);
  return value_of(quantity, whole ? std::min(std::floor(number), sampled->to) : number, sampled->at);
}

std::optional<SweepParameter> sweep_parameter(const std::string& path, const Place& place,
                                              const SweepParameterContext& context, Diagnostics& diagnostics) {
  const Schema& schema = Schema::instance();
  SweepParameter parameter;
  parameter.path = path;
  parameter.place = place;
  if (const std::size_t index = schema.find(path); index != Schema::npos) {
    const Parameter& known = schema.parameters()[index];
    parameter.quantity = quantity_of(known.kind);
    parameter.unit = known.unit.empty() ? unit_of(parameter.quantity) : known.unit;
    parameter.description = known.description;
    return parameter;
  }
  if (path == kCard) {
    parameter.target = SweepTarget::card;
    parameter.description = "The configuration.";
    return parameter;
  }
  const bool of_probe = path.rfind("probe.", 0) == 0;
  if (DocumentOverrides::concerns(path) && (context.probe || !of_probe)) {
    parameter.target = SweepTarget::document;
    parameter.description = of_probe ? "A parameter of the probe." : "A value of the experiment.";
    return parameter;
  }
  diagnostics.add(place, excerpt(path),
                  (schema.is_group(path) ? "is a group of parameters, not one of them" : "unknown parameter") +
                      did_you_mean(path, schema.paths()),
                  {},
                  std::string("what gputlm config show lists, config, experiment.PATH") +
                      (context.probe ? ", probe.parameters.NAME" : ""));
  return {};
}

bool check_sweep_value(const SweepParameter& parameter, const YamlNode& node, const std::string& file,
                       const SweepParameterContext& context, Diagnostics& diagnostics) {
  const Place place{file, node.line, node.column};
  if (parameter.target == SweepTarget::document) return true;
  if (parameter.target == SweepTarget::card) {
    Diagnostics unknown;
    find_yaml(node.text, kConfigFolder, context.folder, unknown);
    for (const Diagnostic& d : unknown.list()) diagnostics.add(place, parameter.path, d.message, d.found, d.allowed);
    return unknown.empty();
  }
  const Parameter& known = Schema::instance().parameters()[Schema::instance().find(parameter.path)];
  Value value;
  const YamlNode* wrong = nullptr;
  std::string problem;
  if (known.parse(node, value, wrong, problem)) return true;
  diagnostics.add({file, wrong->line, wrong->column}, parameter.path, problem, wrong->describe(), known.allowed());
  return false;
}

std::optional<SweepParameter> read_sweep_parameter(YamlReader& parameters, const std::string& path,
                                                   const std::string& file, const SweepParameterContext& context,
                                                   Diagnostics& diagnostics) {
  const YamlNode& node = *parameters.node(path);
  std::optional<SweepParameter> parameter = sweep_parameter(path, parameters.place_of(path), context, diagnostics);
  if (!parameter) return {};
  bool right = false;
  if (node.kind == YamlNode::Kind::map)
    right = read_sweep_range(parameters.map(path), node, context, *parameter) &&
            check_range_ends(*parameter, node, file, context, diagnostics);
  else
    right = read_list(*parameter, node, file, context, diagnostics);
  if (!right) return {};
  if (parameter->unit.empty()) parameter->unit = unit_of(parameter->quantity);
  return parameter;
}

}  // namespace gputlm
