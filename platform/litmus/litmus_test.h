// SPDX-License-Identifier: Apache-2.0
//
// A litmus test as read: threads of a few instructions, where they run, and a final state that is forbidden or allowed.
// All words are 32 bits wide; each location has a line of its own, aliases share one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/config/diagnostics.h"
#include "gputlm/litmus/condition.h"
#include "gputlm/tlm/sideband.h"

namespace gputlm {

/// What an instruction takes: a constant or one of its thread's registers.
struct LitmusOperand {
  bool is_register = false;
  unsigned index = 0;       ///< Register.
  std::uint32_t value = 0;  ///< Constant.
};

/// One instruction of a thread.
struct LitmusInstruction {
  enum class Kind : std::uint8_t { load, store, atomic, reduction, fence, add, branch_if_equal, branch_unless_equal };

  Kind kind = Kind::fence;
  Semantics semantics = Semantics::weak;
  Scope scope = Scope::cta;
  AtomicFunction function = AtomicFunction::add;  ///< Atomic and reduction.
  bool negated = false;                           ///< sub: an add of the negated operand.
  unsigned location = 0;                          ///< Index into LitmusTest::locations.
  LitmusOperand a;                                ///< Data, first summand, left side of a comparison.
  LitmusOperand b;  ///< Second summand, right side; compare-and-swap: the new value (a is what is compared with).
  unsigned destination = 0;  ///< Register of a load, an atomic or an add.
  unsigned target = 0;       ///< Branch: index of the next instruction when taken.
  std::string text;          ///< As written.
};

struct LitmusThread {
  std::vector<LitmusInstruction> instructions;
  std::vector<std::string> registers;  ///< Names, in order of first use; all start at 0.
};

/// A 32-bit word in a line of its own, or a second virtual address of another location.
struct LitmusLocation {
  std::string name;
  std::uint32_t initial = 0;
  int alias_of = -1;  ///< Index of the location whose memory it names; -1: its own.
};

/// What the memory model says of the condition.
enum class LitmusVerdict : std::uint8_t { forbidden, allowed };
const char* name_of(LitmusVerdict verdict);

struct LitmusTest {
  std::string section, name, placement, program, condition_text, seen;  ///< As written.
  std::vector<LitmusThread> threads;
  std::vector<LitmusLocation> locations;
  std::vector<std::vector<unsigned>> ctas;  ///< Threads of each CTA.
  Condition condition;
  LitmusVerdict verdict = LitmusVerdict::allowed;
  std::string skip_reason;  ///< Not empty: the test needs what this machine does not have.
  Place place;

  /// The location whose memory `location` names.
  unsigned storage_of(unsigned location) const {
    const int alias = locations[location].alias_of;
    return alias < 0 ? location : static_cast<unsigned>(alias);
  }
};

/// Reads a table of tests (tab-separated: section, name, placement, program, condition, verdict, seen on silicon; a
/// header line first) or, when the file's first line holds no tab, one test as `key: value` lines (section, name,
/// placement, condition, verdict, seen, and either `program: P0: ... || P1: ...` or one line `P0: ...` for each
/// thread). Throws ConfigError with every mistake found.
std::vector<LitmusTest> read_litmus_tests(const std::string& file);
/// The same from text; `file` is its name for messages.
std::vector<LitmusTest> parse_litmus_tests(const std::string& text, const std::string& file);

/// The test as a one-test text file.
std::string litmus_text(const LitmusTest& test);

}  // namespace gputlm
