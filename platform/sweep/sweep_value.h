// SPDX-License-Identifier: Apache-2.0
//
// One value of a swept parameter: as text for a point's command line, as YAML for the readers that check it, and as a
// number, where it is one, for the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gputlm/config/schema.h"
#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// What a parameter's values count; text: no numbers.
enum class Quantity : std::uint8_t { text, whole, real, bytes, time, frequency };

Quantity quantity_of(Kind kind);
/// Of a value in a file that the schema does not know: the narrowest that it can be read as.
Quantity quantity_of(const YamlNode& value);
/// One that values of both have: reals hold whole numbers, texts hold all.
Quantity common(Quantity a, Quantity b);

/// The unit of a column of such numbers: B, ns, Hz; empty where the parameter has to say it.
std::string unit_of(Quantity quantity);

/// In bytes, fs, Hz; nothing where the text is no such number.
std::optional<double> number_of(Quantity quantity, const std::string& text);
/// As it is written in YAML; whole numbers, bytes and times are rounded to what can be written.
std::string text_of(Quantity quantity, double number);

struct SweepValue {
  std::string text;  ///< As after `--set PATH=`.
  YamlNode node;     ///< The same, where the sweep's file has it.
  Json cell;         ///< A number in the column's unit, or the text.
};

/// The value that stands in a file.
SweepValue value_of(Quantity quantity, const YamlNode& node);
/// The value of a range that stands in a file at `at`.
SweepValue value_of(Quantity quantity, double number, const YamlNode& at);

}  // namespace gputlm
