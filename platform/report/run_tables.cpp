// SPDX-License-Identifier: Apache-2.0
//
// Tables of a run in the form in which a page draws them.
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gputlm/report/run_folder.h"
#include "gputlm/system/unit_totals.h"

namespace gputlm {
namespace {

bool is_statistic(const Json& node) {
  return node.is_object() && node.contains("value") && node.contains("description");
}

void collect(const Json& node, const std::string& name, Json& kinds) {
  for (const auto& [key, child] : node.items()) {
    if (is_statistic(child)) {
      Json& row = kinds[unit_kind(name)][key];
      if (row.is_null())
        row = {{"unit", child.value("unit", Json())}, {"description", child["description"]}, {"values", Json::array()}};
      const Json& value = child["value"];
      row["values"].push_back(value.is_object() ? value.value("mean", Json()) : value);
    } else if (child.is_object()) {
      collect(child, key, kinds);
    }
  }
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line);
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

}  // namespace

Json by_kind(const Json& statistics) {
  Json kinds = Json::object();
  for (const auto& [key, child] : statistics.items())
    if (key != "total") collect(child, key, kinds);
  return kinds;
}

Json columns_of(const std::string& csv, std::size_t most) {
  if (csv.empty() || csv.back() != '\n') return nullptr;  // the last row may be part of one
  std::istringstream text(csv);
  std::string line;
  std::getline(text, line);
  const std::vector<std::string> names = split(line);
  std::vector<std::vector<double>> rows;
  while (std::getline(text, line)) {
    std::vector<double> row;
    for (const std::string& cell : split(line)) {
      char* end = nullptr;
      row.push_back(std::strtod(cell.c_str(), &end));
      if (end == cell.c_str() || *end != '\0') return nullptr;
    }
    if (row.size() != names.size()) return nullptr;
    rows.push_back(std::move(row));
  }
  const std::size_t stride = rows.size() / most + 1;
  Json columns = Json::object();
  for (std::size_t c = 0; c < names.size(); ++c) {
    Json& column = columns[names[c]] = Json::array();
    for (std::size_t r = 0; r < rows.size(); r += stride) column.push_back(rows[r][c]);
    if (!rows.empty() && (rows.size() - 1) % stride != 0) column.push_back(rows.back()[c]);
  }
  return columns;
}

}  // namespace gputlm
