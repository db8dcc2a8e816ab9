// SPDX-License-Identifier: Apache-2.0
//
// The controller's untimed side: debug access that sees and changes every copy, and the backdoor for tests.
#include <utility>

#include "gputlm/dram/memory_controller.h"
#include "gputlm/tlm/debug_span.h"

namespace gputlm {

unsigned MemoryController::on_debug(std::size_t /*port*/, Payload& p) {
  if (p.get_address() >= spec_.capacity) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return 0;
  }
  const DebugSpan span(p);
  const unsigned channel = map_.channel_of(span.line);
  Lane& lane = *lanes_[channel];
  const unsigned count = (*channels[channel])->transport_dbg(p);
  if (p.is_write()) {
    patch_backlog(lane.writes, p);
    patch_reads_under_way(p);
    return count;
  }
  ByteMask left = span.mask;
  for (QueueSlot s = lane.writes.newest(span.line); s != kNoSlot; s = lane.writes.older(s)) {
    if (!lane.writes.is_line(s, span.line)) continue;
    DebugSpan part = span;
    part.mask &= lane.writes[s].mask & left;
    left &= ~part.mask;
    part.to_payload(lane.writes[s].current()->get_data_ptr(), p);
  }
  return count;
}

/// Bytes that backlog writes would put over those of a debug write are replaced in a copy of each.
void MemoryController::patch_backlog(RequestQueue& writes, const Payload& p) {
  const DebugSpan span(p);
  for (QueueSlot s = writes.newest(span.line); s != kNoSlot; s = writes.older(s)) {
    Request& write = writes[s];
    DebugSpan part = span;
    part.mask &= write.mask;
    if (!writes.is_line(s, span.line) || part.mask.empty()) continue;
    if (!write.patched) {
      write.patched = pool_.line(tlm::TLM_WRITE_COMMAND, span.line, Operation::store);
      set_enables(*write.patched, write.mask);
      copy_masked(write.patched->get_data_ptr(), write.payload->get_data_ptr(), write.mask);
    }
    part.from_payload(p, write.patched->get_data_ptr());
  }
}

/// Reads whose data are captured already, but not delivered, get the bytes of a debug write.
void MemoryController::patch_reads_under_way(const Payload& p) {
  const DebugSpan span(p);
  auto patch = [&](const InFlight& f) {
    if (!f.payload->is_read() || f.payload->get_address() != span.line) return;
    DebugSpan part = span;
    part.mask &= ByteMask::of(*f.payload);
    part.from_payload(p, f.payload->get_data_ptr());
  };
  for (const auto& lane : lanes_)
    for (std::size_t i = 0; i < lane->in_flight.size(); ++i) patch(lane->in_flight[i]);
  answers_.for_each([&](Fs /*due*/, const InFlight& f) { patch(f); });
}

void MemoryController::fill_read_queue(const std::vector<std::uint64_t>& lines) {
  for (const std::uint64_t line : lines) {
    const PayloadRef p = pool_.line(tlm::TLM_READ_COMMAND, line_of(line), Operation::load);
    set_enables(*p, ByteMask::full());
    if (has_room(0, *p, 1)) admit_read(kNoPort, *p, now());
  }
}

void MemoryController::fill_write_queue(const std::vector<std::uint64_t>& lines) {
  for (const std::uint64_t line : lines) {
    if (backlog_ >= spec_.write_queue_entries) return;
    PayloadRef p = pool_.line(tlm::TLM_READ_COMMAND, line_of(line), Operation::store);
    if (on_debug(0, *p) == 0) continue;
    p->set_command(tlm::TLM_WRITE_COMMAND);
    p->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    Request request;
    request.at = map_.locate(p->get_address());
    request.mask = ByteMask::full();
    request.payload = std::move(p);
    request.arrival = now();
    request.port = kNoPort;
    hold_write(std::move(request));
  }
}

}  // namespace gputlm
