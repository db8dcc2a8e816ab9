// SPDX-License-Identifier: Apache-2.0
//
// When the registers that an instruction names are ready: what a compiler's control words say and a trace does not.
// Results of the arithmetic pipes are ready a fixed time after issue; those of everything else are marked on one of the
// warp's scoreboards, the one that has been marked for longest when all are in use, as compilers do it.
//
// Left out: registers that a store still has to read when they are written again, predicates and uniform registers
// (traces do not name them).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gputlm/replay/traceg_instruction.h"

namespace gputlm {

/// One warp's registers. Times are in core cycles of the warp's own issue: stalls of other causes only make it later.
class RegisterMarks {
 public:
  /// `scoreboards` of the warp are for registers.
  explicit RegisterMarks(unsigned scoreboards) : last_use_(scoreboards) {}

  /// Scoreboards that the instruction must wait for; they are clear from then on.
  std::uint8_t wait_for(const TracegInstruction& i);
  /// The earliest issue of an instruction that needs no scoreboard.
  double ready(const TracegInstruction& i) const;

  /// The result is there at `when`.
  void set_ready(const TracegInstruction& i, double when);
  /// The result is marked on the scoreboard returned.
  std::uint8_t mark(const TracegInstruction& i);

 private:
  static constexpr unsigned kRegisters = 255;  // R255 is RZ
  static constexpr std::uint8_t kNone = 0xff;
  struct Register {
    double ready = 0;
    std::uint32_t round = 0;  ///< Of the scoreboard, when it was marked.
    std::uint8_t scoreboard = kNone;
  };
  struct Use {
    std::uint32_t round = 0;   ///< Goes on when it is waited for.
    std::uint64_t marked = 0;  ///< Order of the last mark in this round; 0: clear.
  };

  template <class Visit>
  static void for_each_register(const TracegInstruction& i, Visit visit);
  bool pending(const Register& r) const { return r.scoreboard != kNone && r.round == last_use_[r.scoreboard].round; }

  std::array<Register, kRegisters> registers_{};
  std::vector<Use> last_use_;
  std::uint64_t marks_ = 0;
};

}  // namespace gputlm
