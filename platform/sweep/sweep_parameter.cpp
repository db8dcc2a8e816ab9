// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/sweep_parameter.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gputlm/config/data_dir.h"
#include "gputlm/config/document_overrides.h"

namespace gputlm {

namespace {

constexpr const char* kCard = "config";
constexpr double kMostSteps = 100000;

/// Reads `{from, to, step | count, scale}`.
class RangeReader {
 public:
  RangeReader(YamlReader reader, SweepParameter& parameter, const YamlNode& node)
      : reader_(std::move(reader)), parameter_(parameter), node_(node) {}

  bool read(const SweepParameterContext& context, bool known) {
    if (!known) parameter_.quantity = quantity_of_ends();
    std::string scale = "linear";
    const bool scaled = reader_.choice("scale", scale, {"linear", "log"}, kOptional) || !reader_.has("scale");
    parameter_.logarithmic = scale == "log";
    const bool ends = read_end("from", range_.from) & read_end("to", range_.to);
    for (const char* key : {"step", "count"}) reader_.node(key, kOptional);  // named to who misspells them
    const bool stepped = reader_.has("step") || reader_.has("count");
    double step = 1;
    std::uint64_t count = 0;
    const bool step_read = !reader_.has("step") || read_end("step", step);
    const bool count_read =
        !reader_.has("count") || reader_.count("count", count, {2, static_cast<std::uint64_t>(kMostSteps)});
    reader_.finish();
    if (!scaled || !ends || !step_read || !count_read || !check(context, stepped, step)) return false;
    range_.at = node_;
    if (!stepped && context.sampled)
      parameter_.sampled = range_;
    else if (count > 0)
      fill_by_count(count);
    else
      fill_by_step(step);
    return true;
  }

 private:
  Quantity quantity_of_ends() {
    const YamlNode *from = reader_.node("from"), *to = reader_.node("to");
    return from == nullptr || to == nullptr ? Quantity::real : common(quantity_of(*from), quantity_of(*to));
  }

  bool read_end(const char* key, double& out) {
    std::string text;
    if (!reader_.text(key, text)) return false;
    const std::optional<double> number = number_of(parameter_.quantity, text);
    if (!number) reader_.error(key, "no number of the parameter's kind", text, kinds());
    out = number.value_or(0);
    return number.has_value();
  }

  std::string kinds() const {
    switch (parameter_.quantity) {
      case Quantity::whole:
        return "a whole number";
      case Quantity::real:
        return "a number";
      case Quantity::bytes:
        return fmt::format("a number in {}", kByteUnits);
      case Quantity::time:
        return fmt::format("a number in {}", kTimeUnits);
      case Quantity::frequency:
        return fmt::format("a number in {}", kFrequencyUnits);
      case Quantity::text:
        break;
    }
    return "a list of values: they are no numbers";
  }

  bool check(const SweepParameterContext& context, bool stepped, double step) {
    if (range_.from > range_.to) {
      reader_.error("to", "ends before it begins");
    } else if (reader_.has("step") && reader_.has("count")) {
      reader_.error("count", "a range has a step or a count, not both");
    } else if (reader_.has("step") && (!(step > 0) || (range_.to - range_.from) / step > kMostSteps)) {
      reader_.error("step", fmt::format("must be above 0 and give no more than {:.0f} values", kMostSteps));
    } else if (parameter_.logarithmic && !(range_.from > 0)) {
      reader_.error("from", "must be above 0 on a logarithmic scale");
    } else if (parameter_.logarithmic && reader_.has("step")) {
      reader_.error("step", "a logarithmic scale has a count");
    } else if (!stepped && !context.sampled && parameter_.quantity != Quantity::whole) {
      reader_.error("", "a range needs a step or a count", {}, "{from, to, step} or {from, to, count}");
    } else if (!stepped && !context.sampled && range_.to - range_.from > kMostSteps) {
      reader_.error("", fmt::format("gives more than {:.0f} values", kMostSteps));
    } else {
      return true;
    }
    return false;
  }

  void add(double number) {
    SweepValue value = value_of(parameter_.quantity, number, node_);
    // Close whole numbers may round to the same one.
    if (parameter_.values.empty() || parameter_.values.back().text != value.text)
      parameter_.values.push_back(std::move(value));
  }
  void fill_by_count(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(count - 1);
      add(parameter_.logarithmic ? range_.from * std::pow(range_.to / range_.from, share)
                                 : range_.from + share * (range_.to - range_.from));
    }
  }
  // Multiples of the step instead of sums: rounding must not add up.
  void fill_by_step(double step) {
    constexpr double kSlack = 1e-9;
    const auto steps = static_cast<std::uint64_t>((range_.to - range_.from) / step + kSlack);
    for (std::uint64_t i = 0; i <= steps; ++i) add(range_.from + static_cast<double>(i) * step);
  }

  YamlReader reader_;
  SweepParameter& parameter_;
  const YamlNode& node_;
  SweepRange range_;
};

bool check_range_ends(const SweepParameter& parameter, const YamlNode& node, const std::string& file,
                      const SweepParameterContext& context, Diagnostics& diagnostics) {
  return check_sweep_value(parameter, *node.find("from"), file, context, diagnostics) &
         check_sweep_value(parameter, *node.find("to"), file, context, diagnostics);
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
    right =
        RangeReader(parameters.map(path), *parameter, node).read(context, parameter->target == SweepTarget::value) &&
        check_range_ends(*parameter, node, file, context, diagnostics);
  else
    right = read_list(*parameter, node, file, context, diagnostics);
  if (!right) return {};
  if (parameter->unit.empty()) parameter->unit = unit_of(parameter->quantity);
  return parameter;
}

}  // namespace gputlm
