// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "gputlm/calibrate/calibration_report.h"

// The text is made from the JSON document, so that both say the same.
namespace gputlm {

namespace {

/// Width of a column: its head or its widest text.
template <class Text>
std::size_t width(const Json& rows, const std::string& head, Text text) {
  std::size_t widest = head.size();
  for (const Json& row : rows) widest = std::max(widest, text(row).size());
  return widest;
}

std::string text_at(const Json& row, const char* key) {
  return row.at(key).get<std::string>();
}

std::string figure(const Json& value) {
  return fmt::format("{:.6g}", value.get<double>());
}

std::string error_text(double tolerances) {
  constexpr double kWide = 1e5;  // wider than its column
  return std::abs(tolerances) < kWide ? fmt::format("{:+.3f}", tolerances) : fmt::format("{:+.3g}", tolerances);
}

std::string target_name(const Json& row) {
  return text_at(row, "probe") + ": " + text_at(row, "case");
}

std::string tolerance_text(const Json& row) {
  const double tolerance = row.at("tolerance").get<double>();
  return row.at("target") == 0 ? fmt::format("{:g}", tolerance) : fmt::format("{:g} %", 100 * tolerance);
}

void print_targets(std::ostream& out, const Json& rows) {
  const std::size_t name = width(rows, "target", target_name);
  const std::size_t unit = width(rows, "unit", [](const Json& row) { return text_at(row, "unit"); });
  fmt::print(out, "\n{:<{}}  {:<{}}  {:>10}  {:>9}  {:>10}  {:>10}  {:>10}  {:<6}  {}\n", "target", name, "unit", unit,
             "wanted", "tolerance", "before", "after", "error", "", "source");
  for (const Json& row : rows)
    fmt::print(out, "{:<{}}  {:<{}}  {:>10}  {:>9}  {:>10}  {:>10}  {:>10}  {:<6}  {}\n", target_name(row), name,
               text_at(row, "unit"), unit, figure(row["target"]), tolerance_text(row), figure(row["before"]),
               figure(row["after"]), error_text(row["error_after"].get<double>()),
               row["met"].get<bool>() ? "ok" : "MISSED", text_at(row, "source"));
  out << "error: of the result, in tolerances\n";
}

std::string known_text(const Json& row) {
  if (!row.contains("known_to")) return "-";
  return row["known_to"].is_null() ? "free" : "+-" + text_at(row, "known_to");
}

void print_parameters(std::ostream& out, const Json& rows) {
  const auto column = [&](const char* key) {
    return width(rows, key, [key](const Json& row) { return text_at(row, key); });
  };
  const std::size_t path = std::max(column("path"), std::string("parameter").size()), before = column("before"),
                    after = column("after"), known = width(rows, "known to", known_text);
  fmt::print(out, "\n{:<{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", "parameter", path, "before", before, "after", after,
             "known to", known, "allowed");
  for (const Json& row : rows)
    fmt::print(out, "{:<{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", text_at(row, "path"), path, text_at(row, "before"), before,
               text_at(row, "after"), after, known_text(row), known, text_at(row, "allowed"));
  out << "known to: how far the targets, each off by one tolerance, would move it\n";
}

void print_combination(std::ostream& out, const Json& changes) {
  std::string text;
  for (const Json& c : changes)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", text_at(c, "path"), text_at(c, "change"));
  fmt::print(out, "  free together: {}\n", text);
}

void print_sensitivities(std::ostream& out, const Json& s) {
  out << "\nWhat the targets cannot tell apart\n";
  if (s.is_null()) {
    out << "  not worked out: the budget was spent before\n";
    return;
  }
  bool anything = false;
  for (const auto& [key, rows] : s.items()) anything = anything || (key != "singular_values" && !rows.empty());
  if (!anything) out << "  nothing: each parameter changes them in a way of its own\n";
  for (const Json& path : s["undetermined"])
    fmt::print(out, "  {}: no target changes by a tolerance over all of its bounds\n", path.get<std::string>());
  for (const Json& pair : s["alike"])
    fmt::print(out, "  {} and {} change them alike (correlation {:.3f})\n", text_at(pair, "first"),
               text_at(pair, "second"), pair["correlation"].get<double>());
  for (const Json& combination : s["free_combinations"]) print_combination(out, combination);
  for (const Json& a : s["alternatives"])
    fmt::print(out, "  {}: {} meets them as well\n", text_at(a, "path"), text_at(a, "value"));
  std::string values;
  for (const Json& value : s["singular_values"])
    values += fmt::format("{}{:.3g}", values.empty() ? "" : ", ", value.get<double>());
  if (!values.empty()) fmt::print(out, "  singular values: {}\n", values);
}

}  // namespace

void print_report(std::ostream& out, const TargetsFile& targets, const std::string& config, const Calibration& result) {
  const Json j = report_json(targets, config, result);
  fmt::print(out, "{}: {} fitted to {}\n{} after {} of at most {} evaluations; cost {:.4g} before, {:.4g} after\n",
             targets.name, config, targets.file, text_at(j, "end"), result.evaluations, result.budget,
             j["cost_before"].get<double>(), j["cost_after"].get<double>());
  print_targets(out, j["targets"]);
  print_parameters(out, j["parameters"]);
  print_sensitivities(out, j["sensitivities"]);
}

}  // namespace gputlm
