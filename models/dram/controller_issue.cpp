// SPDX-License-Identifier: Apache-2.0
//
// The controller's channel side: whose turn it is, which request goes next, which rows are opened ahead.
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
    const bool write = choose_direction(lane);
    RequestQueue& queue = write ? lane.writes : lane.reads;
    open_rows_ahead(channel, write);
    QueueSlot slot = overdue(queue, write ? lane.write_age_check : lane.read_age_check);
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

/// The oldest request of the queue if it has waited past the age cap.
QueueSlot MemoryController::overdue(const RequestQueue& queue, Fs& age_check) const {
  if (now() < age_check || queue.queued() == 0) return kNoSlot;
  const QueueSlot oldest = queue.oldest();
  age_check = queue[oldest].arrival + spec_.age_cap;
  return now() > age_check ? oldest : kNoSlot;
}

void MemoryController::begin_turn(Lane& lane, bool write, unsigned lines) const {
  lane.writing = write;
  lane.turn_left = lines;
  lane.overtime = 0;
}

/// A turn that is over may finish the rows that are open, without opening more, as long as all bank groups but one
/// take part: reopening them next time would cost more.
bool MemoryController::finish_rows(Lane& lane, const RequestQueue& queue) const {
  const auto lines_per_row = static_cast<unsigned>(spec_.row_bytes / kLineBytes);
  if (!spec_.row_batching || lane.overtime >= lines_per_row * spec_.bank_groups) return false;
  std::uint64_t groups = 0;
  for (std::uint64_t busy = queue.busy_banks(); busy != 0; busy &= busy - 1) {
    const auto bank = static_cast<unsigned>(__builtin_ctzll(busy));
    if (queue.count_for(bank, lane.forecast.row(bank)) != 0) groups |= 1ULL << lane.forecast.group_of(bank);
  }
  if (static_cast<unsigned>(__builtin_popcountll(groups)) + 1 < spec_.bank_groups) return false;
  ++lane.overtime;
  return true;
}

/// True for writes. Each direction keeps its turn for a batch of lines, so that neither a flood of writes starves the
/// reads nor the bus turns around for single lines; a direction without requests gives way at once.
bool MemoryController::choose_direction(Lane& lane) {
  const unsigned above_low = backlog_ - std::min(backlog_, spec_.write_low_mark);
  if (lane.writes.queued() == 0) {
    if (lane.writing) begin_turn(lane, false, 0);
    return false;
  }
  if (lane.reads.queued() == 0) {
    if (!lane.writing) begin_turn(lane, true, above_low / spec_.channels_per_controller);
    return true;
  }
  if (lane.writing) {
    if (lane.turn_left > 0 && above_low > 0) return true;
    if (finish_rows(lane, lane.writes)) return true;
    begin_turn(lane, false, std::min(read_turn_, lane.reads.queued()));
    return false;
  }
  const bool wanted = backlog_ >= spec_.write_high_mark || overdue(lane.writes, lane.write_age_check) != kNoSlot;
  if (lane.turn_left > 0 || !wanted || finish_rows(lane, lane.reads)) return false;
  begin_turn(lane, true, write_turn_);
  return true;
}

bool MemoryController::turn_is_ending(const Lane& lane, bool write) const {
  if (lane.overtime > 0) return true;
  const unsigned soon = spec_.bank_groups;  // a line of each group hides the opening of a row in each
  if (write) return lane.turn_left <= soon || backlog_ <= spec_.write_low_mark + soon || lane.writes.queued() <= soon;
  return lane.turn_left <= soon && backlog_ + soon >= spec_.write_high_mark;
}

void MemoryController::open_rows_ahead(unsigned channel, bool write) {
  Lane& lane = *lanes_[channel];
  RequestQueue& current = write ? lane.writes : lane.reads;
  RequestQueue& other = write ? lane.reads : lane.writes;
  const bool ending = turn_is_ending(lane, write) && other.queued() != 0;
  if (lane.overtime == 0)
    for (QueueSlot s; (s = scheduler_->pick_row(current, current, lane.forecast)) != kNoSlot;)
      open_row(channel, current[s]);
  if (!ending) return;
  for (QueueSlot s; (s = scheduler_->pick_row(other, current, lane.forecast)) != kNoSlot;) open_row(channel, other[s]);
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

void MemoryController::send(unsigned channel, bool write, QueueSlot slot) {
  Lane& lane = *lanes_[channel];
  const Request request = (write ? lane.writes : lane.reads).remove(slot);
  Payload& p = *request.current();
  lane.forecast.used(request.at.bank, request.at.row, count_sectors(request.mask.touched_sectors()), write);
  if (lane.wrote_last != write) ++statistics_.mode_switches;
  lane.wrote_last = write;
  if (write == lane.writing && lane.turn_left > 0) --lane.turn_left;
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
