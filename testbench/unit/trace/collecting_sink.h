// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "gputlm/trace/trace_sink.h"

namespace gputlm {

/// What a sink was given, outlives the sink.
struct Collected {
  std::vector<TraceTransaction> transactions;
  std::vector<TraceEvent> events;
  std::vector<TraceSample> samples;
  std::size_t batches = 0;
  bool finished = false;

  const TraceTransaction& only(TraceKind kind) const {
    const TraceTransaction* found = nullptr;
    for (const TraceTransaction& t : transactions) {
      if (t.kind != kind) continue;
      if (found != nullptr) throw std::runtime_error("more than one");
      found = &t;
    }
    if (found == nullptr) throw std::runtime_error("none");
    return *found;
  }
  std::size_t count(const std::string& event) const {
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [&](const TraceEvent& e) { return e.name == event; }));
  }
};

class CollectingSink : public TraceSink {
 public:
  explicit CollectingSink(Collected& into) : into_(into) {}
  void begin(const TraceDescription& /*description*/) override {}
  void take(const SharedBatch& batch) override {
    ++into_.batches;
    into_.transactions.insert(into_.transactions.end(), batch->transactions.begin(), batch->transactions.end());
    into_.events.insert(into_.events.end(), batch->events.begin(), batch->events.end());
    into_.samples.insert(into_.samples.end(), batch->samples.begin(), batch->samples.end());
  }
  void finish(const TraceLoss& /*loss*/) override { into_.finished = true; }

 private:
  Collected& into_;
};

}  // namespace gputlm
