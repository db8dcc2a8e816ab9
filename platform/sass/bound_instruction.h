// SPDX-License-Identifier: Apache-2.0
//
// An instruction made ready to run: what it does to lanes, to memory, to the flow of control.
#pragma once

#include <functional>

#include "gputlm/sass/access_width.h"
#include "gputlm/sass/operand_access.h"
#include "gputlm/warp/sass_spec.h"
#include "gputlm/warp/warp_program.h"

namespace gputlm {

/// What an instruction does to the state of `lanes`, all of them active.
using LaneFunction = std::function<void(WarpState&, LaneMask lanes)>;

/// Which of SassSpec's latencies an instruction's scoreboard is held for; `fixed`: the compiler's stall count says it.
enum class Latency : std::uint8_t { fixed, shared, shuffle, special_function, fp64, special_register, constant, local };

/// Cycles of the card; 0 of `fixed`.
double latency_cycles(Latency latency, const SassSpec& spec);

/// A global or generic access.
struct MemoryForm {
  WarpInstruction access;  ///< Operation, order, scope, function, eviction.
  bool generic = false;    ///< Lanes may name shared or local memory.
  AccessWidth width;
  AddressSource address;
  Destination result;                   ///< Load, atomic.
  unsigned predicate = kTruePredicate;  ///< Atomic: set true.
  Source data, compared;  ///< Store, atomic: operand; compare-and-swap: the new value and what to compare with.
};

/// What an instruction does to the flow of control.
struct FlowForm {
  enum class Kind : std::uint8_t {
    none,
    branch,            ///< BRA; CALL (the return address is a register of the program's)
    branch_diverged,   ///< BRA.DIV: taken when a lane of the mask is not here
    branch_converged,  ///< BRA.CONV: taken when all are
    indirect,          ///< CALL and RET to register + target
    exit,
    open,       ///< BSSY: the lanes here will meet at a BSYNC of this barrier
    meet,       ///< BSYNC
    leave,      ///< BREAK
    meet_mask,  ///< WARPSYNC
    save,       ///< BMOV.32 R, B
    restore,    ///< BMOV.32 B, R
    yield,
    sleep  ///< NANOSLEEP
  };
  Kind kind = Kind::none;
  std::uint32_t target = 0;
  unsigned barrier = 0;
  bool clear = false;         ///< BMOV.CLEAR
  Source source;              ///< Mask, address or time.
  Destination destination;    ///< BMOV
  PredicateSource condition;  ///< BRA with a predicate operand.
};

/// BAR.
struct BarrierForm {
  enum class Reduction : std::uint8_t { none, popc, all, any };
  Source number;
  Source threads;     ///< Zero: all of the CTA.
  bool waits = true;  ///< BAR.ARV does not.
  Reduction reduction = Reduction::none;
  PredicateSource value;
};

/// One instruction of a kernel, ready to run.
struct BoundInstruction {
  enum class Kind : std::uint8_t { compute, memory, fence, barrier, flow };

  Kind kind = Kind::compute;
  Latency latency = Latency::fixed;
  bool once = false;       ///< Of the uniform datapath: runs for one lane.
  std::uint8_t waits = 0;  ///< Scoreboards it waits for beside its control word's.
  LaneFunction run;        ///< compute
  MemoryForm memory;
  WarpInstruction fence;
  BarrierForm barrier;
  FlowForm flow;
};

}  // namespace gputlm
