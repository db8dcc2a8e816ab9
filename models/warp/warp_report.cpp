// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "gputlm/warp/warp_scheduler.h"

namespace gputlm {
namespace {

constexpr const char* kCauseNames[] = {"room in the LSU's queue", "load data", "a fence", "the CTA's other warps"};

}  // namespace

double WarpScheduler::stall_ns(Stall cause) const {
  return std::accumulate(warps_.begin(), warps_.end(), 0.0, [cause](double sum, const Warp& warp) {
    return sum + to_ns(warp.stalls.total(cause, std::max(now(), warp.stalled_since)));
  });
}

std::optional<WarpScheduler::WarpView> WarpScheduler::view(unsigned slot) const {
  const Warp& warp = warps_[slot];
  if (!warp.program) return std::nullopt;
  const Cta& cta = ctas_[warp.cta];
  return WarpView{cta.kernel, cta.number,      warp.index,
                  warp.loads, waits_for(warp), candidates_[candidate_index(slot)].ready};
}

void WarpScheduler::report(StatisticsSink& sink) const {
  using Kind = WarpInstruction::Kind;
  auto issued = [this](Kind k) { return issued_[static_cast<std::size_t>(k)]; };
  sink.count("instructions", "instruction", "instructions issued, all kinds",
             std::accumulate(issued_.begin(), issued_.end(), std::uint64_t{0}));
  sink.count("memory_instructions", "instruction", "loads, stores, reductions and atomics issued",
             issued(Kind::memory));
  sink.count("fences", "instruction", "fence instructions issued (releases and barriers not counted)",
             issued(Kind::fence));
  sink.count("barriers", "instruction", "CTA barrier arrivals", issued(Kind::cta_barrier));
  sink.count("warps", "warp", "warps that exited", issued(Kind::exit));
  sink.count("ctas", "CTA", "CTAs that retired", ctas_retired_);
  sink.count("faults", "access", "accesses answered with an error", faults_);
  sink.count("warps_peak", "warp", "most warps resident at once", resident_peak_);
  sink.value("warp_time", "warp x ns", "resident warps integrated over time",
             residency_ns_ + resident_ * to_ns(now() - residency_since_));
  sink.value("stall_queue_full", "ns", "warp time lost to a withheld END_REQ at the LSU", stall_ns(Stall::queue_full));
  sink.value("stall_scoreboard", "ns", "warp time lost waiting for load or atomic data", stall_ns(Stall::scoreboard));
  sink.value("stall_fence", "ns", "warp time lost in fences and releases", stall_ns(Stall::fence));
  sink.value("stall_barrier", "ns", "warp time lost at CTA barriers", stall_ns(Stall::barrier));
}

void WarpScheduler::list_waits(WaitList& waits) const {
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    const Warp& warp = warps_[slot];
    if (!warp.program || !warp.stalls.stalled()) continue;
    const Cta& cta = ctas_[warp.cta];
    Origin whole;
    whole.sm = static_cast<std::uint16_t>(sm_);
    whole.warp = static_cast<std::uint16_t>(slot);
    whole.instruction = Wait::kWholeWarp;
    // Other warps may lawfully let this one wait for ever so long.
    const bool barrier = warp.stalls.cause() == Stall::barrier;
    waits.add(*this, whole,
              "warp " + std::to_string(slot) + " (kernel " + std::to_string(cta.kernel) + ", CTA " +
                  std::to_string(cta.number) + ", instruction " + std::to_string(warp.index) + ") waits for " +
                  kCauseNames[static_cast<std::size_t>(warp.stalls.cause())],
              barrier ? kNever : warp.stalled_since);
  }
  for (const PayloadRef& p : in_flight_) {
    if (!p) continue;
    const Sideband& s = *find_sideband(*p);
    const bool acknowledged = s.operation == Operation::store || s.operation == Operation::reduction;
    waits.add(*this, s.origin,
              std::string("the ") + (acknowledged ? "acknowledgement" : "response") + " of its " +
                  name_of(s.operation) + " at " + hex_text(s.virtual_address) + " (instruction " +
                  std::to_string(s.origin.instruction) + ") is missing",
              kNever, "held by the LSU");
  }
}

}  // namespace gputlm
