// SPDX-License-Identifier: Apache-2.0
//
// The LSU's way back: line responses, completion of accesses, fences, debug access and the backdoor.
#include <algorithm>
#include <utility>

#include "gputlm/lsu/lsu.h"
#include "gputlm/tlm/debug_lines.h"

namespace gputlm {
namespace {

bool acquires(const Sideband* s) {
  if (s == nullptr || s->scope == Scope::cta || s->operation == Operation::store) return false;
  return s->semantics == Semantics::acquire || s->semantics == Semantics::acq_rel || s->semantics == Semantics::seq_cst;
}

/// An error hides OK, and of two errors the one with the lower TLM code is kept, whatever their order.
tlm::tlm_response_status worst(tlm::tlm_response_status a, tlm::tlm_response_status b) {
  return std::min(a, b);
}

tlm::tlm_response_status status_of(const Payload& line) {
  const bool undone = line.get_command() == tlm::TLM_IGNORE_COMMAND && !find_sideband(line)->executed;
  return line.is_response_ok() && undone ? tlm::TLM_COMMAND_ERROR_RESPONSE : line.get_response_status();
}

}  // namespace

bool Lsu::on_response(std::size_t, Payload& p, Fs delay) {
  const Sideband* s = find_sideband(p);
  if (s == nullptr || s->creator != this || s->cookie >> 32U != epoch_) return true;  // from before a reset
  if (delay > 0) {
    responses_.push(now() + delay, PayloadRef(p));
    wake_.at(now() + delay);
    return true;
  }
  const bool outer = std::exchange(busy_, true);
  take_response(PayloadRef(p));
  busy_ = outer;
  // What this response has made ready waits for an event: the L1 is in the middle of its call.
  if (!outer && (!controls_.empty() || !fences_.empty())) schedule();
  return true;
}

void Lsu::take_response(const PayloadRef& p) {
  const Sideband& s = *find_sideband(*p);
  const auto slot = static_cast<std::uint32_t>(s.cookie);
  if (observer != nullptr) observer->on_line_response(sm_, *p);
  if (lines_[slot].payload.get() != p.get()) return;  // answered before: nobody waits for it
  const Line sent = lines_.take(slot);
  Access& access = table_[sent.access];
  const tlm::tlm_response_status status = status_of(*p);
  if (status != tlm::TLM_OK_RESPONSE) {
    access.status = worst(access.status, status);
    ++count_.faults;
  }
  switch (s.operation) {
    case Operation::l1_invalidate:
      if (observer != nullptr && status == tlm::TLM_OK_RESPONSE) observer->on_invalidate(sm_);
      answer(sent.access);
      return;
    case Operation::system_barrier:
      for (Fence& fence : fences_)
        if (fence.access == sent.access) fence.barrier_pending = false;
      return;
    default:
      if (status == tlm::TLM_OK_RESPONSE)
        take_data(sent, access);
      else
        report_fault(sent, access, status);
      if (--access.unanswered == 0 && entries_[access.entry].leaving != sent.access) access_finished(sent.access);
  }
}

void Lsu::take_data(const Line& sent, Access& access) {
  if (access.operation != Operation::load && access.operation != Operation::atomic) return;
  gather(find_sideband(*sent.payload)->virtual_address, sent.lanes, sent.payload->get_data_ptr(), *access.payload);
}

void Lsu::report_fault(const Line& sent, const Access& access, tlm::tlm_response_status status) const {
  if (observer == nullptr) return;
  const std::uint64_t line_address = find_sideband(*sent.payload)->virtual_address;
  std::uint64_t address = std::max<std::uint64_t>(line_address, access.payload->get_address());
  if (sent.lanes != 0) {
    // A lane that starts in the line before this one faults at this line's first byte.
    const std::uint64_t lane = access.sideband->lanes->at(static_cast<unsigned>(__builtin_ctz(sent.lanes)));
    address = line_of(lane) == line_address ? lane : line_address;
  }
  observer->on_fault(sm_, *access.payload, address, status);
}

// Every line is back.
void Lsu::access_finished(std::uint32_t slot) {
  Access& access = table_[slot];
  if (access.operation != Operation::load) window_.acknowledge(access.sequence);
  if (access.status == tlm::TLM_OK_RESPONSE && acquires(access.sideband))
    controls_.push_back({Operation::l1_invalidate, slot, now()});
  else
    answer(slot);
}

void Lsu::answer(std::uint32_t slot) {
  const Access access = table_.take(slot);
  Payload& p = *access.payload;
  p.set_response_status(access.status);
  if (access.sideband != nullptr) access.sideband->executed = access.status == tlm::TLM_OK_RESPONSE;
  if (!access.asked) return;
  const Fs latency = now() - access.requested;
  switch (access.operation) {
    case Operation::load:
      count_.load_latency.add(latency);
      break;
    case Operation::store:
      count_.store_latency.add(latency);
      break;
    case Operation::fence:
      count_.fence_latency[static_cast<std::size_t>(find_sideband(p)->scope)].add(latency);
      break;
    default:
      count_.atomic_latency.add(latency);
  }
  if (observer != nullptr) observer->on_access_answered(sm_, p);
  socket_of(access.entry).respond(p);
}

void Lsu::start_fence(std::uint32_t slot, Fs t) {
  const Scope scope = table_[slot].sideband->scope;
  if (scope == Scope::cta) {
    fences_.push_back({slot, scope, 0, t + durations_.cta_fence, false, false});
    return;
  }
  const bool system = scope == Scope::sys;
  fences_.push_back({slot, scope, window_.issued(), t + spec_.gpu_fence_round_trip, system, false});
  if (system) controls_.push_back({Operation::system_barrier, slot, t});
}

bool Lsu::answered(const Fence& fence) const {
  return !fence.barrier_pending && window_.acknowledged() >= fence.after;
}

// True when a fence went on; its invalidate is then at the exit.
bool Lsu::check_fences(Fs t) {
  bool progress = false;
  for (std::size_t i = 0; i < fences_.size();) {
    Fence& fence = fences_[i];
    if (answered(fence) && fence.scope == Scope::sys && !fence.share_added) {
      fence.not_before = std::max(fence.not_before, t) + spec_.sys_fence_sm_share;
      fence.share_added = true;
    }
    if (!answered(fence) || fence.not_before > t) {
      ++i;
      continue;
    }
    const Fence done = fence;
    fences_.erase(fences_.begin() + static_cast<std::ptrdiff_t>(i));
    progress = true;
    if (done.scope == Scope::cta || table_[done.access].status != tlm::TLM_OK_RESPONSE)
      answer(done.access);
    else
      controls_.push_back({Operation::l1_invalidate, done.access, t});
  }
  return progress;
}

void Lsu::fill_queue(unsigned entry, const std::vector<std::uint64_t>& lines) {
  for (const std::uint64_t line_address : lines) {
    if (queued(entry) >= spec_.queue_entries) break;
    const PayloadRef p = pool_.line(tlm::TLM_READ_COMMAND, line_of(line_address), Operation::load);
    Sideband& s = *find_sideband(*p);
    s.semantics = Semantics::weak;
    s.origin.sm = static_cast<std::uint16_t>(sm_);
    set_enables(*p, ByteMask::full());
    admit(entry, *p, now(), now()).asked = false;
  }
  schedule();
}

unsigned Lsu::on_debug(std::size_t, Payload& p) {
  const Sideband* s = find_sideband(p);
  if (s == nullptr || s->lanes == nullptr)
    return debug_range(p.get_command(), p.get_address(), p.get_data_ptr(), p.get_data_length(), &p);
  const WarpLanes& lanes = *s->lanes;
  if (p.get_data_length() < kLanes * lanes.lane_bytes) return 0;
  unsigned count = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    if ((lanes.active >> i & 1U) != 0)
      count += debug_range(p.get_command(), lanes.at(i), p.get_data_ptr() + std::size_t{i} * lanes.lane_bytes,
                           lanes.lane_bytes, nullptr);
  return count;
}

// Line by line down the road; stops at the first piece that nobody serves in full. `enabling` lends its byte enables.
unsigned Lsu::debug_range(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned length,
                          const Payload* enabling) {
  DebugRange range{command, address, data, length};
  if (enabling != nullptr) {
    range.enables = enabling->get_byte_enable_ptr();
    range.enable_length = enabling->get_byte_enable_length();
  }
  return debug_by_lines(*line.operator->(), range);
}

}  // namespace gputlm
