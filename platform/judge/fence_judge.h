// SPDX-License-Identifier: Apache-2.0
//
// The fence judge holds load/store units and schedulers to what fences, releases and acquires promise. The scoreboard
// knows what each byte must be where it is served; this judge knows when an SM may go on:
//
// - A warp sends nothing between a fence or an acquire and its answer.
// - Nothing of a warp leaves for L1 after the answer of a fence that stands behind it in the program.
// - A fence of gpu or sys scope starts when the warp's loads are back (one of cta scope, too, unless it is a CTA
//   barrier's), and is answered when every store, reduction and atomic that the SM had sent before it, and the warp's
//   own earlier ones, are acknowledged; of sys scope when the host's ordering point has answered its barrier, too.
//   Then, and not before, L1 is dropped, and then the fence is answered.
// - An acquire of gpu or sys scope is answered when L1 was dropped after its data had come.
// - A release follows a fence of its scope. A fence instruction sends a fence. A warp whose CTA has others reaches a
//   CTA barrier with its accesses fenced.
//
// That an acknowledged store was performed, and that L1 shows nothing that an invalidate took away, the scoreboard
// judges. Together that is what the arguments of docs/memory-model.md stand on.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "gputlm/judge/findings.h"
#include "gputlm/judge/line_table.h"
#include "gputlm/l1/l1_observer.h"
#include "gputlm/lsu/lsu_observer.h"
#include "gputlm/warp/warp_observer.h"

namespace gputlm {

/// One for all SMs. Accesses that are no warp's count as the SM's stores and are not judged themselves.
class FenceJudge : public WarpObserver, public LsuObserver, public L1Observer {
 public:
  /// A warp access is shown to the load/store unit (BEGIN_REQ), before the unit does anything with it.
  void on_access(unsigned sm, const Payload& access);
  /// The host's ordering point answers a system barrier.
  void on_barrier_answered(const Payload& barrier);

  std::uint64_t findings() const { return findings_.total(); }
  /// Fences and acquires that were answered.
  std::uint64_t judged() const { return judged_; }
  /// One line per kept finding, and how many there were in all.
  void print(std::ostream& out) const;
  void reset() { *this = FenceJudge{}; }

  // -- WarpObserver --------------------------------------------------------------------------------------------------
  void on_issue(unsigned sm, unsigned warp, std::uint32_t index, const WarpInstruction& instruction) override;

  // -- LsuObserver ---------------------------------------------------------------------------------------------------
  void on_line_request(unsigned sm, const Payload& line) override;
  void on_line_response(unsigned sm, const Payload& line) override;
  void on_access_answered(unsigned sm, const Payload& access) override;

  // -- L1Observer ----------------------------------------------------------------------------------------------------
  void on_invalidate_all(unsigned sm) override;

 private:
  static constexpr std::uint32_t kNoInstruction = 0xffffffffU;

  /// A fence or an acquire that its warp waits for.
  struct Waiting {
    const Payload* access;
    Sideband what;
    std::uint64_t after = 0;     ///< Fence: the SM's writes below this number count.
    unsigned lines = 0;          ///< Acquire: lines on their way.
    bool host_answered = false;  ///< Its system barrier.
    bool dropped = false;        ///< L1, with nothing left to wait for.
  };
  /// A store, reduction or atomic between the load/store unit and its acknowledgement.
  struct Write {
    std::uint64_t number = 0;
    Origin origin;
    std::uint64_t address = 0;
  };
  /// What runs in a warp's slot.
  struct Warp {
    bool known = false;  ///< It has sent something; kernel and CTA are its.
    std::uint32_t kernel = 0, cta = 0;
    unsigned loads = 0;                        ///< Loads and atomics without their data.
    std::uint32_t fence_due = kNoInstruction;  ///< A fence instruction that has sent no fence yet.
    std::uint32_t fenced_at = kNoInstruction;  ///< The instruction that sent the latest fence, and its scope.
    Scope fenced_scope = Scope::cta;
    bool unordered = false;  ///< Something was sent since the latest fence.
  };
  struct Sm {
    std::vector<Warp> warps;
    std::vector<Waiting> waiting;
    LineTable<Write> writes;  ///< By the payload's place in host memory: payloads are further apart than lines.
    std::uint64_t next = 0;   ///< Number of the next write.
  };

  Sm& sm_of(unsigned sm);
  Warp& warp_of(Sm& sm, unsigned warp);
  Warp& warp_of(Sm& sm, const Origin& origin);
  static Waiting* find_waiting(Sm& sm, const Origin& origin);
  static const Write* missing_write(const Sm& sm, const Waiting& fence);
  void check_fence(unsigned sm, const Waiting& fence);
  void check_barrier(unsigned sm, unsigned warp, std::uint32_t index);
  void report(unsigned sm, const Sideband& what, const std::string& text);

  std::vector<Sm> sms_;
  FindingLog findings_;
  std::uint64_t judged_ = 0;
};

}  // namespace gputlm
