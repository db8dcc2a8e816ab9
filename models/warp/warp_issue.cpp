// SPDX-License-Identifier: Apache-2.0
//
// What an issued instruction does, and what a response brings.
#include <algorithm>
#include <utility>

#include "gputlm/warp/warp_scheduler.h"

namespace gputlm {
namespace {

bool returns_data(Operation operation) {
  return operation == Operation::load || operation == Operation::atomic;
}

bool acquires(const WarpInstruction& i) {
  return returns_data(i.operation) &&
         (i.semantics == Semantics::acquire || i.semantics == Semantics::acq_rel || i.semantics == Semantics::seq_cst);
}

}  // namespace

void WarpScheduler::issue(unsigned slot, Fs at) {
  using Kind = WarpInstruction::Kind;
  Warp& warp = warps_[slot];
  if (!warp.fenced && starts_with_fence(warp)) {
    const bool barrier = warp.next.kind == Kind::cta_barrier;
    warp.earliest = at;
    issue_fence(slot, barrier ? Scope::cta : warp.next.scope, Semantics::acq_rel);
    settle(slot);
    return;
  }
  const WarpInstruction instruction = warp.next;
  ++issued_[static_cast<std::size_t>(instruction.kind)];
  if (observer != nullptr) observer->on_issue(sm_, slot, warp.index, instruction);
  warp.earliest = at + cycles_to_fs(instruction.stall_cycles, spec_.clock_hz);
  warp.fetched = false;
  switch (instruction.kind) {
    case Kind::memory:
      issue_access(slot, instruction);
      break;
    case Kind::fence:
      issue_fence(slot, instruction.scope, instruction.semantics);
      break;
    case Kind::compute:
      if (instruction.set_scoreboard < spec_.scoreboards) {
        Fs& until = warp.marked_until[instruction.set_scoreboard];
        until = std::max(until, at + cycles_to_fs(instruction.latency_cycles, spec_.clock_hz));
      }
      break;
    case Kind::cta_barrier:
      arrive(slot, instruction);
      break;
    case Kind::exit:
      retire(slot);
      return;
  }
  ++warp.index;
  settle(slot);
}

void WarpScheduler::issue_access(unsigned slot, const WarpInstruction& instruction) {
  Warp& warp = warps_[slot];
  PayloadRef p = pool_.warp(instruction.operation);
  Sideband& s = *find_sideband(*p);
  s.semantics = instruction.semantics;
  s.scope = instruction.scope;
  s.function = instruction.function;
  s.eviction = instruction.eviction;
  s.lanes->scoreboard = instruction.set_scoreboard;
  warp.program->operands(*s.lanes, p->get_data_ptr());
  s.word_bytes = s.lanes->lane_bytes;
  finish_warp(*p);
  warp.unordered = true;
  if (returns_data(instruction.operation)) {
    ++warp.loads;
    if (instruction.set_scoreboard < spec_.scoreboards) ++warp.pending[instruction.set_scoreboard];
  }
  send(slot, std::move(p), acquires(instruction));
}

void WarpScheduler::issue_fence(unsigned slot, Scope scope, Semantics semantics) {
  PayloadRef p = pool_.warp(Operation::fence);
  Sideband& s = *find_sideband(*p);
  s.semantics = semantics;
  s.scope = scope;
  finish_warp(*p);
  send(slot, std::move(p), true);
}

// `blocks`: the warp does nothing until the response.
void WarpScheduler::send(unsigned slot, PayloadRef p, bool blocks) {
  Warp& warp = warps_[slot];
  const Cta& cta = ctas_[warp.cta];
  Sideband& s = *find_sideband(*p);
  s.origin = {static_cast<std::uint16_t>(sm_), static_cast<std::uint16_t>(slot), warp.index, cta.kernel, cta.number};
  s.creator = this;
  if (free_places_.empty()) {
    free_places_.push_back(static_cast<std::uint32_t>(in_flight_.size()));
    in_flight_.emplace_back();
  }
  s.cookie = std::uint64_t{epoch_} << 32U | free_places_.back();
  in_flight_[free_places_.back()] = p;
  free_places_.pop_back();
  if (blocks) warp.awaiting = p.get();
  Fs delay = 0;
  switch (accesses[slot % spec_.sub_partitions]->request(*p, delay)) {
    case Sent::accepted:
      warp.earliest = std::max(warp.earliest, now() + delay);
      break;
    case Sent::withheld:
      warp.accepting = p.get();
      if (waiting_ports_++ == 0 && observer != nullptr) observer->on_throttled(sm_, true);
      break;
    case Sent::responded:
      responses_.push(now() + delay, std::move(p));
  }
}

void WarpScheduler::arrive(unsigned slot, const WarpInstruction& instruction) {
  Warp& warp = warps_[slot];
  Cta& cta = ctas_[warp.cta];
  if (instruction.barrier_waits) warp.at_barrier = instruction.barrier;
  Cta::Barrier& barrier = cta.barriers[instruction.barrier];
  barrier.expected = instruction.barrier_warps;
  ++barrier.arrived;
  release_if_complete(cta, instruction.barrier);
}

void WarpScheduler::release_if_complete(Cta& cta, std::uint8_t number) {
  Cta::Barrier& barrier = cta.barriers[number];
  if (barrier.arrived == 0 || barrier.arrived != (barrier.expected != 0 ? barrier.expected : cta.live)) return;
  barrier.arrived = 0;
  const auto index = static_cast<unsigned>(&cta - ctas_.data());
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    Warp& warp = warps_[slot];
    if (!warp.program || warp.cta != index || warp.at_barrier != number) continue;
    warp.at_barrier.reset();
    settle(slot);
  }
  for (unsigned sub = 0; sub < subs_.size(); ++sub) schedule(sub);
}

void WarpScheduler::retire(unsigned slot) {
  count_residency();
  Warp& warp = warps_[slot];
  Cta& cta = ctas_[warp.cta];
  warp.program.reset();
  candidate(slot).ready = kNever;
  --resident_;
  if (--cta.live > 0) {
    for (std::uint8_t number = 0; number < kBarriers; ++number) release_if_complete(cta, number);
    return;
  }
  --ctas_resident_;
  ++ctas_retired_;
  if (observer != nullptr) observer->on_cta_retired(sm_, cta.kernel, cta.number);
}

void WarpScheduler::finish(const PayloadRef& p) {
  const Sideband& s = *find_sideband(*p);
  if (in_flight_[static_cast<std::uint32_t>(s.cookie)].get() != p.get()) return;  // answered before
  drop(*p);
  Warp& warp = warps_[s.origin.warp];
  const bool ok = p->is_response_ok();
  if (observer != nullptr) observer->on_access_done(sm_, *p);
  if (!ok) fault(*p);
  // Only stores and reductions outlive their warp, and nothing of it waits for them.
  if (!returns_data(s.operation) && s.operation != Operation::fence) return;
  if (returns_data(s.operation)) {
    --warp.loads;
    if (s.lanes->scoreboard < spec_.scoreboards) --warp.pending[s.lanes->scoreboard];
    if (ok) warp.program->returned(*p);
  }
  if (warp.awaiting == p.get()) {
    warp.awaiting = nullptr;
    if (s.operation == Operation::fence) {
      warp.fenced = warp.fetched;
      warp.unordered = false;
    }
  }
  settle(s.origin.warp);
  schedule(s.origin.warp % spec_.sub_partitions);
}

void WarpScheduler::drop(const Payload& p) {
  const auto place = static_cast<std::uint32_t>(find_sideband(p)->cookie);
  in_flight_[place].reset();
  free_places_.push_back(place);
}

void WarpScheduler::fault(const Payload& p) {
  ++faults_;
  const Origin& origin = find_sideband(p)->origin;
  Warp& warp = warps_[origin.warp];
  const Cta& cta = ctas_[warp.cta];
  // A store's acknowledgement may come when the warp has gone and its slot belongs to another CTA.
  if (warp.program && cta.kernel == origin.kernel && cta.number == origin.cta) {
    warp.faulted = true;
    if (warp.fetched) warp.next = WarpInstruction{};
    settle(origin.warp);
    schedule(origin.warp % spec_.sub_partitions);
  }
  if (observer != nullptr)
    observer->on_warp_fault(sm_, origin.warp, origin.instruction, p.get_address(), p.get_response_status());
}

void WarpScheduler::count_residency() {
  residency_ns_ += resident_ * to_ns(now() - residency_since_);
  residency_since_ = now();
}

}  // namespace gputlm
