// SPDX-License-Identifier: Apache-2.0
//
// A warp that does what its trace says: one instruction looked ahead, so that an instruction can be told how long its
// successor has to wait for what is on its way.
#pragma once

#include "gputlm/replay/register_marks.h"
#include "gputlm/replay/warp_tape.h"
#include "gputlm/warp/sass_spec.h"
#include "gputlm/workload/kernel.h"

namespace gputlm {

/// What the trace's instructions did, counted as they are handed out.
struct ReplayCounters {
  std::uint64_t instructions = 0;
  std::uint64_t shared = 0;    ///< Accesses to shared and local memory.
  std::uint64_t barriers = 0;  ///< Of thread blocks.
};

/// What all warps of a kernel share; outlives them.
struct ReplayContext {
  const TracegHeader* header = nullptr;
  const SassSpec* instructions = nullptr;
  unsigned scoreboards = 0;        ///< For registers, from 0 on.
  unsigned group_scoreboards = 0;  ///< Behind them, for groups of asynchronous copies, which alternate: 0 or 2.
  bool timed = false;              ///< An instruction's immediate is the time in fs before which it does not issue.
  std::uint64_t seed = 0;          ///< Of the data that is stored.
  KernelCounters* accesses = nullptr;
  ReplayCounters* counters = nullptr;
};

class ReplayProgram final : public WarpProgram {
 public:
  /// `key` is the warp's own: no two stores of a kernel write the same data to an address.
  ReplayProgram(const ReplayContext& context, WarpTape tape, std::uint64_t key);

  WarpInstruction fetch() override;
  void operands(WarpLanes& lanes, unsigned char* data) override;
  void returned(const Payload&) override {}

 private:
  WarpInstruction instruction();
  double cycles_too_early() const;
  WarpInstruction access();
  WarpInstruction on_chip() const;
  WarpInstruction fence();
  WarpInstruction invalidate() const;
  WarpInstruction barrier() const;
  void await_groups(WarpInstruction& w);
  void look_ahead();
  void set_stall(WarpInstruction& w);
  void fill(unsigned lane, std::uint64_t address, unsigned char* to) const;
  std::uint8_t group_scoreboard(std::uint64_t group) const;

  const ReplayContext& context_;
  WarpTape tape_;
  const std::uint64_t key_;
  RegisterMarks registers_;
  TracegInstruction current_, ahead_;
  bool has_ahead_ = false;
  bool waited_ = false;        ///< For ahead_'s time.
  std::uint32_t lanes_ = 0;    ///< Of current_, in global memory.
  double clock_ = 0;           ///< Core cycles: the earliest issue of current_, counted over the warp's own stalls.
  std::uint64_t groups_ = 0;   ///< Of asynchronous copies, closed so far.
  bool invalidated_ = false;   ///< A fence has just emptied L1.
  std::uint64_t fetched_ = 0;  ///< Distinguishes the data of stores.
};

}  // namespace gputlm
