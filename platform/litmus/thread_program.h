// SPDX-License-Identifier: Apache-2.0
//
// A thread of a litmus test as a warp's program: one lane, the instructions in order, each no earlier than its plan
// says. A load does not wait for the one before: only an instruction that needs a register waits for it.
#pragma once

#include <string>
#include <vector>

#include "gputlm/litmus/litmus_test.h"
#include "gputlm/litmus/run_plan.h"
#include "gputlm/tlm/time.h"
#include "gputlm/warp/warp_program.h"

namespace gputlm {

/// Something that happened in a run, kept when a run is traced.
struct LitmusEvent {
  Fs time = 0;
  std::string who;   ///< P0, or the L2 slice.
  std::string what;  ///< In words.
};

/// One run: its plan, and what came of it.
struct LitmusRun {
  RunPlan plan;
  std::vector<std::vector<std::uint32_t>> registers;  ///< Per thread, at its end.
  Fs begin = kNever;                                  ///< First instruction of any thread (prologue included).
  bool unfinished = false;  ///< A thread ran more instructions than any test needs: a loop that does not end.
  bool traced = false;
  std::vector<LitmusEvent> events;
};

/// What all programs of a test share.
struct LitmusContext {
  const LitmusTest* test = nullptr;
  std::uint64_t memory = 0;   ///< Virtual address of the tests' memory.
  std::uint64_t aliases = 0;  ///< Virtual address of its second mapping.
  double cycle_ns = 0;        ///< Core clock.
  unsigned scoreboards = 0;   ///< Per warp.

  std::uint64_t address_of(const RunPlan& plan, unsigned location) const {
    return (test->locations[location].alias_of < 0 ? memory : aliases) + plan.offsets[location];
  }
};

class ThreadProgram final : public WarpProgram {
 public:
  /// `run` and `context` outlive the program.
  ThreadProgram(const LitmusContext& context, LitmusRun& run, unsigned thread);

  WarpInstruction fetch() override;
  void operands(WarpLanes& lanes, unsigned char* data) override;
  void returned(const Payload& access) override;

 private:
  WarpInstruction warm_up();
  WarpInstruction wait_for_start();
  WarpInstruction issue(const LitmusInstruction& i);
  void finish_register_work();
  std::uint32_t value_of(const LitmusOperand& o) const;
  std::uint8_t needs(const LitmusOperand& o) const;
  std::uint8_t needs(const LitmusInstruction& i) const;
  unsigned scoreboard_of(unsigned register_index) const { return register_index % context_.scoreboards; }
  std::uint8_t all_scoreboards() const { return static_cast<std::uint8_t>((1U << context_.scoreboards) - 1); }
  void note(std::string what);

  const LitmusContext& context_;
  LitmusRun& run_;
  const unsigned thread_;
  const std::vector<LitmusInstruction>& program_;
  const ThreadPlan& plan_;
  std::vector<std::uint32_t>& registers_;
  std::size_t warmed_ = 0;     ///< Prologue loads issued.
  bool synchronised_ = false;  ///< The prologue is over.
  bool started_ = false;
  std::size_t next_ = 0;                          ///< Next instruction.
  const LitmusInstruction* pending_ = nullptr;    ///< Fetched; add or branch: done when the next one is fetched.
  std::vector<const LitmusInstruction*> issued_;  ///< By index in the warp; null for the prologue's.
};

}  // namespace gputlm
