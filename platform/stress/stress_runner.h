// SPDX-License-Identifier: Apache-2.0
//
// Runs random cases, each on a card of its own in a child process, judged by the scoreboard, the protocol checkers and
// the audit; cuts a failing case down to a small one that still fails.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "gputlm/coverage/coverage.h"
#include "gputlm/stress/stress_case.h"

namespace gputlm {

/// What came of one case.
struct StressResult {
  bool legal = true;                 ///< False: the case does not fit the configuration, or its fault never came.
  std::string problem;               ///< Empty: clean.
  std::uint64_t transactions = 0;    ///< Line requests sent.
  std::string refusal;               ///< Why it is not legal.
  std::optional<Coverage> coverage;  ///< When asked for.
};
/// For results that come from another process.
nlohmann::json to_json(const StressResult& result);
StressResult stress_result_from(const nlohmann::json& json);

/// Runs the cases here and now, one after the other on one card with these overrides. Elaborates: once per process.
StressResult run_stress_cases(const std::vector<StressCase>& cases, const std::vector<std::string>& overrides,
                              const std::string& config, bool coverage = false);
/// One case with its own overrides, in a child; a crash, or a run beyond `seconds`, is a problem too.
StressResult run_in_child(const StressCase& c, const std::string& config, unsigned seconds, bool coverage = false);

/// The smallest case found that still fails, by leaving out overrides, warps, instructions and lanes. `fails` runs one.
StressCase shrink(StressCase c, const std::function<bool(const StressCase&)>& fails);

}  // namespace gputlm
