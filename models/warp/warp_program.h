// SPDX-License-Identifier: Apache-2.0
//
// What a warp runs. Access patterns, litmus tests, traces and machine code are all WarpPrograms; the scheduler does not
// know which.
#pragma once

#include <cstdint>

#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

inline constexpr std::uint8_t kNoScoreboard = 0xff;

/// One instruction as the scheduler sees it: what it is, what it waits for, what it marks.
struct WarpInstruction {
  enum class Kind : std::uint8_t {
    memory,       ///< Load, store, reduction or atomic: goes to the LSU.
    fence,        ///< membar of `scope`; the warp waits until it is done.
    compute,      ///< Anything that never leaves the SM: takes `stall_cycles`.
    cta_barrier,  ///< bar.sync or bar.arrive.
    exit          ///< The warp ends once its loads have returned.
  };
  Kind kind = Kind::exit;
  std::uint8_t wait_scoreboards = 0;            ///< Bit b: do not issue before scoreboard b is clear.
  std::uint8_t set_scoreboard = kNoScoreboard;  ///< Load, atomic: marked from issue until the data are back.
  double stall_cycles = 1;                      ///< Earliest next issue of this warp, in core cycles after this one.
  double latency_cycles = 0;  ///< Compute with a scoreboard: core cycles from issue for which it is marked.

  // kind == cta_barrier
  std::uint8_t barrier = 0;        ///< Which of the CTA's 16.
  std::uint8_t barrier_warps = 0;  ///< Arrivals that complete it; 0: all warps of the CTA that have not exited.
  bool barrier_waits = true;       ///< False: arrives and goes on.

  // kind == memory; a fence uses semantics and scope
  Operation operation = Operation::load;
  Semantics semantics = Semantics::weak;
  Scope scope = Scope::cta;
  AtomicFunction function = AtomicFunction::add;
  EvictionClass eviction = EvictionClass::normal;
};

/// The instructions of one warp. The scheduler calls fetch() when the previous instruction has issued, so a program
/// whose control flow depends on loaded data first returns a compute instruction that waits for the scoreboard.
class WarpProgram {
 public:
  virtual ~WarpProgram() = default;
  /// Programs come and go with their warps and are all alike: the memory of one that has ended is the next one's.
  // NOLINTNEXTLINE(misc-new-delete-overloads): the check does not count the sized form as the counterpart that it is
  static void* operator new(std::size_t bytes) { return memory_for(bytes); }
  static void operator delete(void* program, std::size_t bytes) { keep_memory(program, bytes); }
  /// The next instruction in program order. Not called again after `exit`.
  virtual WarpInstruction fetch() = 0;
  /// Fills in the lanes of the memory instruction just fetched (active mask, lane_bytes, addresses) and, for stores,
  /// reductions and atomics, the lanes' operands: lane i at data[i * lane_bytes], compare-and-swap's values to compare
  /// with at data[(32 + i) * lane_bytes]. `data` has 512 bytes.
  virtual void operands(WarpLanes& lanes, unsigned char* data) = 0;
  /// Data of a load or old values of an atomic are back: lane i at data[i * lane_bytes] of the payload. The response
  /// status is OK; an error ends the run before this is called.
  virtual void returned(const Payload& access) = 0;

 private:
  static void* memory_for(std::size_t bytes);
  static void keep_memory(void* program, std::size_t bytes);
};

}  // namespace gputlm
