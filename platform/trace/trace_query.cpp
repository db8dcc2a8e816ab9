// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/trace_query.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>

#include <fmt/ostream.h>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {
namespace {

/// The path, so that a file that is none is told as such, and nobody waits for a FIFO.
std::string checked_recording(const std::string& file) {
  std::string content, problem;
  Diagnostics mistakes;
  if (!read_regular_file(file, 0, content, problem) && problem != kFileTooLarge) mistakes.add({file}, {}, problem);
  mistakes.throw_if_any();
  return file;
}

double ns_of(std::int64_t fs) {
  return to_ns(fs);
}

/// The smallest value that at least this share of all, which are sorted, does not exceed.
double nearest_rank(const std::vector<std::int64_t>& sorted, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return ns_of(sorted[std::max<std::size_t>(rank, 1) - 1]);
}

// A leg for each hop and two for the whole, as rows (op, kind, order, leg, duration).
constexpr const char* kLegs = R"(
WITH hops AS (
  SELECT transaction_id AS t, hop, unit, request_fs, response_fs, done_fs,
         LEAD(request_fs) OVER w AS next, FIRST_VALUE(response_fs) OVER w AS back
  FROM phases JOIN tracks ON tracks.id = track WINDOW w AS (PARTITION BY transaction_id ORDER BY hop))
SELECT op, kind, hop AS place, unit AS leg, coalesce(next, response_fs) - request_fs AS duration
  FROM hops JOIN transactions ON id = t WHERE coalesce(next, response_fs) IS NOT NULL
UNION ALL
SELECT op, kind, 100, 'back', back - response_fs
  FROM hops JOIN transactions ON id = t WHERE next IS NULL AND hop > 0 AND back IS NOT NULL
UNION ALL
SELECT op, kind, 101, 'total', end_fs - begin_fs FROM transactions WHERE end_fs IS NOT NULL
)";

}  // namespace

Json QueryTable::document() const {
  Json all = Json::array();
  for (const auto& row : rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < columns.size(); ++i) object[columns[i]] = row[i];
    all.push_back(std::move(object));
  }
  return all;
}

void QueryTable::print(std::ostream& out) const {
  std::vector<std::vector<std::string>> cells{columns};
  for (const auto& row : rows) {
    cells.emplace_back();
    for (const Json& value : row)
      cells.back().push_back(value.is_string()         ? value.get<std::string>()
                             : value.is_null()         ? std::string("-")
                             : value.is_number_float() ? fmt::format("{:.3f}", value.get<double>())
                                                       : value.dump());
  }
  std::vector<std::size_t> widths(columns.size());
  for (const auto& row : cells)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (std::size_t r = 0; r < cells.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool number = !rows.empty() && rows[r == 0 ? 0 : r - 1][i].is_number();
      line +=
          number ? fmt::format("  {:>{}}", cells[r][i], widths[i]) : fmt::format("  {:<{}}", cells[r][i], widths[i]);
    }
    fmt::print(out, "{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

TraceQuery::TraceQuery(const std::string& file) : database_(checked_recording(file), Database::Access::read) {
  bool ours = false;
  try {
    Query schema(database_, "SELECT value FROM run WHERE key='schema'");
    ours = schema.step() && schema.text(0) == "1";
  } catch (const std::runtime_error&) {  // no database, or one of somebody else
  }
  Diagnostics mistakes;
  if (!ours) mistakes.add({file}, {}, "is no recording", {}, "a file that --trace-db wrote");
  mistakes.throw_if_any();
}

QueryTable TraceQuery::latency() {
  using Key = std::tuple<std::string, std::string, std::int64_t, std::string>;
  std::map<Key, std::vector<std::int64_t>> legs;
  Query rows(database_, kLegs);
  while (rows.step()) legs[{rows.text(0), rows.text(1), rows.integer(2), rows.text(3)}].push_back(rows.integer(4));
  QueryTable table{{"op", "kind", "leg", "count", "p50_ns", "p90_ns", "p99_ns", "max_ns"}, {}};
  for (auto& [key, values] : legs) {
    std::sort(values.begin(), values.end());
    table.rows.push_back({std::get<0>(key), std::get<1>(key), std::get<3>(key), values.size(),
                          nearest_rank(values, 0.5), nearest_rank(values, 0.9), nearest_rank(values, 0.99),
                          ns_of(values.back())});
  }
  return table;
}

QueryTable TraceQuery::stalls(std::uint64_t most) {
  QueryTable table{{"unit", "place", "requests", "waited_ns", "mean_ns", "max_ns"}, {}};
  Query rows(database_,
             "SELECT unit, name, count(*), sum(accepted_fs-request_fs) AS waited, max(accepted_fs-request_fs) "
             "FROM phases JOIN tracks ON tracks.id=track WHERE accepted_fs IS NOT NULL "
             "GROUP BY track HAVING waited>0 ORDER BY waited DESC, track LIMIT ?");
  rows << static_cast<std::int64_t>(most);
  while (rows.step())
    table.rows.push_back({rows.text(0), rows.text(1), rows.integer(2), ns_of(rows.integer(3)),
                          ns_of(rows.integer(3)) / static_cast<double>(rows.integer(2)), ns_of(rows.integer(4))});
  return table;
}

QueryTable TraceQuery::bandwidth() {
  QueryTable table{{"time_ns"}, {}};
  std::map<std::int64_t, std::size_t> column;
  Query series(database_, "SELECT id, name FROM series WHERE unit='GB/s' ORDER BY id");
  while (series.step()) {
    column[series.integer(0)] = table.columns.size();
    table.columns.push_back(series.text(1) + " GB/s");
  }
  Query rows(database_,
             "SELECT time_fs, series, value FROM samples WHERE series IN (SELECT id FROM series WHERE unit='GB/s') "
             "ORDER BY time_fs, series");
  while (rows.step()) {
    const double time = ns_of(rows.integer(0));
    if (table.rows.empty() || table.rows.back().front() != time) {
      table.rows.emplace_back(table.columns.size());
      table.rows.back().front() = time;
    }
    table.rows.back()[column.at(rows.integer(1))] = rows.real(2);
  }
  return table;
}

std::vector<std::int64_t> TraceQuery::lines_of(std::uint64_t address) {
  const auto first = static_cast<std::int64_t>(line_of(address));
  std::vector<std::int64_t> lines;
  Query used(database_,
             "SELECT DISTINCT line FROM transactions WHERE line IS NOT NULL AND va BETWEEN ? AND ? ORDER BY line");
  used << first << first + std::int64_t{kLineBytes - 1};
  while (used.step()) lines.push_back(used.integer(0));
  if (lines.empty()) lines.push_back(first);
  return lines;
}

QueryTable TraceQuery::line(std::uint64_t address) {
  QueryTable table{{"time_ns", "place", "what", "op", "transaction", "sm", "warp", "instruction"}, {}};
  Query rows(database_, R"(
SELECT request_fs AS at, name, 'request' AS what, op, t.id, sm, warp, instruction
  FROM transactions t JOIN phases ON transaction_id=t.id JOIN tracks ON tracks.id=track WHERE line=?1
UNION ALL
SELECT response_fs, name, 'response', op, t.id, sm, warp, instruction
  FROM transactions t JOIN phases ON transaction_id=t.id JOIN tracks ON tracks.id=track
  WHERE line=?1 AND response_fs IS NOT NULL
UNION ALL
SELECT time_fs, tracks.name, e.name, op, t.id, sm, warp, instruction
  FROM events e JOIN tracks ON tracks.id=track LEFT JOIN transactions t ON t.id=transaction_id WHERE e.line=?1
ORDER BY at)");
  for (const std::int64_t line : lines_of(address)) {
    rows << line;
    while (rows.step()) {
      table.rows.push_back({ns_of(rows.integer(0)), rows.text(1), rows.text(2)});
      for (int i = 3; i < 8; ++i)
        table.rows.back().push_back(rows.is_null(i) ? Json() : i == 3 ? Json(rows.text(i)) : Json(rows.integer(i)));
    }
  }
  return table;
}

}  // namespace gputlm
