// SPDX-License-Identifier: Apache-2.0
//
// What of a card can be dumped as values over time, and which of it somebody wants.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/system/gpu.h"

namespace gputlm {

/// A queue, state or count of each unit of a kind. Its name is "sm3.lsu_queued": the unit's kind and number, the
/// signal.
struct VcdSignal {
  const char* kind;
  const char* name;
  bool by_default;  ///< Dumped when nobody asks for others.
  std::size_t (*read)(const Gpu& gpu, unsigned number);

  std::string full_name(unsigned number) const { return kind + std::to_string(number) + '.' + name; }
};

/// All of them, those of a kind together.
const std::vector<VcdSignal>& vcd_signals();
/// Units of a kind that a card has.
unsigned units_of_kind(const Config& config, const std::string& kind);

/// Patterns as a shell has them (`*`, `?`, `[0-3]`) for full names.
class VcdSelection {
 public:
  /// The default set.
  VcdSelection() = default;
  /// Patterns with commas between. Throws ConfigError that names `option` for one that is empty or that no signal of
  /// the card has.
  static VcdSelection parse(const std::string& patterns, const Config& config, const std::string& option);

  bool wants(const VcdSignal& signal, unsigned number) const;

 private:
  std::vector<std::string> patterns_;
};

}  // namespace gputlm
