// SPDX-License-Identifier: Apache-2.0
//
// Where a kernel's CTAs may run, as an experiment says it: SMs by number, or as shares of whatever card it runs on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/config/yaml_reader.h"

namespace gputlm {

/// SMs `first` to `last`; or, with `of`, the shares `first` to `last` of so many that a card's SMs are cut into.
struct SmRange {
  std::uint64_t first = 0, last = 0;
  std::uint64_t of = 0;  ///< 0: SMs by their numbers, counted from 0; else shares, counted from 1.

  /// As it is written: `5`, `0-63`, `1 of 2`.
  std::string text() const;
  /// Why a card with so many SMs has no such range, and what it has; empty when it has.
  struct Problem {
    std::string message, allowed;
  };
  Problem problem_on(unsigned sms) const;
};

inline SmRange one_sm(unsigned sm) {
  return {sm, sm};
}

/// Several of them; none: all SMs.
using SmSelection = std::vector<SmRange>;

/// Reads the optional key `sms`: `all`, a number, a range as 0-63, a share as `1 of 2`, several of them as 0-3,8, or a
/// list.
SmSelection read_sms(YamlReader& reader);

/// The SMs selected of a card that has the ranges: each once, ascending; none for a selection of all. Shares are
/// contiguous, differ by one SM at most, and all of them together are the card.
std::vector<unsigned> selected_sms(const SmSelection& selection, unsigned sms);

}  // namespace gputlm
