// SPDX-License-Identifier: Apache-2.0
#include "gputlm/warp/warp_scheduler.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gputlm {

WarpScheduler::WarpScheduler(const sc_core::sc_module_name& name, const WarpSpec& spec, unsigned sm, PayloadPool& pool)
    : Unit(name),
      spec_(spec),
      sm_(sm),
      pool_(pool),
      issue_interval_(cycles_to_fs(spec.issue_interval, spec.clock_hz)),
      memory_interval_(cycles_to_fs(spec.memory_issue_interval, spec.clock_hz)),
      wake_("wake", [this] { run(); }),
      subs_(spec.sub_partitions),
      warps_(std::size_t{spec.sub_partitions} * spec.warps_per_sub_partition),
      candidates_(warps_.size()),
      ctas_(spec.max_ctas) {
  if (issue_interval_ <= 0 || spec.scoreboards > kMaxScoreboards)
    SC_REPORT_FATAL(this->name(), "the issue interval is not positive, or there are more than 8 scoreboards");
  for (unsigned i = 0; i < spec.sub_partitions; ++i)
    accesses.push_back(
        std::make_unique<InitiatorSocket<WarpScheduler>>(("access_" + std::to_string(i)).c_str(), *this, i));
  for (unsigned i = 0; i < spec.sub_partitions; ++i) subs_[i].last = spec.warps_per_sub_partition - 1;
}

bool WarpScheduler::can_take(unsigned warps) const {
  return resident_ + warps <= warps_.size() && ctas_resident_ < ctas_.size();
}

void WarpScheduler::launch(CtaLaunch&& launched) {
  if (launched.warps.empty() || !can_take(static_cast<unsigned>(launched.warps.size())))
    SC_REPORT_FATAL(name(), "a CTA is launched that has no warp or finds no room");
  count_residency();
  const auto free = std::find_if(ctas_.begin(), ctas_.end(), [](const Cta& c) { return c.live == 0; });
  *free = {launched.kernel, launched.cta, static_cast<unsigned>(launched.warps.size()), {}};
  unsigned slot = 0;
  for (auto& program : launched.warps) {
    while (warps_[slot].program) ++slot;
    Warp& warp = warps_[slot];
    const auto stalls = warp.stalls;
    warp = Warp{};
    warp.stalls = stalls;
    warp.program = std::move(program);
    warp.cta = static_cast<unsigned>(free - ctas_.begin());
    warp.earliest = now();
    settle(slot);
  }
  resident_ += free->live;
  resident_peak_ = std::max(resident_peak_, resident_);
  ++ctas_resident_;
  for (unsigned sub = 0; sub < subs_.size(); ++sub) schedule(sub);
}

void WarpScheduler::run() {
  const Fs t = now();
  while (responses_.next() <= t) finish(responses_.pop());
  for (unsigned sub = 0; sub < subs_.size(); ++sub) {
    if (subs_[sub].next <= t) {
      issue_from(sub, t);
      schedule(sub);
    } else {
      wake_.at(subs_[sub].next);
    }
  }
  wake_.at(responses_.next());
}

// Loose round robin: the first eligible warp behind the one issued last.
void WarpScheduler::issue_from(unsigned sub, Fs t) {
  SubPartition& s = subs_[sub];
  const unsigned count = spec_.warps_per_sub_partition;
  for (unsigned i = 1; i <= count; ++i) {
    const unsigned local = s.last + i < count ? s.last + i : s.last + i - count;
    const Candidate& c = candidates_[sub * count + local];
    const Fs at = issue_time(sub, c);
    if (at > t) continue;
    s.last = local;
    s.next_issue = at + issue_interval_;
    if (c.needs_port) s.next_memory = at + memory_interval_;
    issue(slot_of(sub, local), at);
    return;
  }
}

// When the warp can issue as things stand; kNever: not before an event.
Fs WarpScheduler::issue_time(unsigned sub, const Candidate& c) const {
  if (c.ready == kNever) return kNever;
  const SubPartition& s = subs_[sub];
  const Fs at = std::max(c.ready, s.next_issue);
  if (!c.needs_port) return at;
  return accesses[sub]->busy() ? kNever : std::max(at, s.next_memory);
}

void WarpScheduler::schedule(unsigned sub) {
  SubPartition& s = subs_[sub];
  s.next = kNever;
  for (unsigned local = 0; local < spec_.warps_per_sub_partition; ++local)
    s.next = std::min(s.next, issue_time(sub, candidates_[sub * spec_.warps_per_sub_partition + local]));
  if (s.next != kNever) wake_.at(std::max(s.next, now()));
}

bool WarpScheduler::starts_with_fence(const Warp& warp) const {
  const WarpInstruction& next = warp.next;
  switch (next.kind) {
    case WarpInstruction::Kind::memory:
      return next.operation != Operation::load &&
             (next.semantics == Semantics::release || next.semantics == Semantics::acq_rel ||
              next.semantics == Semantics::seq_cst);
    case WarpInstruction::Kind::cta_barrier:
      return warp.unordered && ctas_[warp.cta].live > 1;
    default:
      return false;
  }
}

bool WarpScheduler::needs_port(const Warp& warp) const {
  return warp.next.kind == WarpInstruction::Kind::memory || warp.next.kind == WarpInstruction::Kind::fence ||
         (!warp.fenced && starts_with_fence(warp));
}

// Why the warp can do nothing before an event; none: only time holds it.
std::optional<WarpScheduler::Stall> WarpScheduler::waits_for(const Warp& warp) const {
  using Kind = WarpInstruction::Kind;
  if (warp.accepting != nullptr) return Stall::queue_full;
  if (warp.awaiting != nullptr)
    return find_sideband(*warp.awaiting)->operation == Operation::fence ? Stall::fence : Stall::scoreboard;
  if (warp.at_barrier) return Stall::barrier;
  if (!warp.fetched) return std::nullopt;
  const WarpInstruction& next = warp.next;
  for (unsigned waits = next.wait_scoreboards; waits != 0; waits &= waits - 1)
    if (warp.pending[static_cast<unsigned>(__builtin_ctz(waits))] > 0) return Stall::scoreboard;
  if (warp.loads == 0) return std::nullopt;
  if (next.kind == Kind::exit) return Stall::scoreboard;
  // A CTA barrier's fence needs no data back: within the SM, order at L1 is enough.
  const bool fences =
      next.kind == Kind::fence || (next.kind == Kind::memory && !warp.fenced && starts_with_fence(warp));
  return fences ? std::optional(Stall::fence) : std::nullopt;
}

// When the previous instruction's stall and the compute instructions that `next` waits for are over.
Fs WarpScheduler::ready_at(const Warp& warp) const {
  Fs ready = warp.earliest;
  for (unsigned waits = warp.next.wait_scoreboards; waits != 0; waits &= waits - 1)
    ready = std::max(ready, warp.marked_until[static_cast<unsigned>(__builtin_ctz(waits))]);
  return ready;
}

// Brings the candidate and the stall clock up to date after anything that the warp may have waited for, and fetches the
// next instruction once nothing of the previous one holds the warp.
void WarpScheduler::settle(unsigned slot) {
  Warp& warp = warps_[slot];
  auto cause = waits_for(warp);
  if (!cause && !warp.fetched) {
    warp.next = warp.faulted ? WarpInstruction{} : warp.program->fetch();
    warp.fetched = true;
    warp.fenced = false;
    cause = waits_for(warp);
  }
  Candidate& c = candidate(slot);
  if (!cause) {
    warp.stalls.end(std::max(now(), warp.stalled_since));
    c = {std::max(ready_at(warp), now()), needs_port(warp)};
    return;
  }
  c.ready = kNever;
  if (warp.stalls.stalled() && warp.stalls.cause() == *cause) return;
  if (warp.stalls.stalled()) warp.stalls.end(std::max(now(), warp.stalled_since));
  // Time up to `earliest` is the previous instruction's own and not lost, unless that one is still on its way.
  warp.stalled_since = *cause == Stall::queue_full ? now() : std::max(warp.earliest, now());
  warp.stalls.begin(*cause, warp.stalled_since);
}

void WarpScheduler::on_accepted(std::size_t port, Payload& p, Fs delay) {
  if (--waiting_ports_ == 0 && observer != nullptr) observer->on_throttled(sm_, false);
  const unsigned slot = find_sideband(p)->origin.warp;
  Warp& warp = warps_[slot];
  warp.accepting = nullptr;
  warp.earliest = std::max(warp.earliest, now() + delay);
  subs_[port].next_memory = std::max(subs_[port].next_memory, now() + delay);
  settle(slot);
  schedule(static_cast<unsigned>(port));
}

bool WarpScheduler::on_response(std::size_t, Payload& p, Fs delay) {
  const Sideband* s = find_sideband(p);
  if (s == nullptr || s->creator != this || s->cookie >> 32U != epoch_) return true;  // from before a reset
  if (delay > 0) {
    responses_.push(now() + delay, PayloadRef(p));
    wake_.at(now() + delay);
  } else {
    finish(PayloadRef(p));
  }
  return true;
}

void WarpScheduler::reset() {
  ++epoch_;
  wake_.cancel();
  for (auto& socket : accesses) socket->reset();
  for (Warp& warp : warps_) warp = Warp{};
  std::fill(candidates_.begin(), candidates_.end(), Candidate{});
  std::fill(ctas_.begin(), ctas_.end(), Cta{});
  std::fill(subs_.begin(), subs_.end(), SubPartition{spec_.warps_per_sub_partition - 1});
  in_flight_.clear();
  free_places_.clear();
  responses_.clear();
  resident_ = ctas_resident_ = waiting_ports_ = 0;
  issued_ = {};
  ctas_retired_ = faults_ = 0;
  resident_peak_ = 0;
  residency_since_ = now();
  residency_ns_ = 0;
}

}  // namespace gputlm
