// SPDX-License-Identifier: Apache-2.0
//
// The typed configuration of a card: the Spec structs of all units, filled from YAML, and where each value came from.
// Code holds no default for any of them: a configuration is complete or refused.
#pragma once

#include <string>
#include <vector>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/effective.h"
#include "gputlm/config/override_text.h"
#include "gputlm/crossbar/crossbar_spec.h"
#include "gputlm/dram/dram_spec.h"
#include "gputlm/host/host_spec.h"
#include "gputlm/l1/l1_spec.h"
#include "gputlm/l2/l2_spec.h"
#include "gputlm/lsu/lsu_spec.h"
#include "gputlm/mmu/mmu_spec.h"
#include "gputlm/warp/sass_spec.h"
#include "gputlm/warp/warp_spec.h"

namespace gputlm {

/// A whole card. Values that several units need (clocks, the number of slices) are set in all of them.
struct Config {
  std::string name;         ///< E.g. NVIDIA GeForce RTX 4090.
  std::string description;  ///< One sentence.
  std::string timing;       ///< How memory below the SMs answers: approximate, loose.
  unsigned sms = 0;         ///< Streaming multiprocessors.
  WarpSpec warp;
  SassSpec sass;
  LsuSpec lsu;
  L1Spec l1;
  MmuSpec mmu;
  CrossbarSpec crossbar;
  L2Spec l2;
  DramSpec dram;
  HostSpec host;
  EffectiveConfig effective;  ///< Origin and provenance of each value, in the order of the schema.

  /// Loads a file, or a configuration of that name from the data directories, with its `base:` files, then applies
  /// `path=value` overrides in order. Throws ConfigError with every mistake of all of them.
  static Config load(const std::string& name_or_path, const std::vector<std::string>& overrides = {});
  /// The same with the values that an experiment sets, between the files and the overrides.
  static Config load(const std::string& name_or_path, const std::vector<Override>& experiment,
                     const std::vector<std::string>& overrides);

  bool loosely_timed() const { return timing == "loose"; }
  std::uint64_t memory_bytes() const { return dram.capacity; }
};

}  // namespace gputlm
