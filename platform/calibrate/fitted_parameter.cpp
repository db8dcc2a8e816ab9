// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/fitted_parameter.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gputlm {

namespace {

constexpr int kDigits = 5;  // of the distance between the bounds
constexpr std::size_t kMostValues = 64;

bool is_number(Kind kind) {
  return kind == Kind::count || kind == Kind::real || kind == Kind::bytes || kind == Kind::time ||
         kind == Kind::frequency;
}

bool is_whole(Kind kind) {
  return kind == Kind::count || kind == Kind::bytes;
}

double number_of(const Value& value) {
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*count);
  if (const auto* time = std::get_if<Fs>(&value)) return static_cast<double>(*time);
  return std::get<double>(value);
}

Value value_of(Kind kind, double number) {
  if (is_whole(kind)) return static_cast<std::uint64_t>(std::llround(number));
  if (kind == Kind::time) return static_cast<Fs>(std::llround(number));
  return number;
}

/// A number with a unit where the kind has one, in its base unit; bounds are the caller's business.
Parsed<double> parse_number(Kind kind, const std::string& text) {
  const auto plain = [](const auto& parsed) {
    return Parsed<double>{static_cast<double>(parsed.value), parsed.problem};
  };
  switch (kind) {
    case Kind::count:
      return plain(parse_count(text));
    case Kind::bytes:
      return plain(parse_bytes(text));
    case Kind::time:
      return plain(parse_time(text));
    case Kind::frequency:
      return parse_frequency(text);
    default:
      return parse_real(text);
  }
}

double rounded(double value, int decimals) {
  const double scale = std::pow(10.0, std::abs(decimals));
  return decimals >= 0 ? std::round(value * scale) / scale : std::round(value / scale) * scale;
}

}  // namespace

FittedParameter::FittedParameter(const Parameter& parameter, YamlReader& reader, Diagnostics& diagnostics)
    : parameter_(&parameter), place_(reader.place_of("")) {
  if (reader.has("values")) {
    for (const char* key : {"min", "max", "step"})
      if (reader.has(key)) reader.error(key, "does not go with values");
    read_values(reader, diagnostics);
  } else if (!is_number(parameter.kind)) {
    reader.error("", "is no single number: it needs values", {}, "values: [..], each " + parameter.allowed());
  } else {
    read_bounds(reader);
    if (is_whole(parameter.kind)) step_ = 1;
    if (reader.has("step")) read_step(reader);
    if (step_ > 0) most_ = least_ + step_ * std::floor((most_ - least_) / step_);
    constexpr int kMostDecimals = 290;
    if (most_ > least_)
      decimals_ = std::min(kMostDecimals, kDigits - static_cast<int>(std::floor(std::log10(most_ - least_))));
    if (parameter.kind == Kind::time) decimals_ = std::min(decimals_, 0);  // whole femtoseconds
  }
  for (const char* key : {"min", "max", "step", "values"}) reader.node(key, kOptional);
  reader.finish();
}

bool FittedParameter::read_value(YamlReader& reader, const char* key, Value& value) const {
  const YamlNode* node = reader.node(key);
  if (node == nullptr) return false;
  const YamlNode* wrong = nullptr;
  std::string problem;
  if (parameter_->parse(*node, value, wrong, problem)) return true;
  reader.error(key, problem, wrong->describe(), parameter_->allowed());
  return false;
}

void FittedParameter::read_bounds(YamlReader& reader) {
  Value least, most;
  const bool low = read_value(reader, "min", least), high = read_value(reader, "max", most);
  if (!low || !high) return;
  least_ = number_of(least);
  most_ = number_of(most);
  if (most_ <= least_)
    reader.error("max", "is not above min", parameter_->format(most), "above " + parameter_->format(least));
}

void FittedParameter::read_step(YamlReader& reader) {
  std::string text;
  if (!reader.text("step", text)) return;
  const Parsed<double> parsed = parse_number(parameter_->kind, text);
  if (!parsed)
    reader.error("step", parsed.problem, text);
  else if (parsed.value <= 0 || parsed.value > most_ - least_)
    reader.error("step", "must be above zero and at most the way from min to max", text);
  else
    step_ = parsed.value;
}

void FittedParameter::read_values(YamlReader& reader, Diagnostics& diagnostics) {
  const YamlNode* list = reader.node("values");
  if (list->kind != YamlNode::Kind::list || list->items.size() < 2 || list->items.size() > kMostValues)
    return reader.error("values", "must be a list of 2 to 64 values", list->describe());
  for (const YamlNode& item : list->items) {
    Value value;
    const YamlNode* wrong = nullptr;
    std::string problem;
    if (!parameter_->parse(item, value, wrong, problem))
      diagnostics.add({place_.file, wrong->line, wrong->column}, reader.path_of("values"), problem, wrong->describe(),
                      parameter_->allowed());
    else if (std::find(values_.begin(), values_.end(), value) != values_.end())
      diagnostics.add({place_.file, item.line, item.column}, reader.path_of("values"), "stands there twice",
                      item.describe());
    else
      values_.push_back(std::move(value));
  }
}

Axis FittedParameter::axis() const {
  if (is_list()) {
    const auto last = static_cast<double>(values_.size() - 1);
    return {false, 1 / last, [last](double share) { return std::round(share * last) / last; }};
  }
  const double way = most_ - least_;
  if (step_ > 0) {
    const double last = std::round(way / step_);
    return {true, 1 / last, [last](double share) { return std::round(share * last) / last; }};
  }
  return {true, 0, [least = least_, way, decimals = decimals_](double share) {
            return std::clamp((rounded(least + share * way, decimals) - least) / way, 0.0, 1.0);
          }};
}

Value FittedParameter::value_at(double share) const {
  if (is_list()) return values_[static_cast<std::size_t>(std::lround(share * static_cast<double>(values_.size() - 1)))];
  const double number = least_ + share * (most_ - least_);
  constexpr int kBelowStep = 4;  // digits that take sums of steps like 0.1 back to what one would write
  const double value = step_ > 0
                           ? rounded(least_ + step_ * std::round((number - least_) / step_), decimals_ + kBelowStep)
                           : rounded(number, decimals_);
  return value_of(parameter_->kind, std::clamp(value, least_, most_));
}

std::string FittedParameter::text(double share) const {
  return parameter_->format(value_at(share));
}

double FittedParameter::share_of(const Config& config) const {
  const Value value = parameter_->fields.front().get(config);
  if (is_list()) {
    const auto found = std::find(values_.begin(), values_.end(), value);
    if (found == values_.end()) return 0;
    return static_cast<double>(found - values_.begin()) / static_cast<double>(values_.size() - 1);
  }
  return axis().nearest(std::clamp((number_of(value) - least_) / (most_ - least_), 0.0, 1.0));
}

std::string FittedParameter::allowed() const {
  if (!is_list()) {
    std::string text = this->text(0) + " to " + this->text(1);
    return step_ > 0 ? text + " in steps of " + distance_text(step_ / (most_ - least_)) : text;
  }
  std::vector<std::string> texts;
  for (const Value& value : values_) texts.push_back(parameter_->format(value));
  return join_names(texts);
}

std::string FittedParameter::distance_text(double share) const {
  const double distance = std::abs(share) * (most_ - least_);
  constexpr int kShown = 3;  // digits
  const double shown =
      distance == 0 ? 0 : rounded(distance, kShown - 1 - static_cast<int>(std::floor(std::log10(distance))));
  // Half of a whole number's step is a figure too, and so is a bit of a byte.
  if (parameter_->kind == Kind::count) return format_real(shown);
  if (parameter_->kind == Kind::bytes) return format_real(shown) + " B";
  return parameter_->format(value_of(parameter_->kind, shown));
}

}  // namespace gputlm
