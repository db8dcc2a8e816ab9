// SPDX-License-Identifier: Apache-2.0
//
// The controller's channel side: which request goes next, which rows are opened ahead.
#include <algorithm>
#include <utility>

#include "gputlm/dram/due.h"
#include "gputlm/dram/memory_controller.h"

namespace gputlm {

void MemoryController::queue_arrivals(Lane& lane) {
  auto take = [](TimedQueue<QueueSlot>& arriving, RequestQueue& queue) {
    while (is_due(arriving.next())) {
      const QueueSlot slot = arriving.pop();
      queue[slot].arrived = true;
      if (queue[slot].waits_for == 0) queue.queue(slot);
    }
  };
  take(lane.arriving_reads, lane.reads);
  take(lane.arriving_writes, lane.writes);
}

void MemoryController::arm(Lane& lane) {
  if (lane.ready_at == kNever) return;
  const bool waiting = lane.reads.queued() + lane.writes.queued() != 0;
  const Fs work = waiting ? now() : std::min(lane.arriving_reads.next(), lane.arriving_writes.next());
  if (work != kNever) lane.issue->at(std::max({work, lane.ready_at, now()}));
}

/// The channel takes the next transaction. Work that came while it did not has waited since it came.
void MemoryController::end_stall(Lane& lane) {
  const Fs came = std::min(lane.arriving_reads.next(), lane.arriving_writes.next());
  if (!lane.stall.stalled() && came < lane.ready_at) lane.stall.begin(ControllerStall::channel, came);
  lane.stall.end(lane.ready_at);
}

void MemoryController::issue(unsigned channel) {
  Lane& lane = *lanes_[channel];
  if (is_due(lane.ready_at)) end_stall(lane);
  queue_arrivals(lane);
  lane.forecast.advance(lane.timing.at_or_after(now()));
  while (is_due(lane.ready_at) && lane.reads.queued() + lane.writes.queued() != 0) {
    const bool write = drain_->writes_next(lane.turn, work_of(lane));
    RequestQueue& queue = write ? lane.writes : lane.reads;
    open_rows_ahead(channel, write);
    if (!is_due(lane.ready_at)) break;
    QueueSlot slot = (write ? lane.write_age : lane.read_age).overdue(queue);
    if (slot == kNoSlot)
      slot = scheduler_->pick(queue, lane.forecast);
    else
      ++statistics_.overdue;
    send(channel, write, slot);
  }
  if (lane.reads.queued() + lane.writes.queued() != 0 && !lane.stall.stalled())
    lane.stall.begin(ControllerStall::channel, now());
  arm(lane);
}

void MemoryController::open_rows_ahead(unsigned channel, bool write) {
  Lane& lane = *lanes_[channel];
  RequestQueue& current = write ? lane.writes : lane.reads;
  RequestQueue& other = write ? lane.reads : lane.writes;
  const bool ending = drain_->ends_soon(lane.turn, write, work_of(lane)) && other.queued() != 0;
  if (lane.turn.overtime == 0)
    for (QueueSlot s; is_due(lane.ready_at) && (s = scheduler_->pick_row(current, current, lane.forecast)) != kNoSlot;)
      open_row(channel, current[s]);
  if (!ending) return;
  for (QueueSlot s; is_due(lane.ready_at) && (s = scheduler_->pick_row(other, current, lane.forecast)) != kNoSlot;)
    open_row(channel, other[s]);
}

void MemoryController::open_row(unsigned channel, const Request& request) {
  Lane& lane = *lanes_[channel];
  const PayloadRef p = pool_.line(tlm::TLM_READ_COMMAND, request.payload->get_address(), Operation::load);
  set_enables(*p, ByteMask{});
  Fs delay = 0;
  const Sent sent = channels[channel]->request(*p, delay);
  if (sent != Sent::responded) lane.in_flight.push_back({p, p, kNoPort, now()});  // somebody else's: it takes its time
  if (sent == Sent::withheld || delay > 0) lane.ready_at = sent == Sent::withheld ? kNever : now() + delay;
  lane.forecast.opened(request.at.bank, request.at.row);
  ++statistics_.rows_opened_ahead;
}

void MemoryController::send(unsigned channel, bool write, QueueSlot slot) {
  Lane& lane = *lanes_[channel];
  const Request request = (write ? lane.writes : lane.reads).remove(slot);
  Payload& p = *request.current();
  lane.forecast.used(request.at.bank, request.at.row, count_sectors(request.mask.touched_sectors()), write);
  if (lane.wrote_last != write) ++statistics_.mode_switches;
  lane.wrote_last = write;
  lane.turn.sent(write);
  if (write) --backlog_;

  lane.in_flight.push_back({request.payload, request.current(), request.port, request.arrival});
  Fs delay = 0;
  const Sent sent = channels[channel]->request(p, delay);
  lane.ready_at = sent == Sent::withheld ? kNever : now() + delay;
  if (!write && !take_from_backlog(lane, p, request.mask, request.order).empty()) ++statistics_.merged_reads;
  release_line(lane, p.get_address(), request.order);
  if (sent == Sent::responded) {
    if (p.get_response_status() != tlm::TLM_OK_RESPONSE) ++statistics_.errors;
    on_response(channel, p, delay);
  }
  if (doors_waiting_ != 0) admit_.at(now());
}

/// A request of the line has left: younger writes of it wait for one less.
void MemoryController::release_line(Lane& lane, std::uint64_t line, std::uint64_t order) {
  for (QueueSlot s = lane.writes.newest(line); s != kNoSlot; s = lane.writes.older(s)) {
    Request& write = lane.writes[s];
    if (!lane.writes.is_line(s, line) || write.order < order) continue;
    if (--write.waits_for == 0 && write.arrived) lane.writes.queue(s);
  }
}

void MemoryController::on_accepted(std::size_t channel, Payload& /*p*/, Fs delay) {
  lanes_[channel]->ready_at = now() + delay;
  arm(*lanes_[channel]);
}

}  // namespace gputlm
