// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/sweep_value.h"

#include <cmath>

#include "gputlm/config/override_text.h"
#include "gputlm/config/quantity.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

namespace {

template <class T>
std::optional<double> as_double(const Parsed<T>& parsed) {
  return parsed ? std::optional<double>(static_cast<double>(parsed.value)) : std::nullopt;
}

Json cell_of(Quantity quantity, const std::string& text) {
  switch (quantity) {
    case Quantity::whole:
      return parse_count(text).value;
    case Quantity::real:
      return parse_real(text).value;
    case Quantity::bytes:
      return parse_bytes(text).value;
    case Quantity::time:
      return to_ns(parse_time(text).value);
    case Quantity::frequency:
      return parse_frequency(text).value;
    case Quantity::text:
      break;
  }
  return text;
}

}  // namespace

Quantity quantity_of(Kind kind) {
  switch (kind) {
    case Kind::count:
      return Quantity::whole;
    case Kind::real:
      return Quantity::real;
    case Kind::bytes:
      return Quantity::bytes;
    case Kind::time:
      return Quantity::time;
    case Kind::frequency:
      return Quantity::frequency;
    default:
      return Quantity::text;
  }
}

Quantity quantity_of(const YamlNode& value) {
  if (value.kind != YamlNode::Kind::scalar || value.quoted) return Quantity::text;
  for (const Quantity q : {Quantity::whole, Quantity::real, Quantity::bytes, Quantity::time, Quantity::frequency})
    if (number_of(q, value.text)) return q;
  return Quantity::text;
}

Quantity common(Quantity a, Quantity b) {
  if (a == b) return a;
  const auto plain = [](Quantity q) { return q == Quantity::whole || q == Quantity::real; };
  return plain(a) && plain(b) ? Quantity::real : Quantity::text;
}

std::string unit_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::bytes:
      return "B";
    case Quantity::time:
      return "ns";
    case Quantity::frequency:
      return "Hz";
    default:
      return {};
  }
}

std::optional<double> number_of(Quantity quantity, const std::string& text) {
  switch (quantity) {
    case Quantity::whole:
      return as_double(parse_count(text));
    case Quantity::real:
      return as_double(parse_real(text));
    case Quantity::bytes:
      return as_double(parse_bytes(text));
    case Quantity::time:
      return as_double(parse_time(text));
    case Quantity::frequency:
      return as_double(parse_frequency(text));
    case Quantity::text:
      break;
  }
  return {};
}

std::string text_of(Quantity quantity, double number) {
  switch (quantity) {
    case Quantity::whole:
      return format_count(static_cast<std::uint64_t>(std::llround(number)));
    case Quantity::bytes:
      return format_bytes(static_cast<std::uint64_t>(std::llround(number)));
    case Quantity::time:
      return format_time(static_cast<Fs>(std::llround(number)));
    case Quantity::frequency:
      return format_frequency(number);
    default:
      return format_real(number);
  }
}

SweepValue value_of(Quantity quantity, const YamlNode& node) {
  const std::string text = override_text(node);
  return {text, node, cell_of(quantity, node.kind == YamlNode::Kind::scalar ? node.text : text)};
}

SweepValue value_of(Quantity quantity, double number, const YamlNode& at) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.line = at.line;
  node.column = at.column;
  node.text = text_of(quantity, number);
  return value_of(quantity, node);
}

}  // namespace gputlm
