// SPDX-License-Identifier: Apache-2.0
//
// L2Slice: debug access and the backdoor. Neither takes time.

#include "gputlm/l2/l2_slice.h"
#include "gputlm/tlm/line_contract.h"

namespace gputlm {

// A slot that holds every byte asked for answers alone. Else the controller answers first (it sees writes in its
// backlog and DRAM) and what the slot holds lies over that.
unsigned L2Slice::on_debug(std::size_t /*port*/, Payload& p) {
  if (const auto status = check_attributes(p); status != tlm::TLM_OK_RESPONSE) {
    p.set_response_status(status);
    return 0;
  }
  if (p.get_address() >= LineArray::kMemoryBytes) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return 0;
  }
  const DebugSpan span(p);
  const unsigned set = set_of(span.line), way = lines_.find(set, span.line);
  const bool present = way != kNoWay;
  const Slot slot = present ? lines_.slot(set, way) : 0;
  if (p.is_read() && present && lines_.valid(slot).contains(span.mask)) {
    span.to_payload(lines_.data(slot), p);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return span.count;
  }
  const unsigned count = debug_below(p, span.count);
  if (count == 0) return 0;

  if (present && p.is_read()) span.to_payload(lines_.data(slot), p, lines_.valid(slot));
  if (present && p.is_write()) debug_write(slot, span, p);
  if (p.is_write() && !span.mask.empty()) requests.announce_debug_write(p.get_address(), p.get_address() + count - 1);
  return count;
}

// The controller is asked for the first `bytes` of the access.
unsigned L2Slice::debug_below(Payload& p, unsigned bytes) {
  if (p.get_data_length() == bytes) return reads->transport_dbg(p);
  const PayloadRef down =
      pool_.line(p.get_command(), p.get_address(), p.is_read() ? Operation::load : Operation::store);
  down->set_data_ptr(p.get_data_ptr());
  down->set_data_length(bytes);
  down->set_streaming_width(bytes);
  down->set_byte_enable_ptr(p.get_byte_enable_ptr());
  down->set_byte_enable_length(p.get_byte_enable_length());
  const unsigned count = reads->transport_dbg(*down);
  p.set_response_status(down->get_response_status());
  return count;
}

// Bytes that are being fetched become valid, so that the fill, which may be older, goes under them. Bytes on their way
// to the controller in a write-back stay dirty after it, so that the older value cannot have the last word in DRAM.
void L2Slice::debug_write(Slot slot, const DebugSpan& span, const Payload& p) {
  PendingLine* pending = pending_line(slot);
  ByteMask held = lines_.valid(slot) & span.mask;
  if (pending != nullptr) {
    held |= span.mask & ByteMask::sectors(pending->in_flight);
    pending->deferred &= ~span.mask;
  }
  span.from_payload(p, lines_.data(slot), held);
  lines_.valid(slot) |= held;
  if (sent_.open && sent_.slot == slot) sent_.stored_again |= held & sent_.mask;
  recount(slot);
  if (!uncovered(slot).empty()) leave_fifo(slot);  // the controller must be given it once more
}

L2Way L2Slice::way(unsigned set, unsigned way) const {
  const Slot slot = lines_.slot(set, way);
  L2Way state;
  state.present = lines_.present(slot);
  if (!state.present) return state;
  state.line = lines_.line(slot);
  state.valid = lines_.valid(slot);
  state.dirty = lines_.dirty(slot);
  state.rrpv = lines_.rrpv(slot);
  state.eviction = eviction_class(lines_.flags(slot));
  state.last_use = lines_.last_use(slot);
  state.last_store = lines_.last_store(slot);
  state.in_fifo = (lines_.flags(slot) & SlotFlag::in_fifo) != 0;
  state.writing = (lines_.flags(slot) & (SlotFlag::queued | SlotFlag::sent)) != 0;
  if (const PendingLine* pending = pending_line(slot)) state.fetching = pending->in_flight;
  return state;
}

std::vector<L2Way> L2Slice::view_set(unsigned set) const {
  std::vector<L2Way> ways;
  for (unsigned w = 0; w < lines_.ways(); ++w) ways.push_back(way(set, w));
  return ways;
}

std::vector<unsigned> L2Slice::fifo(unsigned set) const {
  std::vector<unsigned> ways;
  for (unsigned i = 0; i < fifo_.size(set); ++i) ways.push_back(fifo_.way(set, i));
  return ways;
}

void L2Slice::set_way(unsigned set, unsigned way, const L2Way& state, const unsigned char* bytes) {
  const Slot slot = lines_.slot(set, way);
  if ((lines_.flags(slot) & (SlotFlag::queued | SlotFlag::sent)) != 0 || is_fetching(slot))
    SC_REPORT_FATAL(name(), "the backdoor was used on a way that is on its way in or out");
  if (state.line >= LineArray::kMemoryBytes)
    SC_REPORT_FATAL(name(), "the backdoor was given a line past the memory that tags reach");
  if ((lines_.flags(slot) & SlotFlag::in_fifo) != 0) fifo_.remove(set, way);
  lines_.flags(slot) &= static_cast<std::uint8_t>(~SlotFlag::in_fifo);
  set_dirty(slot, ByteMask{});
  recount(slot);
  if (!state.present) {
    lines_.release(slot);
    return;
  }
  lines_.allocate(slot, state.line);
  lines_.valid(slot) = state.valid | state.dirty;
  set_dirty(slot, state.dirty);
  lines_.rrpv(slot) = static_cast<std::uint8_t>(state.rrpv);
  lines_.last_use(slot) = state.last_use;
  lines_.last_store(slot) = state.last_store;
  set_eviction_class(lines_.flags(slot), state.eviction);
  recount(slot);
  order_ = std::max({order_, state.last_use, state.last_store});
  if (bytes != nullptr) std::copy_n(bytes, kLineBytes, lines_.data(slot));
  if (!state.in_fifo) return;
  lines_.flags(slot) |= SlotFlag::in_fifo;
  fifo_.push(set, way);
  recount(slot);
}

L2SliceState L2Slice::state() const {
  L2SliceState state{replacement_->state(), idle_set_, {}};
  for (unsigned set = 0; set < lines_.sets(); ++set) {
    L2SetState& of_set = state.sets.emplace_back(L2SetState{{}, fifo_.fills(set), fifo_.owed(set)});
    for (unsigned w = 0; w < lines_.ways(); ++w) of_set.replacement.push_back(lines_.rrpv(lines_.slot(set, w)));
  }
  return state;
}

void L2Slice::set_state(const L2SliceState& state) {
  if (!replacement_->set_state(state.replacement) || state.cleaned_set >= lines_.sets() ||
      state.sets.size() != lines_.sets())
    SC_REPORT_FATAL(name(), "the backdoor was given a state of another slice");
  idle_set_ = state.cleaned_set;
  for (unsigned set = 0; set < lines_.sets(); ++set) {
    fifo_.set_account(set, state.sets[set].fills, state.sets[set].owed);
    for (unsigned w = 0; w < lines_.ways(); ++w) lines_.rrpv(lines_.slot(set, w)) = state.sets[set].replacement.at(w);
  }
}

}  // namespace gputlm
