// SPDX-License-Identifier: Apache-2.0
//
// Warp schedulers of one SM: four sub-partitions of twelve warps that feed the load/store unit.
//
// Warp slot w belongs to sub-partition w mod 4. Each scheduler issues one instruction of an eligible warp per
// issue_interval, memory instructions at least memory_issue_interval apart, in loose round robin starting behind the
// warp issued last. A warp is eligible when its previous instruction's stall cycles are over, the scoreboards it waits
// for are clear and no fence, acquire, CTA barrier or withheld END_REQ holds it. A load or atomic marks its scoreboard
// until its data are back, a compute instruction for its own latency. A fence first waits until the warp's
// earlier loads have returned and blocks it until its response; a release is a fence of its scope, then the access; an
// acquire blocks its warp until the response. A CTA barrier orders memory within the CTA: a warp that has accessed
// memory since its last fence sends a cta fence ahead of its arrival. exit waits for the warp's loads.
//
// A failed access is a fault: the warp ends as if its next instruction were exit. Left out: instruction fetch and
// decode, register banks, arithmetic pipes (a compute instruction is its stall cycles), dual issue.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"
#include "gputlm/warp/warp_observer.h"
#include "gputlm/warp/warp_program.h"
#include "gputlm/warp/warp_spec.h"

namespace gputlm {

/// One CTA to run: the programs of its warps.
struct CtaLaunch {
  std::uint32_t kernel = 0;
  std::uint32_t cta = 0;  ///< Linear index within the kernel.
  std::vector<std::unique_ptr<WarpProgram>> warps;
};

/// One SM's schedulers. Sources: the launch article (4 x 12 warps), H200 (memory issue interval), PTX ISA (fences,
/// acquire, release, barriers).
class WarpScheduler : public Unit {
 public:
  /// Why a warp does not issue.
  enum class Stall : std::uint8_t {
    queue_full,  ///< Its access waits for END_REQ at the LSU.
    scoreboard,  ///< Load data or an atomic's result are not back (acquires and exit included).
    fence,       ///< A fence or release is not done.
    barrier      ///< Other warps of the CTA have not arrived.
  };
  static constexpr std::size_t kStalls = 4;
  /// A resident warp, for tests and tools.
  struct WarpView {
    std::uint32_t kernel, cta;   ///< Its CTA.
    std::uint32_t instruction;   ///< Index of the next one.
    std::uint32_t loads;         ///< Outstanding, atomics included.
    std::optional<Stall> stall;  ///< Why it does not issue; none: only time holds it.
    Fs ready;                    ///< May issue from then on; kNever while an event holds it.
  };

  WarpScheduler(const sc_core::sc_module_name& name, const WarpSpec& spec, unsigned sm, PayloadPool& pool);

  std::vector<std::unique_ptr<InitiatorSocket<WarpScheduler>>> accesses;  ///< To the LSU, one per sub-partition.

  WarpObserver* observer = nullptr;

  /// Room for a CTA of so many warps.
  bool can_take(unsigned warps) const;
  /// Starts a CTA now; its warps take the lowest free slots. Only when can_take(). Takes the programs out of
  /// `launched`, whose list keeps its memory for the next CTA.
  void launch(CtaLaunch&& launched);

  unsigned warps_resident() const { return resident_; }
  unsigned ctas_resident() const { return ctas_resident_; }
  /// Accesses without a response, store acknowledgements included.
  std::size_t outstanding() const { return in_flight_.size() - free_places_.size(); }
  /// An access waits for END_REQ at the LSU.
  bool throttled() const { return waiting_ports_ > 0; }
  /// Warp time lost, summed over warps; stalls in progress included.
  double stall_ns(Stall cause) const;
  /// Backdoor: a warp slot's state now, nothing when the slot is free.
  std::optional<WarpView> view(unsigned slot) const;

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return resident_ == 0 && outstanding() == 0; }
  void list_waits(WaitList& waits) const override;

  // Socket owner: `port` is the sub-partition.
  void on_accepted(std::size_t port, Payload& p, Fs delay);
  bool on_response(std::size_t port, Payload& p, Fs delay);
  void on_debug_written(std::size_t, std::uint64_t, std::uint64_t) {}  // holds no copies

 private:
  static constexpr std::size_t kMaxScoreboards = 8, kKinds = 5, kBarriers = 16;
  static constexpr unsigned kNone = ~0U;

  struct Warp {
    std::unique_ptr<WarpProgram> program;  // null: the slot is free
    unsigned cta = 0;                      // index into ctas_
    WarpInstruction next;                  // valid when fetched
    bool fetched = false;
    bool fenced = false;                     // the fence that `next` starts with is done
    bool unordered = false;                  // accessed memory since its last fence
    std::optional<std::uint8_t> at_barrier;  // waits at this one
    bool faulted = false;
    std::uint32_t index = 0;  // of the next instruction
    std::uint32_t loads = 0;  // outstanding, atomics included
    std::array<std::uint16_t, kMaxScoreboards> pending{};
    std::array<Fs, kMaxScoreboards> marked_until{};  // by compute instructions
    Fs earliest = 0;                                 // the previous instruction's stall is over
    const Payload* accepting = nullptr;              // END_REQ is withheld
    const Payload* awaiting = nullptr;               // blocks until its response
    StallClock<Stall, kStalls> stalls;
    Fs stalled_since = 0;
  };
  struct Cta {
    std::uint32_t kernel = 0, number = 0;
    unsigned live = 0;
    struct Barrier {
      unsigned arrived = 0, expected = 0;  // expected 0: all that live
    };
    std::array<Barrier, kBarriers> barriers{};
  };
  /// What the choice of the next warp looks at, apart from the rest and side by side for one scheduler.
  struct Candidate {
    Fs ready = kNever;        // may issue from then on; kNever: waits for an event
    bool needs_port = false;  // its instruction goes to the LSU
  };
  struct SubPartition {
    unsigned last = 0;  // warp issued last, counted within the sub-partition
    Fs next_issue = 0, next_memory = 0;
    Fs next = kNever;  // when a warp can issue as things stand
  };

  // warp_scheduler.cpp: who issues and when
  unsigned slot_of(unsigned sub, unsigned local) const { return local * spec_.sub_partitions + sub; }
  void run();
  std::size_t candidate_index(unsigned slot) const {
    return slot % spec_.sub_partitions * spec_.warps_per_sub_partition + slot / spec_.sub_partitions;
  }
  Candidate& candidate(unsigned slot) { return candidates_[candidate_index(slot)]; }
  void issue_from(unsigned sub, Fs t);
  Fs issue_time(unsigned sub, const Candidate& c) const;
  void schedule(unsigned sub);
  void settle(unsigned slot);
  std::optional<Stall> waits_for(const Warp& warp) const;
  Fs ready_at(const Warp& warp) const;
  bool starts_with_fence(const Warp& warp) const;
  bool needs_port(const Warp& warp) const;

  // warp_issue.cpp: what an instruction does
  void issue(unsigned slot, Fs at);
  void issue_access(unsigned slot, const WarpInstruction& instruction);
  void issue_fence(unsigned slot, Scope scope, Semantics semantics);
  void send(unsigned slot, PayloadRef p, bool blocks);
  void arrive(unsigned slot, const WarpInstruction& instruction);
  void release_if_complete(Cta& cta, std::uint8_t number);
  void retire(unsigned slot);
  void finish(const PayloadRef& p);
  void drop(const Payload& p);
  void fault(const Payload& p);
  void count_residency();

  const WarpSpec spec_;
  const unsigned sm_;
  PayloadPool& pool_;
  const Fs issue_interval_, memory_interval_;
  Wakeup wake_;
  std::vector<SubPartition> subs_;
  std::vector<Warp> warps_;            // by slot
  std::vector<Candidate> candidates_;  // by sub-partition, then warp
  std::vector<Cta> ctas_;
  std::vector<PayloadRef> in_flight_;  // a payload's cookie is its place here
  std::vector<std::uint32_t> free_places_;
  TimedQueue<PayloadRef> responses_;  // come with an annotated delay
  unsigned resident_ = 0, ctas_resident_ = 0, waiting_ports_ = 0;
  std::uint32_t epoch_ = 0;  // responses to accesses from before a reset are ignored

  std::array<std::uint64_t, kKinds> issued_{};
  std::uint64_t ctas_retired_ = 0, faults_ = 0;
  unsigned resident_peak_ = 0;
  Fs residency_since_ = 0;
  double residency_ns_ = 0;  // warps x ns up to residency_since_
};

}  // namespace gputlm
