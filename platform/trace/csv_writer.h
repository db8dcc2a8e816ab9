// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gputlm/trace/staged_file.h"
#include "gputlm/trace/trace_sink.h"

namespace gputlm {

/// The hops as comma-separated values with a header row, a line each, transactions in the order of their ends; times in
/// ns, an empty field where there is no value.
class CsvWriter : public TraceSink {
 public:
  explicit CsvWriter(const std::string& file) : out_(file) {}

  void begin(const TraceDescription& description) override;
  void take(const SharedBatch& batch) override;
  void finish(const TraceLoss& loss) override;

 private:
  StagedText out_;
  const TraceDescription* description_ = nullptr;
};

}  // namespace gputlm
