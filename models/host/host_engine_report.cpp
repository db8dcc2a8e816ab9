// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gputlm/host/host_engine.h"

namespace gputlm {

const char* name_of(ChannelState state) {
  switch (state) {
    case ChannelState::idle:
      return "idle";
    case ChannelState::reading_put:
      return "reading GP_PUT";
    case ChannelState::reading_entries:
      return "reading GPFIFO entries";
    case ChannelState::reading_segment:
      return "reading a segment";
    case ChannelState::executing:
      return "executing methods";
    case ChannelState::waiting:
      return "waiting";
    case ChannelState::acquiring:
      return "waiting for a semaphore";
    case ChannelState::failed:
      return "failed";
  }
  return "?";
}

void HostEngine::reset() {
  ++generation_;
  dma.reset();
  due_.clear();
  wakeup_.cancel();
  by_token_.clear();
  channels_.clear();
  doorbell.reset();
  counters_ = {};
}

bool HostEngine::idle() const {
  return dma.idle() && due_.empty() && std::all_of(channels_.begin(), channels_.end(), [](const auto& c) {
           return c.second->work == 0 &&
                  (c.second->state == ChannelState::idle || c.second->state == ChannelState::failed);
         });
}

void HostEngine::report(StatisticsSink& sink) const {
  sink.count("doorbells", "request", "tokens written to the doorbell", counters_.doorbells);
  sink.count("entries", "entry", "GPFIFO entries begun", counters_.entries);
  sink.count("words", "word", "pushbuffer words fetched", counters_.words);
  sink.count("methods", "method", "methods decoded", counters_.methods);
  sink.count("launches", "kernel", "kernels handed to the work distributor", counters_.launches);
  sink.count("copies", "copy", "copies handed to the copy engine", counters_.copies);
  sink.count("releases", "semaphore", "semaphores released", counters_.releases);
  sink.count("acquires", "semaphore", "semaphores waited for", counters_.acquires);
  sink.count("acquire_looks", "read", "times a semaphore was read for that", counters_.acquire_looks);
  sink.count("memory_operations", "operation", "barriers and L2 flushes of MEM_OP", counters_.memory_operations);
  sink.count("interrupts", "interrupt", "interrupts sent", counters_.interrupts);
  sink.count("errors", "error", "channel errors, unknown tokens included", counters_.errors);
}

void HostEngine::list_waits(WaitList& waits) const {
  for (const auto& [number, c] : channels_) {
    const std::string who = "channel " + std::to_string(number);
    if (c->state != ChannelState::idle && c->state != ChannelState::failed)
      waits.add(*this, who + " is " + name_of(c->state), c->since,
                c->after_work ? "for " + std::to_string(c->work) + " launches and copies to end" : "");
    else if (c->work > 0)
      waits.add(*this, who + " has " + std::to_string(c->work) + " launches and copies under way");
  }
  dma.list_waits(*this, waits);
}

}  // namespace gputlm
