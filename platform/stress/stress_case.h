// SPDX-License-Identifier: Apache-2.0
//
// One random program for the whole card: overrides of the configuration and what every warp does. A case can be written
// as text, read back, cut down and run again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/config/diagnostics.h"
#include "gputlm/warp/warp_program.h"

namespace gputlm {

/// One instruction of a warp. Lane i accesses `at + i * step`, modulo the memory and aligned to the lane's width.
struct StressInstruction {
  enum class Kind : std::uint8_t { load, store, reduction, atomic, fence, barrier };

  Kind kind = Kind::load;
  Semantics semantics = Semantics::weak;
  Scope scope = Scope::cta;
  AtomicFunction function = AtomicFunction::add;
  unsigned lane_bytes = 4;
  std::uint32_t active = 0xffffffff;
  std::uint64_t at = 0;
  std::uint64_t step = 4;
  bool alias = false;  ///< By the memory's second virtual range.
  bool wait = false;   ///< After all earlier loads of the warp are back.
  unsigned stall = 1;  ///< Core cycles before the warp's next instruction.
};

struct StressWarp {
  unsigned sm = 0;
  unsigned cta = 0;  ///< Warps of one number and SM are one CTA.
  std::vector<StressInstruction> instructions;
};

struct StressCase {
  std::vector<std::string> overrides;  ///< path=value
  std::vector<std::string> faults;     ///< Deliberate ones, as `gputlm run --fault` takes them.
  std::uint64_t memory = 0;            ///< Bytes that are accessed.
  std::vector<StressWarp> warps;

  std::size_t instructions() const;
};

/// The case number `seed` for a card, a configuration's name or file: which operations, how wide, how crowded and
/// where, and which of the configuration's sizes and policies are changed are drawn first, so that cases differ in
/// kind. Throws ConfigError when the configuration has mistakes.
StressCase draw_stress_case(std::uint64_t seed, const std::string& config);

/// As text, one line for each override, fault, warp and instruction.
std::string stress_text(const StressCase& c);
/// Reads stress_text() back; `file` is for messages. Throws ConfigError.
StressCase parse_stress_case(const std::string& text, const std::string& file);

}  // namespace gputlm
