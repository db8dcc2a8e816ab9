// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "gputlm/config/quantity.h"

namespace gputlm {

namespace {

std::string length_text(Range<std::size_t> length) {
  return length.min == length.max ? fmt::format("{}", length.min) : fmt::format("{} to {}", length.min, length.max);
}

/// Parses one token and tests its range.
template <class T, class Parse, class Bound>
bool convert(const std::string& text, Parse parse, Range<Bound> range, T& out, std::string& problem) {
  const Parsed<T> parsed = parse(text);
  problem = parsed.problem;
  if (!parsed) return false;
  if (!range.holds(static_cast<Bound>(parsed.value))) {
    problem = "out of range";
    return false;
  }
  out = parsed.value;
  return true;
}

template <class T, class Parse, class Bound>
bool convert_scalar(const std::string& text, Parse parse, Range<Bound> range, Value& value, std::string& problem) {
  T out{};
  if (!convert(text, parse, range, out, problem)) return false;
  value = out;
  return true;
}

template <class T, class Parse, class Bound>
bool convert_list(const YamlNode& node, Parse parse, Range<Bound> range, Value& value, const YamlNode*& wrong,
                  std::string& problem) {
  std::vector<T> items;
  for (const YamlNode& item : node.items) {
    T out{};
    if (item.kind != YamlNode::Kind::scalar || !convert(item.text, parse, range, out, problem)) {
      wrong = &item;
      if (item.kind != YamlNode::Kind::scalar) problem = "must be a number";
      return false;
    }
    items.push_back(out);
  }
  value = std::move(items);
  return true;
}

template <class T, class Format>
std::string format_list(const std::vector<T>& items, Format format) {
  std::string out;
  for (const T item : items) out += (out.empty() ? "" : ", ") + format(item);
  return "[" + out + "]";
}

}  // namespace

std::string Parameter::allowed() const {
  const auto fs = [](std::uint64_t value) { return format_time(static_cast<Fs>(value)); };
  switch (kind) {
    case Kind::count:
      return describe_range(whole, {}, format_count);
    case Kind::real:
      return describe_range(real, {}, format_real);
    case Kind::bytes:
      return describe_range(whole, kByteUnits, format_bytes);
    case Kind::time:
      return describe_range(whole, kTimeUnits, fs);
    case Kind::frequency:
      return describe_range(real, kFrequencyUnits, format_frequency);
    case Kind::choice:
      return join_names(choices);
    case Kind::boolean:
      return "true, false";
    case Kind::text:
      return "a text";
    case Kind::mask:
      return "a mask like 0x4100, at most " + format_hex(whole.max);
    case Kind::address:
      return describe_range(whole, {}, format_hex);
    case Kind::masks:
      return fmt::format("a list of {} masks like 0x4100, each at most {}", length_text(length), format_hex(whole.max));
    case Kind::counts:
      return fmt::format("a list of {} whole numbers, each {}", length_text(length),
                         describe_range(whole, {}, format_count));
    case Kind::reals:
      return fmt::format("a list of {} numbers, each {}", length_text(length), describe_range(real, {}, format_real));
  }
  return {};
}

bool Parameter::parse(const YamlNode& node, Value& value, const YamlNode*& wrong, std::string& problem) const {
  wrong = &node;
  const bool list = node.kind == YamlNode::Kind::list;
  if (list != is_list() || (!list && node.kind != YamlNode::Kind::scalar)) {
    problem = is_list() ? "must be a list" : "must be a single value";
    return false;
  }
  if (list && !length.holds(node.items.size())) {
    problem = fmt::format("wrong number of items, {}", node.items.size());
    return false;
  }
  switch (kind) {
    case Kind::count:
    case Kind::mask:
    case Kind::address:
      return convert_scalar<std::uint64_t>(node.text, parse_count, whole, value, problem);
    case Kind::real:
      return convert_scalar<double>(node.text, parse_real, real, value, problem);
    case Kind::bytes:
      return convert_scalar<std::uint64_t>(node.text, parse_bytes, whole, value, problem);
    case Kind::time:
      return convert_scalar<Fs>(node.text, parse_time, whole, value, problem);
    case Kind::frequency:
      return convert_scalar<double>(node.text, parse_frequency, real, value, problem);
    case Kind::boolean:
      return convert_scalar<bool>(node.text, parse_boolean, Range<bool>{false, true}, value, problem);
    case Kind::choice:
      problem = "not one of the names allowed";
      value = node.text;
      return std::find(choices.begin(), choices.end(), node.text) != choices.end();
    case Kind::text:
      value = node.text;
      return true;
    case Kind::counts:
    case Kind::masks:
      return convert_list<std::uint64_t>(node, parse_count, whole, value, wrong, problem);
    case Kind::reals:
      return convert_list<double>(node, parse_real, real, value, wrong, problem);
  }
  return false;
}

std::string Parameter::format(const Value& value) const {
  switch (kind) {
    case Kind::count:
      return format_count(std::get<std::uint64_t>(value));
    case Kind::mask:
    case Kind::address:
      return format_hex(std::get<std::uint64_t>(value));
    case Kind::real:
      return format_real(std::get<double>(value));
    case Kind::bytes:
      return format_bytes(std::get<std::uint64_t>(value));
    case Kind::time:
      return format_time(std::get<Fs>(value));
    case Kind::frequency:
      return format_frequency(std::get<double>(value));
    case Kind::boolean:
      return std::get<bool>(value) ? "true" : "false";
    case Kind::choice:
    case Kind::text:
      return std::get<std::string>(value);
    case Kind::counts:
      return format_list(std::get<std::vector<std::uint64_t>>(value), format_count);
    case Kind::masks:
      return format_list(std::get<std::vector<std::uint64_t>>(value), format_hex);
    case Kind::reals:
      return format_list(std::get<std::vector<double>>(value), format_real);
  }
  return {};
}

}  // namespace gputlm
