// SPDX-License-Identifier: Apache-2.0
//
// Every program up to a length on the smallest card: two SMs with a warp each, one slice with one set of two ways, two
// lines. Each program is judged byte for byte by the scoreboard and finds the caches as its predecessor left them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gputlm/stress/stress_case.h"

namespace gputlm {

/// The instructions programs are made of: of each of the two lines a weak and a strong load, a store of part and of the
/// whole of it and a reduction, and a fence of each scope.
const std::vector<StressInstruction>& exhaustive_alphabet();

/// Overrides that make the smallest card out of configs/tiny.yaml.
std::vector<std::string> exhaustive_overrides();

/// Programs whose two threads have at most `length` instructions each. At most 4.
std::uint64_t exhaustive_programs(unsigned length);

/// Program `index`, from 0, of exhaustive_programs(length).
StressCase exhaustive_program(std::uint64_t index, unsigned length);

/// The outcome of all programs, or of those up to the first batch that failed.
struct ExhaustiveResult {
  std::uint64_t programs = 0, transactions = 0;
  std::string problem;       ///< Empty: clean.
  std::uint64_t failed = 0;  ///< The first program that fails, ...
  std::uint64_t first = 0;   ///< ... which takes those from this one on before it; the same: it fails alone.
};

/// Runs all programs in batches, each in a child with a card of its own, `jobs` at a time. `progress` is told how many
/// are done and stops everything by returning false. `faults`: let these happen to every card.
ExhaustiveResult run_exhaustively(unsigned length, unsigned jobs, const std::function<bool(std::uint64_t)>& progress,
                                  const std::vector<std::string>& faults = {});

/// What failed, as one case for the card `tiny`: the programs one behind the other.
StressCase failing_case(const ExhaustiveResult& result, unsigned length, const std::vector<std::string>& faults);

}  // namespace gputlm
