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

void WarpScheduler::explain(std::ostream& out) const {
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    const Warp& warp = warps_[slot];
    if (!warp.program || !warp.stalls.stalled()) continue;
    const Cta& cta = ctas_[warp.cta];
    out << name() << ": warp " << slot << " (kernel " << cta.kernel << ", CTA " << cta.number << ", instruction "
        << warp.index << ") waits for " << kCauseNames[static_cast<std::size_t>(warp.stalls.cause())] << " since "
        << to_ns(warp.stalled_since) << " ns\n";
  }
  for (const PayloadRef& p : in_flight_) {
    if (!p) continue;
    const Sideband& s = *find_sideband(*p);
    out << name() << ": warp " << s.origin.warp << "'s " << name_of(s.operation) << " (instruction "
        << s.origin.instruction << ", address 0x" << std::hex << s.virtual_address << std::dec
        << ") has no response; held by the LSU\n";
  }
}

}  // namespace gputlm
