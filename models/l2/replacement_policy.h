// SPDX-License-Identifier: Apache-2.0
//
// Which way of a set is given up for a new line: one interface, one file per strategy, chosen by name.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/l2/l2_spec.h"

namespace gputlm {

/// Set of ways of one set, bit w = way w. Limits a set to 64 ways.
using WayMask = std::uint64_t;

inline constexpr unsigned kNoWay = ~0U;

/// What replacement sees of one set: arrays with an entry per way.
struct SetWays {
  unsigned ways;
  std::uint8_t* rrpv;             ///< A byte per way, the policy's own: re-reference predictions, or what it keeps.
  const std::uint64_t* last_use;  ///< Order number of the last load, store or insertion; higher is later.
  unsigned number = 0;            ///< Of the set within its slice.
};

/// Where a policy works.
struct ReplacementPlace {
  unsigned sets = 1;   ///< Of the slice.
  unsigned slice = 0;  ///< Number of the slice: each draws random numbers of its own.
};

/// Chooses victims, one object per slice. What it remembers of a set lies in the set's bytes; what it remembers of the
/// slice (a counter, a generator) is its state(), and forgotten on reset().
class ReplacementPolicy {
 public:
  virtual ~ReplacementPolicy() = default;
  virtual void reset() {}
  virtual std::vector<std::uint64_t> state() const { return {}; }
  /// Goes on from there, with the same parameters; false, and nothing has changed, when it can be no state of this one.
  virtual bool set_state(const std::vector<std::uint64_t>& state) { return state.empty(); }
  virtual void on_insert(const SetWays& set, unsigned way) = 0;
  virtual void on_load_hit(const SetWays& set, unsigned way) = 0;
  virtual void on_store_hit(const SetWays& set, unsigned way) = 0;
  /// Starts a search, once per miss and eviction class: afterwards at least one of the candidates (not empty) is
  /// eligible.
  virtual void prepare(const SetWays& set, WayMask candidates) = 0;
  /// First eligible way of the candidates in the order of giving up; kNoWay when none of them is eligible.
  virtual unsigned next(const SetWays& set, WayMask candidates) const = 0;
};

/// The strategy named by `spec.policy`. Throws std::invalid_argument, which lists the known names, for any other.
std::unique_ptr<ReplacementPolicy> make_replacement(const ReplacementSpec& spec, const ReplacementPlace& place = {});

/// Names make_replacement() knows.
std::vector<std::string> replacement_names();

/// Calls visit(way) for every way of the mask, lowest first.
template <class Visit>
void for_each_way(WayMask ways, Visit visit) {
  for (; ways != 0; ways &= ways - 1) visit(static_cast<unsigned>(__builtin_ctzll(ways)));
}

/// The way of the mask with the lowest order number; kNoWay for an empty mask.
inline unsigned oldest_way(WayMask ways, const std::uint64_t* order) {
  unsigned oldest = kNoWay;
  for_each_way(ways, [&](unsigned way) {
    if (oldest == kNoWay || order[way] < order[oldest]) oldest = way;
  });
  return oldest;
}

}  // namespace gputlm
