// SPDX-License-Identifier: Apache-2.0
//
// The usual questions to a recording in a database.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "gputlm/system/statistics_tree.h"
#include "gputlm/trace/database.h"

namespace gputlm {

/// Rows under headings; times in ns.
struct QueryTable {
  std::vector<std::string> columns;
  std::vector<std::vector<Json>> rows;

  /// An array of objects.
  Json document() const;
  void print(std::ostream& out) const;
};

/// A recording, opened to be asked.
class TraceQuery {
 public:
  /// Throws ConfigError when the file is no recording of this program.
  explicit TraceQuery(const std::string& file);

  /// Percentiles (nearest rank) of each leg, by operation and kind: from a unit's request to the next unit's, at the
  /// last unit to its answer, from that answer back to the first unit's (`back`), and all of it (`total`).
  QueryTable latency();
  /// Arrows by the time for which requests waited there for their END_REQ, the first `most` of them.
  QueryTable stalls(std::uint64_t most);
  /// The series in GB/s, a row per sample.
  QueryTable bandwidth();
  /// What was done to the line of an address, virtual or, when nobody used it as one, physical; in time order.
  QueryTable line(std::uint64_t address);

 private:
  std::vector<std::int64_t> lines_of(std::uint64_t address);

  Database database_;
};

}  // namespace gputlm
