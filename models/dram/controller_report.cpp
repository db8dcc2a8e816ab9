// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "gputlm/dram/memory_controller.h"

namespace gputlm {

void MemoryController::report(StatisticsSink& sink) const {
  const ControllerStatistics& s = statistics_;
  sink.count("reads", "line", "line reads taken in", s.reads);
  sink.count("writes", "line", "line writes taken in", s.writes);
  sink.count("forwarded_reads", "line", "reads answered from the write backlog alone", s.forwarded_reads);
  sink.count("merged_reads", "line", "reads answered from backlog and DRAM together", s.merged_reads);
  sink.count("ordered_writes", "line", "writes that waited for an older request of their line", s.ordered_writes);
  sink.count("errors", "request", "requests answered with an error", s.errors);
  sink.count("mode_switches", "count", "changes of a channel between reads and writes", s.mode_switches);
  sink.count("overdue", "request", "requests sent first because they waited past the age cap", s.overdue);
  sink.count("rows_opened_ahead", "command", "rows opened before a transaction needed them", s.rows_opened_ahead);
  sink.count("write_backlog", "line", "writes waiting now", backlog_);
  sink.count("write_backlog_peak", "line", "most writes that waited at once", s.backlog_peak);
  sink.count("read_queue", "line", "reads waiting now, all channels", read_backlog());
  sink.count("read_queue_peak", "line", "most reads that waited at once for one channel", s.read_queue_peak);
  sink.value("stall_read_queue_full", "ns", "time slices' reads waited for room",
             to_ns(stall_time(ControllerStall::read_queue_full)));
  sink.value("stall_write_backlog_full", "ns", "time slices' writes waited for room",
             to_ns(stall_time(ControllerStall::write_backlog_full)));
  for (unsigned c = 0; c < lanes_.size(); ++c)
    sink.value("stall_channel_" + std::to_string(c), "ns",
               "time requests waited for this channel to take the one before", to_ns(channel_stall_time(c)));
  sink.histogram("read_latency", "read BEGIN_REQ to BEGIN_RESP", s.read_latency);
  sink.histogram("write_latency", "write taken in to data in the DRAM", s.write_latency);
}

void MemoryController::list_waits(WaitList& waits) const {
  for (std::size_t port = 0; port < doors_.size(); ++port) {
    const Door& door = doors_[port];
    if (!door.waiting) continue;
    const bool write = is_write_port(port);
    waits.add(*this, *door.waiting,
              " of slice " + std::to_string(port % spec_.slices_per_controller) + " waits for room in the " +
                  (write ? "write backlog" : "read queue of its channel"),
              door.arrival);
  }
  for (std::size_t c = 0; c < lanes_.size(); ++c) {
    const Lane& lane = *lanes_[c];
    const std::string channel = "channel " + std::to_string(c);
    const std::string why = lane.ready_at == kNever
                                ? channel + " withholds END_REQ"
                                : channel + " takes the next from " + ns_text(lane.ready_at) + " on";
    for (const RequestQueue* queue : {&lane.reads, &lane.writes})
      queue->for_each([&](const Request& r) { waits.add(*this, *r.payload, " waits for " + channel, r.arrival, why); });
    for (std::size_t i = 0; i < lane.in_flight.size(); ++i)
      waits.add(*this, *lane.in_flight[i].payload, " is with " + channel, lane.in_flight[i].arrival);
  }
  answers_.for_each([&](Fs due, const InFlight& f) {
    waits.add(*this, *f.payload, " is answered from the backlog at " + ns_text(due), kNever);
  });
}

}  // namespace gputlm
