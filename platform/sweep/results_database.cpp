// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "gputlm/sweep/results_table.h"
#include "gputlm/trace/database.h"
#include "gputlm/trace/staged_file.h"

namespace gputlm {

namespace {

std::string quoted_name(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

const char* type_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::text:
      return "TEXT";
    case Quantity::whole:
    case Quantity::bytes:
      return "INTEGER";
    default:
      return "REAL";
  }
}

// SQLite's whole numbers end before those of a seed.
void bind(Query& query, const Json& cell) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (cell.is_string())
    query << cell.get<std::string>();
  else if (cell.is_number_float() || cell.get<std::uint64_t>() > kMost)
    query << cell.get<double>();
  else
    query << cell.get<std::int64_t>();
}

void add_column(Query& insert, const std::string& name, const char* role, const std::string& path,
                const std::string& unit, const std::string& description) {
  insert << name << std::string(role) << path << unit << description;
  insert.run();
}

}  // namespace

void ResultsTable::fill_columns(Database& database) const {
  Query insert(database, "INSERT INTO columns VALUES (?, ?, ?, ?, ?)");
  add_column(insert, "point", "point", "", "", "Number of the point");
  add_column(insert, "state", "state", "", "", "done or failed");
  for (const SweepParameter& p : plan_.file.parameters)
    add_column(insert, p.column(), "parameter", p.path, p.unit, p.description);
  for (const Statistic& s : columns_) add_column(insert, s.column(), "statistic", s.name, s.unit, s.description);
}

void ResultsTable::fill_rows(Database& database, const std::string& places) const {
  Query insert(database, "INSERT INTO results VALUES (" + places + ")");
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (!records_[i].end) continue;
    insert << static_cast<std::int64_t>(plan_.points[i].number) << std::string(records_[i].state());
    for (const SweepValue& v : plan_.points[i].values) bind(insert, v.cell);
    for (const Statistic& s : columns_) {
      const Statistic* found = records_[i].find(s.column());
      if (found == nullptr)
        insert << std::optional<std::int64_t>();
      else
        insert << found->value;
    }
    insert.run();
  }
}

void ResultsTable::write_database(const std::string& file) const {
  StagedName name(file);
  std::error_code ignored;
  std::filesystem::remove(name.staged(), ignored);
  Database database(name.staged(), Database::Access::create);
  std::string columns = "point INTEGER PRIMARY KEY, state TEXT", places = "?, ?";
  for (const SweepParameter& p : plan_.file.parameters)
    columns += fmt::format(", {} {}", quoted_name(p.column()), type_of(p.quantity)), places += ", ?";
  for (const Statistic& s : columns_) columns += fmt::format(", {} REAL", quoted_name(s.column())), places += ", ?";
  database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; CREATE TABLE results (" + columns +
                   "); CREATE TABLE columns (name TEXT, role TEXT, path TEXT, unit TEXT, description TEXT);");
  fill_columns(database);
  fill_rows(database, places);
  database.execute("COMMIT");
  database.close();
  name.keep();
}

}  // namespace gputlm
