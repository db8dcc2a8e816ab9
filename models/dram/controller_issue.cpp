// SPDX-License-Identifier: Apache-2.0
//
// The controller's channel side: whose turn it is, which request goes next, which rows are opened ahead.
#include <algorithm>
#include <utility>

#include "gputlm/dram/due.h"
#include "gputlm/dram/memory_controller.h"

namespace gputlm {

void MemoryController::queue_arrivals(Lane& lane) {
  auto take = [](TimedQueue<Slot>& arriving, RequestQueue& queue) {
    while (is_due(arriving.next())) {
      const Slot slot = arriving.pop();
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

void MemoryController::issue(unsigned channel) {
  Lane& lane = *lanes_[channel];
  queue_arrivals(lane);
  lane.forecast.advance(lane.timing.at_or_after(now()));
  while (is_due(lane.ready_at) && lane.reads.queued() + lane.writes.queued() != 0) {
    const bool write = choose_direction(lane);
    RequestQueue& queue = write ? lane.writes : lane.reads;
    open_rows_ahead(channel, write);
    Slot slot = overdue(queue, write ? lane.write_age_check : lane.read_age_check);
    if (slot == kNoSlot)
      slot = scheduler_->pick(queue, lane.forecast);
    else
      ++statistics_.overdue;
    send(channel, write, slot);
  }
  arm(lane);
}

/// The oldest request of the queue if it has waited past the age cap.
Slot MemoryController::overdue(const RequestQueue& queue, Fs& age_check) const {
  if (now() < age_check || queue.queued() == 0) return kNoSlot;
  const Slot oldest = queue.oldest();
  age_check = queue[oldest].arrival + spec_.age_cap;
  return now() > age_check ? oldest : kNoSlot;
}

/// True for writes. Each direction keeps its turn for a batch of lines, so that neither a flood of writes starves the
/// reads nor the bus turns around for single lines; a direction without requests gives way at once.
bool MemoryController::choose_direction(Lane& lane) {
  if (lane.writes.queued() == 0) return false;
  if (lane.reads.queued() == 0) return true;
  if (lane.writing) {
    if (lane.turn_left > 0 && backlog_ > spec_.write_low_mark) return true;
    lane.writing = false;
    lane.turn_left = turn_lines_;
    return false;
  }
  const bool wanted = backlog_ >= spec_.write_high_mark || overdue(lane.writes, lane.write_age_check) != kNoSlot;
  if (lane.turn_left > 0 || !wanted) return false;
  lane.writing = true;
  lane.turn_left = turn_lines_;
  return true;
}

bool MemoryController::turn_is_ending(const Lane& lane, bool write) const {
  // Lines it takes to open one row in every bank group: a precharge and an activate each, hidden behind columns.
  const unsigned soon = 2 * spec_.bank_groups;
  if (write) return lane.turn_left <= soon || backlog_ <= spec_.write_low_mark + soon || lane.writes.queued() <= soon;
  return lane.turn_left <= soon && backlog_ + soon >= spec_.write_high_mark;
}

void MemoryController::open_rows_ahead(unsigned channel, bool write) {
  Lane& lane = *lanes_[channel];
  RequestQueue& current = write ? lane.writes : lane.reads;
  RequestQueue& other = write ? lane.reads : lane.writes;
  for (Slot s; (s = scheduler_->pick_row(current, current, lane.forecast)) != kNoSlot;) open_row(channel, current[s]);
  if (other.queued() == 0 || !turn_is_ending(lane, write)) return;
  for (Slot s; (s = scheduler_->pick_row(other, current, lane.forecast)) != kNoSlot;) open_row(channel, other[s]);
}

void MemoryController::open_row(unsigned channel, const Request& request) {
  Lane& lane = *lanes_[channel];
  const PayloadRef p = pool_.line(tlm::TLM_READ_COMMAND, request.payload->get_address(), Operation::load);
  set_enables(*p, ByteMask{});
  Fs delay = 0;
  if (channels[channel]->request(*p, delay) == Sent::withheld) lane.ready_at = kNever;
  lane.forecast.opened(request.at.bank, request.at.row);
  ++statistics_.rows_opened_ahead;
}

void MemoryController::send(unsigned channel, bool write, Slot slot) {
  Lane& lane = *lanes_[channel];
  const Request request = (write ? lane.writes : lane.reads).remove(slot);
  Payload& p = *request.payload;
  lane.forecast.used(request.at.bank, request.at.row, count_sectors(request.mask.touched_sectors()), write);
  if (lane.wrote_last != write) ++statistics_.mode_switches;
  lane.wrote_last = write;
  if (write == lane.writing && lane.turn_left > 0) --lane.turn_left;
  if (write) --backlog_;

  lane.in_flight.push_back({request.payload, request.port, request.arrival});
  Fs delay = 0;
  const Sent sent = channels[channel]->request(p, delay);
  lane.ready_at = sent == Sent::withheld ? kNever : now() + delay;
  if (!write && !take_from_backlog(lane, p, request.mask, request.order).empty()) ++statistics_.merged_reads;
  release_line(lane, p.get_address(), request.order);
  if (sent == Sent::responded) {
    if (p.get_response_status() != tlm::TLM_OK_RESPONSE) ++statistics_.errors;
    on_response(channel, p, delay);
  }
  admit_waiting(write ? spec_.slices_per_controller : 0);
}

/// A request of the line has left: younger writes of it wait for one less.
void MemoryController::release_line(Lane& lane, std::uint64_t line, std::uint64_t order) {
  for (Slot s = lane.writes.newest(line); s != kNoSlot; s = lane.writes.older(s)) {
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
