// SPDX-License-Identifier: Apache-2.0
//
// Steps of the pattern `script` as texts, for probes that write their scripts case by case.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "gputlm/probe/measurement.h"

namespace gputlm {

using Steps = std::vector<std::string>;

/// A load of one word that may hit L1.
inline std::string load_step(std::uint64_t offset) {
  return fmt::format("{{load: {}, lanes: 1}}", offset);
}
/// A load of one word past L1.
inline std::string l2_load_step(std::uint64_t offset) {
  return fmt::format("{{load: {}, lanes: 1, semantics: relaxed}}", offset);
}
/// A full-line store and the fence that waits for its acknowledgement.
inline void add_store(Steps& steps, std::uint64_t offset) {
  steps.push_back(fmt::format("{{store: {}}}", offset));
  steps.emplace_back("{fence: gpu}");
}

/// Time that a warp waits for an access.
inline double duration_ns(const AccessTimes& access) {
  return ns_between(access.issued, access.answered);
}

/// Tells a hit from a miss by the times of one of each; a miss that went less far than that one is still a miss.
inline bool is_hit(double time_ns, double hit_ns, double miss_ns) {
  return time_ns * time_ns < hit_ns * miss_ns;
}

}  // namespace gputlm
