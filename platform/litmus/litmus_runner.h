// SPDX-License-Identifier: Apache-2.0
//
// Runs litmus tests on an elaborated card. Each test runs in a child forked from it, all its runs one after the other,
// so that its histogram depends on its own text, the seed and the configuration alone.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/coverage/coverage.h"
#include "gputlm/litmus/litmus_test.h"

namespace gputlm {

struct LitmusOptions {
  std::uint64_t runs = 1000;  ///< Per test.
  std::uint64_t seed = 1;
  unsigned jobs = 1;            ///< Tests at a time.
  bool check_protocol = false;  ///< A protocol checker on every arrow.
  bool coverage = false;        ///< Count what the runs meet.
};

/// What came of one test.
struct LitmusOutcome {
  std::uint64_t runs = 0;
  std::uint64_t hits = 0;                          ///< Runs that ended in the interesting state.
  std::map<std::string, std::uint64_t> histogram;  ///< Final states in words, and how often.
  std::vector<std::string> problems;               ///< Found by the judges: a mismatch, a fault, a stall.
  std::optional<Coverage> coverage;                ///< When asked for.
  std::optional<bool> reachable;  ///< Whether the reference machine reaches the condition; none: there are
                                  ///< more ways than it follows.
  std::string witness;            ///< The first run that ended where it must not: plan and trace, lines of text.

  /// What is known of the condition, in a word: seen, unreachable (this machine never ends there,
  /// docs/memory-model.md), or not seen in these runs.
  const char* reach() const { return hits > 0 ? "seen" : reachable.value_or(true) ? "not seen" : "unreachable"; }
  /// False when the machine broke the memory model or a judge found something.
  bool ok(const LitmusTest& test) const {
    return problems.empty() && (test.verdict == LitmusVerdict::allowed || hits == 0);
  }
};

/// Runs the tests that are not skipped and gives each outcome to `done`, in any order; `index` is the test's.
/// Elaborates: once per process. Stops early when `keep_going` returns false. Throws std::runtime_error when a child
/// gives no answer.
void run_litmus_tests(const std::vector<LitmusTest>& tests, const Config& config, const LitmusOptions& options,
                      const std::function<void(std::size_t index, LitmusOutcome outcome)>& done,
                      const std::function<bool()>& keep_going);

}  // namespace gputlm
