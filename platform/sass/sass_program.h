// SPDX-License-Identifier: Apache-2.0
//
// A warp that runs the machine code of a listing. The scheduler decides when an instruction issues; what the
// instruction does to registers happens when the next one is fetched, that is, once it has issued: by then the
// scoreboards that it waits for are clear and the data of earlier loads are there. Loads, stores and atomics take their
// operands at issue.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/sass/convergence.h"
#include "gputlm/sass/sass_code.h"

namespace gputlm {

/// Why a warp ended before its code did.
struct SassFault {
  std::uint32_t cta = 0;
  unsigned warp = 0;
  std::string file;
  unsigned line = 0;
  std::string kernel;
  std::string instruction;
  std::string reason;

  /// `file:line: kernel K, CTA c, warp w: reason (at INSTRUCTION)`.
  std::string text() const;
};

/// What all warps of a launch share; outlives them.
struct SassContext {
  const SassCode* code = nullptr;
  SassLaunch launch;
  std::function<void(const SassFault&)> on_fault;  ///< The warp ends; called once for it.
};

class SassProgram final : public WarpProgram {
 public:
  SassProgram(const SassContext& context, std::shared_ptr<CtaState> cta, std::uint32_t linear_cta, unsigned warp);

  WarpInstruction fetch() override;
  void operands(WarpLanes& lanes, unsigned char* data) override;
  void returned(const Payload& access) override;

  const WarpState& state() const { return state_; }

 private:
  /// An access whose data are on their way.
  struct InFlight {
    std::uint32_t instruction;
    const MemoryForm* form;
  };

  // sass_program.cpp: what is fetched
  WarpInstruction next_instruction();
  WarpInstruction timed(const BoundInstruction& b) const;
  WarpInstruction fetch_memory(const BoundInstruction& b);
  WarpInstruction fetch_barrier(const BoundInstruction& b);
  void contribute(const BarrierForm& form, std::uint32_t number);
  WarpInstruction pass_barrier();
  WarpInstruction end(std::string reason);
  LaneMask guarded(std::size_t index) const;
  const SassInstruction& listed() const { return context_.code->listing()[index_]; }

  // sass_effects.cpp: what happens once it has issued
  void finish();
  void finish_flow(const FlowForm& flow, LaneMask lanes);
  void near_access(const MemoryForm& form, LaneMask lanes);

  const SassContext& context_;
  const std::shared_ptr<CtaState> cta_;
  const std::uint32_t linear_cta_;
  WarpState state_;
  Convergence convergence_;
  std::size_t index_ = 0;                      ///< Of the instruction fetched last, in the code.
  const BoundInstruction* pending_ = nullptr;  ///< Fetched; its effect is due.
  LaneMask lanes_ = 0;                         ///< Active lanes of it whose guard holds.
  LaneMask near_ = 0;                          ///< Of a generic access: lanes in shared or local memory.
  bool addresses_known_ = false;               ///< A generic access has waited for its operands.
  WarpInstruction barrier_;                    ///< The one that waiting threads have come to.
  bool barrier_issued_ = false;
  std::uint32_t fetched_ = 0;  ///< Instructions handed out.
  std::vector<InFlight> in_flight_;
};

}  // namespace gputlm
