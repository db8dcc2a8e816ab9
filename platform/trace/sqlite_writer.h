// SPDX-License-Identifier: Apache-2.0
//
// The recording as an SQLite database; docs/trace.md has the schema.
#pragma once

#include <memory>
#include <string>

#include "gputlm/system/gpu.h"
#include "gputlm/trace/database.h"
#include "gputlm/trace/staged_file.h"
#include "gputlm/trace/trace_sink.h"

namespace gputlm {

/// One database transaction per batch; indexes, statistics and configuration at the end.
class SqliteWriter : public TraceSink {
 public:
  /// Throws std::runtime_error when the file cannot be made.
  SqliteWriter(const std::string& file, const Gpu& gpu);
  ~SqliteWriter() override;

  void begin(const TraceDescription& description) override;
  void take(const SharedBatch& batch) override;
  void finish(const TraceLoss& loss) override;

 private:
  struct Insertions;

  void add(const TraceTransaction& t);
  void add(const TraceEvent& e);
  void add(const TraceSample& s);
  void add_statistics();
  void add_configuration();
  void add_run(const TraceLoss& loss);

  const Gpu& gpu_;
  StagedName name_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<Insertions> insert_;
};

}  // namespace gputlm
