// SPDX-License-Identifier: Apache-2.0
//
// BusPort: how a transaction becomes lines, and their answers one.
#include <algorithm>
#include <cstring>
#include <utility>

#include "gputlm/ports/bus_port.h"
#include "gputlm/tlm/passed_on.h"

namespace gputlm {
BusPort::Piece BusPort::piece_at(const Burst& burst, unsigned offset) {
  const Payload& p = *burst.payload;
  const std::uint64_t address = p.get_address() + offset;
  Piece piece{line_of(address), static_cast<unsigned>(address & kLineOffsetMask), 0, offset, {}};
  piece.count = std::min(burst.bytes - offset, kLineBytes - piece.first);
  piece.mask = ByteMask::range(piece.first, piece.count);
  const unsigned char* enables = p.get_byte_enable_ptr();
  if (enables == nullptr) return piece;
  piece.mask = {};
  for (unsigned i = 0; i < piece.count; ++i)
    if (enables[(offset + i) % p.get_byte_enable_length()] != 0) piece.mask.set(piece.first + i);
  return piece;
}

// Moves on to the next line with an enabled byte; false when none is left.
bool BusPort::skip_disabled(Burst& burst) {
  if (burst.barrier) return burst.sent == 0;
  while (burst.sent < burst.bytes) {
    const Piece piece = piece_at(burst, burst.sent);
    if (!piece.mask.empty()) return true;
    burst.sent += piece.count;
  }
  return false;
}

// Sends what may be sent of the burst at the door now. True when nothing of it is left: the door is open again.
bool BusPort::pump() {
  while (!lines.busy()) {
    Burst& burst = *entering_;
    if (!skip_disabled(burst)) {
      entering_ = nullptr;
      answer_if_done(burst, entering_number_);
      return true;
    }
    if (under_way_.size() >= spec_.outstanding_lines) break;
    if (lines_free_ > now()) {
      wake_.at(lines_free_);
      break;
    }
    send(burst);
  }
  return false;
}

void BusPort::send(Burst& burst) {
  const Piece piece = piece_at(burst, burst.sent);
  const PayloadRef line = make_line(burst, piece);
  burst.sent += piece.count;
  ++burst.unanswered;
  under_way_.emplace(line.get(), line);
  ++line_count_;
  if (!burst.barrier) bytes_ += piece.mask.count();
  Fs delay = 0;
  const Sent sent = lines.request(*line, delay);
  if (sent == Sent::withheld) return;
  lines_free_ = now() + delay;
  if (sent == Sent::responded) take_answer(burst, *line, now() + delay);
}

PayloadRef BusPort::make_line(const Burst& burst, const Piece& piece) {
  const Payload& from = *burst.payload;
  const Sideband* asked = find_sideband(from);
  const Operation operation = asked != nullptr  ? asked->operation
                              : from.is_write() ? Operation::store
                                                : Operation::load;
  const bool doubled = burst.bytes < from.get_data_length();
  PayloadRef line = doubled ? pool_.compare_line(piece.line)
                            : pool_.line(from.get_command(), burst.barrier ? 0 : piece.line, operation);
  Sideband& s = *find_sideband(*line);
  if (asked != nullptr) pass_on(*asked, s);
  s.creator = this;
  s.cookie = entering_number_;
  if (burst.barrier) return line;
  const bool loads = operation == Operation::load;
  set_enables(*line, loads && !spec_.byte_exact_loads ? ByteMask::sectors(piece.mask.touched_sectors()) : piece.mask);
  if (loads) return line;
  std::memcpy(line->get_data_ptr() + piece.first, from.get_data_ptr() + piece.offset, piece.count);
  if (doubled)
    std::memcpy(line->get_data_ptr() + kLineBytes + piece.first, from.get_data_ptr() + burst.bytes + piece.offset,
                piece.count);
  return line;
}

void BusPort::on_accepted(std::size_t, Payload&, Fs delay) {
  lines_free_ = now() + delay;
  if (entering_ != nullptr) wake_.at(lines_free_);
}

bool BusPort::on_response(std::size_t, Payload& p, Fs delay) {
  const Sideband& s = *find_sideband(p);
  const auto found = s.creator == this ? bursts_.find(s.cookie) : bursts_.end();
  if (found == bursts_.end()) return true;  // from before a reset
  if (under_way_.count(&p) == 0)
    SC_REPORT_ERROR(lines.name(), "an answer to a line that is not under way");
  else
    take_answer(found->second, p, now() + delay);
  return true;
}

void BusPort::take_answer(Burst& burst, const Payload& line, Fs at) {
  const Sideband& s = *find_sideband(line);
  const bool undone = line.get_command() == tlm::TLM_IGNORE_COMMAND && !s.executed;
  const tlm::tlm_response_status status =
      line.is_response_ok() && undone ? tlm::TLM_COMMAND_ERROR_RESPONSE : line.get_response_status();
  burst.status = std::min(burst.status, status);  // an error hides OK, and of two errors the lower code stays
  burst.executed = burst.executed && s.executed;
  burst.done = std::max(burst.done, at);
  --burst.unanswered;
  const PayloadRef kept = std::move(under_way_.at(&line));
  under_way_.erase(&line);
  if (line.is_response_ok() && (line.is_read() || s.operation == Operation::atomic)) take_data(burst, line);
  answer_if_done(burst, s.cookie);
  if (entering_ != nullptr) wake_.at(std::max(now(), lines_free_));  // room for another line
}

void BusPort::take_data(const Burst& burst, const Payload& line) {
  const Payload& p = *burst.payload;
  const auto offset = static_cast<unsigned>(std::max(line.get_address(), p.get_address()) - p.get_address());
  const Piece piece = piece_at(burst, offset);
  for (unsigned i = 0; i < piece.count; ++i)
    if (piece.mask.test(piece.first + i)) p.get_data_ptr()[offset + i] = line.get_data_ptr()[piece.first + i];
}

void BusPort::answer_if_done(const Burst& burst, std::uint64_t number) {
  if (burst.unanswered > 0 || &burst == entering_) return;
  const Fs at = std::max(now(), burst.done);
  due_.push(at, number);
  wake_.at(at);
}

}  // namespace gputlm
