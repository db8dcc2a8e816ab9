// SPDX-License-Identifier: Apache-2.0
//
// The recording as Chrome trace JSON, which the Perfetto UI and chrome://tracing open (docs/trace.md has the mapping).
#pragma once

#include <string>
#include <vector>

#include "gputlm/trace/staged_file.h"
#include "gputlm/trace/trace_sink.h"

namespace gputlm {

/// A process is a kind of unit, a thread one arrow's requests or its responses. A request (BEGIN_REQ to END_REQ) and a
/// response are slices of these threads; since a unit holds many transactions at once, the whole stay of each is an
/// asynchronous slice; a flow joins a transaction's slices. Times are whole nanoseconds, the viewers' resolution, exact
/// ones are among the arguments.
class PerfettoWriter : public TraceSink {
 public:
  explicit PerfettoWriter(const std::string& file) : out_(file) {}

  void begin(const TraceDescription& description) override;
  void take(const SharedBatch& batch) override;
  void finish(const TraceLoss& loss) override;

 private:
  void add(const TraceTransaction& t);
  void add(const TraceEvent& e);
  void add(const TraceSample& s);
  void add_hop(const TraceTransaction& t, std::size_t number);
  void add_flow(const TraceTransaction& t);
  void add_names();
  void item(const std::string& json);
  std::string place(std::uint32_t track, bool response) const;

  StagedText out_;
  const TraceDescription* description_ = nullptr;
  std::vector<bool> used_;  ///< By thread: two a track, requests and responses.
  std::string buffer_;
  bool first_ = true;
};

}  // namespace gputlm
