// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/sweep_range.h"

#include <cmath>

#include <fmt/format.h>

namespace gputlm {

namespace {

constexpr double kMostSteps = 100000;

/// Reads `{from, to, step | count, scale}`.
class RangeReader {
 public:
  RangeReader(YamlReader reader, SweepParameter& parameter, const YamlNode& node)
      : reader_(std::move(reader)), parameter_(parameter), node_(node) {}

  bool read(const SweepParameterContext& context) {
    if (parameter_.target != SweepTarget::value) parameter_.quantity = quantity_of_ends();
    std::string scale = "linear";
    const bool scaled = reader_.choice("scale", scale, {"linear", "log"}, kOptional) || !reader_.has("scale");
    parameter_.logarithmic = scale == "log";
    const bool from = read_end("from", range_.from), to = read_end("to", range_.to);  // both are said to be wrong
    for (const char* key : {"step", "count"}) reader_.node(key, kOptional);           // named to who misspells them
    const bool stepped = reader_.has("step") || reader_.has("count");
    double step = 1;
    std::uint64_t count = 0;
    const bool step_read = !reader_.has("step") || read_end("step", step);
    const bool count_read =
        !reader_.has("count") || reader_.count("count", count, {2, static_cast<std::uint64_t>(kMostSteps)});
    reader_.finish();
    if (!scaled || !from || !to || !step_read || !count_read || !check(context, stepped, step)) return false;
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

}  // namespace

bool read_sweep_range(YamlReader reader, const YamlNode& node, const SweepParameterContext& context,
                      SweepParameter& parameter) {
  return RangeReader(std::move(reader), parameter, node).read(context);
}

}  // namespace gputlm
