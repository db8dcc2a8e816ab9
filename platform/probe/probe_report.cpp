// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_report.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "gputlm/config/figure_text.h"

namespace gputlm {

namespace {

std::string number(std::optional<double> value) {
  return value ? fmt::format("{:.5g}", *value) : "-";
}

/// Share by which the value misses its reference, or the difference where the reference is 0.
double error_of(const ProbeRow& row) {
  const double reference = row.reference->value;
  return reference == 0 ? *row.value : *row.value / reference - 1;
}

std::string error_text(const ProbeRow& row) {
  if (!row.reference || !row.value) return "-";
  if (row.reference->value == 0) return fmt::format("{:+.3g}", error_of(row));
  const double percent = 100 * error_of(row);
  return std::abs(percent) < 0.05 ? "0.0 %" : fmt::format("{:+.1f} %", percent);
}

std::string tolerance_text(const Reference& r) {
  return r.value == 0 ? fmt::format("{:g}", r.tolerance) : fmt::format("{:g} %", 100 * r.tolerance);
}

template <class Wanted>
std::vector<const ProbeRow*> pick(const std::vector<ProbeRow>& rows, Wanted wanted) {
  std::vector<const ProbeRow*> picked;
  for (const ProbeRow& r : rows)
    if (wanted(r)) picked.push_back(&r);
  return picked;
}

void print_fitted(std::ostream& out, const std::vector<ProbeRow>& rows, const Config& config) {
  out << "\n## Fitted values\n\nEach configuration value that was chosen so that a measurement comes out, the "
         "measurement, and what the model gives.\n\n"
         "| value | set to | measurement | unit | reference | model | error | source "
         "|\n|---|---|---|---|---|---|---|---|\n";
  for (const ProbeRow* row :
       pick(rows, [](const ProbeRow& r) { return r.reference && r.reference->kind == RowKind::input; })) {
    const Reference& r = *row->reference;
    for (const std::string& path : r.fits)
      fmt::print(out, "| `{}` | {} | {}: {} | {} | {} | {} | {} | {} |\n", path, config.effective.find(path)->text,
                 row->probe, row->case_name, row->unit, number(r.value), number(row->value), error_text(*row),
                 r.source);
  }
}

void print_predictions(std::ostream& out, const std::vector<ProbeRow>& rows) {
  out << "\n## Predictions with a published figure\n\nNo value was chosen to meet these. Where a stated rule alone "
         "decides (coalescing, strict LRU, "
         "stale lines), the model follows it.\n\n"
         "| probe | case | unit | reference | tolerance | model | error | source | note |\n"
         "|---|---|---|---|---|---|---|---|---|\n";
  for (const ProbeRow* row :
       pick(rows, [](const ProbeRow& r) { return r.reference && r.reference->kind == RowKind::prediction; })) {
    const Reference& r = *row->reference;
    fmt::print(out, "| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", row->probe, row->case_name, row->unit,
               number(r.value), tolerance_text(r), number(row->value), error_text(*row), r.source, r.note);
  }
}

void print_misses(std::ostream& out, const std::vector<ProbeRow>& rows) {
  out << "\n## Against ranges measured on the card\n\nWhere several figures are published, the least and the most of "
         "them, and how far outside of them the model is. The tolerance of such a row says what is accepted for now, "
         "not what is known.\n\n"
         "| probe | case | unit | card | model | outside by | source | note |\n|---|---|---|---|---|---|---|---|\n";
  for (const ProbeRow* row :
       pick(rows, [](const ProbeRow& r) { return r.reference && r.reference->published && r.value; })) {
    const Reference& r = *row->reference;
    const double outside = r.share_outside(*row->value);
    fmt::print(out, "| {} | {} | {} | {} to {} | {} | {} | {} | {} |\n", row->probe, row->case_name, row->unit,
               number(r.published->least), number(r.published->most), number(row->value),
               outside == 0 ? "inside" : fmt::format("{:+.1f} %", 100 * outside), r.source, r.note);
  }
}

void print_unpublished(std::ostream& out, const std::vector<ProbeRow>& rows) {
  out << "\n## Predictions without a published figure\n\n| probe | case | unit | model |\n|---|---|---|---|\n";
  for (const ProbeRow* row : pick(rows, [](const ProbeRow& r) { return !r.reference; }))
    fmt::print(out, "| {} | {} | {} | {} |\n", row->probe, row->case_name, row->unit, number(row->value));
}

}  // namespace

Json row_json(const ProbeRow& row) {
  const auto& r = row.reference;
  return Json{{"probe", row.probe},
              {"case", row.case_name},
              {"value", row.value ? Json(*row.value) : Json()},
              {"unit", row.unit},
              {"reference", r ? Json(r->value) : Json()},
              {"tolerance", r ? Json(r->tolerance) : Json()},
              {"source", r ? Json(r->source) : Json()},
              {"kind", name_of(r ? r->kind : RowKind::prediction)},
              {"ok", row.ok()}};
}

void print_rows_table(std::ostream& out, const std::vector<ProbeRow>& rows) {
  fmt::print(out, "{:<18}{:<36}{:>12} {:<10}{:>10}{:>9}{:>9}  {:<7}{:<11}{}\n", "probe", "case", "value", "unit",
             "reference", "error", "allowed", "", "kind", "source");
  for (const ProbeRow& row : rows) {
    const auto& r = row.reference;
    fmt::print(out, "{:<18}{:<36}{:>12} {:<10}{:>10}{:>9}{:>9}  {:<7}{:<11}{}\n", row.probe, row.case_name,
               number(row.value), row.unit, r ? number(r->value) : "", r ? error_text(row) : "",
               r ? tolerance_text(*r) : "", r ? (row.ok() ? "ok" : "MISSED") : "", r ? name_of(r->kind) : "",
               r ? r->source : "");
  }
}

void print_rows_json(std::ostream& out, const std::vector<ProbeRow>& rows) {
  Json all = Json::array();
  for (const ProbeRow& row : rows) all.push_back(row_json(row));
  out << all.dump(1) << '\n';
}

void print_rows_csv(std::ostream& out, const std::vector<ProbeRow>& rows) {
  out << "probe,case,value,unit,reference,tolerance,source,kind,ok\n";
  const auto real = [](double value) { return fmt::format("{}", value); };
  for (const ProbeRow& row : rows) {
    const auto& r = row.reference;
    fmt::print(out, "{},{},{},{},{},{},{},{},{}\n", row.probe, csv_text(row.case_name),
               row.value ? real(*row.value) : "", csv_text(row.unit), r ? real(r->value) : "",
               r ? real(r->tolerance) : "", r ? csv_text(r->source) : "", name_of(r ? r->kind : RowKind::prediction),
               row.ok());
  }
}

void print_calibration(std::ostream& out, const std::vector<ProbeRow>& rows, const Config& config) {
  fmt::print(out,
             "# Calibration of {}\n\nWritten by `gputlm probe --all --format markdown` from the rows that `--format "
             "json` prints; every "
             "figure is what that command measured on the model. The sources stand in the configuration's head.\n",
             config.name);
  print_fitted(out, rows, config);
  print_predictions(out, rows);
  print_misses(out, rows);
  print_unpublished(out, rows);
}

void print_card(std::ostream& out, const std::vector<ProbeRow>& rows, const Config& config) {
  fmt::print(out,
             "## {}\n\n{}\n\n| probe | case | unit | model | published | error | source | note |\n"
             "|---|---|---|---|---|---|---|---|\n",
             config.name, config.description);
  for (const ProbeRow& row : rows) {
    const auto& r = row.reference;
    fmt::print(out, "| {} | {} | {} | {} | {} | {} | {} | {} |\n", row.probe, row.case_name, row.unit,
               number(row.value), r ? number(r->value) : "-", error_text(row), r ? r->source : "", r ? r->note : "");
  }
}

}  // namespace gputlm
