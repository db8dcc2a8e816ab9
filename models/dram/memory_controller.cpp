// SPDX-License-Identifier: Apache-2.0
//
// The controller's slice side: arrivals, the doors where requests wait, answers. controller_issue.cpp is its other
// half.
#include "gputlm/dram/memory_controller.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gputlm/dram/due.h"
#include "gputlm/tlm/debug_span.h"
#include "gputlm/tlm/line_contract.h"

namespace gputlm {

MemoryController::Lane::Lane(const DramSpec& spec, unsigned channel_of_card)
    : timing(spec, channel_of_card),
      reads(spec.read_queue_entries, spec.bank_groups * spec.banks_per_group),
      writes(spec.write_queue_entries, spec.bank_groups * spec.banks_per_group),
      forecast(spec, timing, {&reads, &writes}),
      read_age(spec.age_cap),
      write_age(spec.age_cap) {}

MemoryController::MemoryController(const sc_core::sc_module_name& name, const DramSpec& spec, unsigned number,
                                   PayloadPool& pool, const DramMap& map)
    : Unit(name),
      spec_(spec),
      pool_(pool),
      map_(map),
      doors_(2 * std::size_t{spec.slices_per_controller}),
      answer_("answer", [this] { send_answers(); }),
      admit_("admit", [this] { admit_waiting(); }) {
  for (unsigned s = 0; s < spec_.slices_per_controller; ++s) {
    reads.push_back(std::make_unique<TargetSocket<MemoryController>>(("read_" + std::to_string(s)).c_str(), *this, s));
    writes.push_back(std::make_unique<TargetSocket<MemoryController>>(("write_" + std::to_string(s)).c_str(), *this,
                                                                      spec_.slices_per_controller + s));
  }
  for (unsigned c = 0; c < spec_.channels_per_controller; ++c) {
    const std::string suffix = std::to_string(c);
    channels.push_back(std::make_unique<InitiatorSocket<MemoryController>>(("channel_" + suffix).c_str(), *this, c));
    lanes_.push_back(std::make_unique<Lane>(spec_, number * spec_.channels_per_controller + c));
    lanes_.back()->issue = std::make_unique<Wakeup>("issue_" + suffix, [this, c] { issue(c); });
  }
  if (spec_.bank_groups * spec_.banks_per_group > RequestQueue::kMostBanks)
    SC_REPORT_FATAL("gputlm/dram", "more banks per channel than the scheduler can hold in a word");
  scheduler_ = DramScheduler::make(spec_, lanes_.front()->timing);
  if (!scheduler_) SC_REPORT_FATAL("gputlm/dram", ("unknown scheduler " + spec.scheduler).c_str());
  drain_ = WriteDrain::make(spec_);
  if (!drain_) SC_REPORT_FATAL("gputlm/dram", ("unknown write drain " + spec.write_drain).c_str());
}

TargetSocket<MemoryController>& MemoryController::socket(std::size_t port) {
  return is_write_port(port) ? *writes[port - spec_.slices_per_controller] : *reads[port];
}

unsigned MemoryController::read_backlog() const {
  unsigned lines = 0;
  for (const auto& lane : lanes_) lines += lane->reads.size();
  return lines;
}

Fs MemoryController::stall_time(ControllerStall cause) const {
  Fs total = 0;
  for (const Door& door : doors_) total += door.stall.total(cause, std::max(now(), door.arrival));
  for (unsigned c = 0; cause == ControllerStall::channel && c < lanes_.size(); ++c) total += channel_stall_time(c);
  return total;
}

Fs MemoryController::channel_stall_time(unsigned channel) const {
  return lanes_[channel]->stall.total(ControllerStall::channel, now());
}

// -- Arrivals -------------------------------------------------------------------------------------------------------

tlm::tlm_response_status MemoryController::check(std::size_t port, const Payload& p) const {
  if (!(is_write_port(port) ? p.is_write() : p.is_read())) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const tlm::tlm_response_status status = check_line(p);
  if (status != tlm::TLM_OK_RESPONSE) return status;
  return p.get_address() < spec_.capacity ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

Admission MemoryController::on_request(std::size_t port, Payload& p, Fs& delay) {
  const tlm::tlm_response_status status = check(port, p);
  if (status != tlm::TLM_OK_RESPONSE) {
    ++statistics_.errors;
    p.set_response_status(status);
    return Admission::complete;
  }
  // While room is short a request waits for the others of this moment, so that each slice gets its turn.
  if (last_round_ != now() && has_room(port, p, 2 * spec_.slices_per_controller)) {
    admit(port, p, now() + delay);
    return Admission::accept;
  }
  Door& door = doors_[port];
  door.waiting = PayloadRef(p);
  door.arrival = now() + delay;
  ++doors_waiting_;
  if (has_room(port, p, 1))
    admit_.at(now());
  else
    door.stall.begin(is_write_port(port) ? ControllerStall::write_backlog_full : ControllerStall::read_queue_full,
                     door.arrival);
  return Admission::withhold;
}

bool MemoryController::has_room(std::size_t port, const Payload& p, unsigned spare) const {
  if (is_write_port(port)) return backlog_ + spare <= spec_.write_queue_entries;
  return lanes_[map_.channel_of(p.get_address())]->reads.size() + spare <= spec_.read_queue_entries;
}

void MemoryController::admit(std::size_t port, Payload& p, Fs arrival) {
  is_write_port(port) ? admit_write(port, p, arrival) : admit_read(port, p, arrival);
}

void MemoryController::admit_read(std::size_t port, Payload& p, Fs arrival) {
  Request request;
  request.at = map_.locate(p.get_address());
  request.mask = ByteMask::of(p);
  Lane& lane = *lanes_[request.at.channel];
  ++statistics_.reads;
  if (take_from_backlog(lane, p, request.mask, arrivals_) == request.mask) {
    ++statistics_.forwarded_reads;
    answers_.push(arrival + spec_.request_latency + spec_.response_latency, {PayloadRef(p), {}, port, arrival});
    answer_.at(std::max(answers_.next(), now()));
    return;
  }
  request.payload = PayloadRef(p);
  request.arrival = arrival;
  request.order = arrivals_++;
  request.port = port;
  lane.arriving_reads.push(arrival + spec_.request_latency, lane.reads.hold(std::move(request)));
  statistics_.read_queue_peak = std::max(statistics_.read_queue_peak, lane.reads.size());
  arm(lane);
}

void MemoryController::admit_write(std::size_t port, Payload& p, Fs arrival) {
  Request request;
  request.at = map_.locate(p.get_address());
  request.mask = ByteMask::of(p);
  request.payload = PayloadRef(p);
  request.arrival = arrival;
  request.port = port;
  ++statistics_.writes;
  hold_write(std::move(request));
}

void MemoryController::hold_write(Request&& request) {
  Lane& lane = *lanes_[request.at.channel];
  const std::uint64_t line = request.payload->get_address();
  for (const RequestQueue* queue : {&lane.reads, &lane.writes})
    for (QueueSlot s = queue->newest(line); s != kNoSlot; s = queue->older(s))
      if (queue->is_line(s, line)) ++request.waits_for;
  if (request.waits_for != 0) ++statistics_.ordered_writes;
  request.order = arrivals_++;
  const Fs ready = request.arrival + spec_.request_latency;
  lane.arriving_writes.push(ready, lane.writes.hold(std::move(request)));
  statistics_.backlog_peak = std::max(statistics_.backlog_peak, ++backlog_);
  arm(lane);
}

/// Copies bytes of backlog writes that arrived before number `before` into a read's data; returns which.
ByteMask MemoryController::take_from_backlog(const Lane& lane, Payload& p, ByteMask wanted,
                                             std::uint64_t before) const {
  ByteMask taken;
  const std::uint64_t line = p.get_address();
  for (QueueSlot s = lane.writes.newest(line); s != kNoSlot; s = lane.writes.older(s)) {
    const Request& write = lane.writes[s];
    if (!lane.writes.is_line(s, line) || write.order >= before) continue;
    const ByteMask bytes = write.mask & wanted & ~taken;
    copy_masked(p.get_data_ptr(), write.current()->get_data_ptr(), bytes);
    taken |= bytes;
  }
  return taken;
}

void MemoryController::admit_waiting() {
  admit_round(0, next_read_door_);
  admit_round(spec_.slices_per_controller, next_write_door_);
}

/// Gives room to those that wait, beginning with the slice after the one served last.
void MemoryController::admit_round(std::size_t first_port, std::size_t& turn) {
  const std::size_t slices = spec_.slices_per_controller;
  for (std::size_t i = 0, start = turn; i < slices; ++i) {
    const std::size_t slice = (start + i) % slices, port = first_port + slice;
    Door& door = doors_[port];
    if (!door.waiting || !has_room(port, *door.waiting, 1)) continue;
    turn = (slice + 1) % slices;
    last_round_ = now();
    --doors_waiting_;
    const PayloadRef p = std::exchange(door.waiting, {});
    const Fs arrival = std::max(door.arrival, now());
    door.stall.end(arrival);
    admit(port, *p, arrival);
    socket(port).accept(*p, arrival - now());
  }
}

// -- Answers --------------------------------------------------------------------------------------------------------

void MemoryController::finish(const InFlight& done, Fs delay) {
  if (done.port == kNoPort) return;
  if (done.sent) done.payload->set_response_status(done.sent->get_response_status());
  (is_write_port(done.port) ? statistics_.write_latency : statistics_.read_latency).add(now() + delay - done.arrival);
  socket(done.port).respond(*done.payload, delay);
}

void MemoryController::send_answers() {
  while (is_due(answers_.next())) {
    const InFlight done = answers_.pop();
    done.payload->set_response_status(tlm::TLM_OK_RESPONSE);
    finish(done, 0);
  }
  if (!answers_.empty()) answer_.at(answers_.next());
}

bool MemoryController::on_response(std::size_t channel, Payload& p, Fs delay) {
  Ring<InFlight>& in_flight = lanes_[channel]->in_flight;
  std::size_t i = 0;
  while (i < in_flight.size() && in_flight[i].sent.get() != &p) ++i;
  if (i == in_flight.size()) return true;  // asked for before a reset
  const InFlight finished = in_flight.take(i);
  finish(finished, delay);
  return true;
}

// -- Unit -----------------------------------------------------------------------------------------------------------

void MemoryController::reset() {
  for (auto& lane : lanes_) {
    lane->issue->cancel();
    lane->reads.clear();
    lane->writes.clear();
    lane->arriving_reads.clear();
    lane->arriving_writes.clear();
    lane->in_flight.clear();
    lane->forecast.reset(lane->timing.at_or_after(now()));
    lane->ready_at = 0;
    lane->turn = {};
    lane->wrote_last = false;
    lane->read_age.reset();
    lane->write_age.reset();
    lane->stall.reset();
  }
  for (Door& door : doors_) door = Door{};
  next_read_door_ = next_write_door_ = 0;
  answers_.clear();
  answer_.cancel();
  admit_.cancel();
  doors_waiting_ = 0;
  last_round_ = kNever;
  backlog_ = 0;
  statistics_ = {};
  for (auto& s : reads) s->reset();
  for (auto& s : writes) s->reset();
  for (auto& s : channels) s->reset();
}

bool MemoryController::idle() const {
  for (const auto& lane : lanes_)
    if (lane->reads.size() + lane->writes.size() + lane->in_flight.size() != 0) return false;
  for (const Door& door : doors_)
    if (door.waiting) return false;
  return answers_.empty();
}

}  // namespace gputlm
