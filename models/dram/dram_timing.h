// SPDX-License-Identifier: Apache-2.0
//
// The timing rules of a GDDR6X channel as data: each says that one command may follow another no sooner than so many
// command clocks (CK), within a bank, a bank group or the channel. The channel books its commands by this table and the
// tests' checker judges them by it. Numbers come from the Spec; a rule's source says why it has its form.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gputlm/dram/dram_spec.h"

namespace gputlm {

/// Number of a command clock, counted from time 0.
using Ck = std::int64_t;

/// What goes over the command bus. A refresh takes a pair of banks (REFp2b) and includes closing their rows.
enum class CommandKind : std::uint8_t { activate, precharge, read, write, refresh };
inline constexpr unsigned kCommandKinds = 5;
const char* name_of(CommandKind kind);

/// Between which two commands a rule holds: same bank, same bank group (the bank included), anywhere in the channel.
enum class RuleScope : std::uint8_t { bank, group, channel };
inline constexpr unsigned kRuleScopes = 3;

struct TimingRule {
  const char* name;  ///< As in data sheets.
  CommandKind before, after;
  RuleScope scope;
  Ck gap;            ///< `after` comes at least so many CK later than `before`.
  unsigned history;  ///< 1: than the last `before`; 4: than the fourth last (four-activate window).
  const char* source;
};

/// Rules, clock and refresh calendar of one channel.
class DramTiming {
 public:
  /// `channel` counts over the whole card; it sets the channel's place in the staggered refresh.
  DramTiming(const DramSpec& spec, unsigned channel);

  const std::vector<TimingRule>& rules() const { return rules_; }
  /// Largest gap of all single-command rules of exactly this scope; 0 without a rule.
  Ck gap(CommandKind before, CommandKind after, RuleScope scope) const { return gaps_[index_of(before, after, scope)]; }
  Ck activate_window() const { return activate_window_; }

  /// Start of a command clock, to the femtosecond for the first hundred simulated seconds.
  Fs time_of(Ck clock) const;
  /// First command clock that starts at t or later.
  Ck at_or_after(Fs t) const;
  /// Whole command clocks that cover a duration.
  Ck cycles(Fs duration) const;

  // -- Refresh: number i takes bank pair i mod pairs, from time 0 on, whatever the traffic -------------------------
  bool refreshes() const { return interval_ > 0; }
  unsigned pairs() const { return pairs_; }
  /// Banks b and b + pairs share a refresh.
  unsigned pair_of(unsigned bank) const { return bank % pairs_; }
  Ck refresh_start(std::uint64_t i) const { return at_or_after(phase_ + static_cast<Fs>(i) * interval_); }
  Ck refresh_cycles() const { return refresh_cycles_; }
  /// Least clocks from the end of a pair's refresh to its next one, and from one refresh command of the channel to the
  /// next.
  Ck clocks_between_refreshes() const { return whole_cycles(interval_ * pairs_) - refresh_cycles_; }
  Ck clocks_between_refresh_commands() const { return whole_cycles(interval_); }
  /// Number of the pair's first refresh that starts at `from` or later.
  std::uint64_t next_refresh(unsigned pair, Ck from) const;

 private:
  Ck whole_cycles(Fs duration) const { return static_cast<Ck>(static_cast<double>(duration) / period_); }
  static std::size_t index_of(CommandKind before, CommandKind after, RuleScope scope) {
    return (static_cast<std::size_t>(before) * kCommandKinds + static_cast<std::size_t>(after)) * kRuleScopes +
           static_cast<std::size_t>(scope);
  }

  std::vector<TimingRule> rules_;
  std::array<Ck, std::size_t{kCommandKinds} * kCommandKinds * kRuleScopes> gaps_{};
  Ck activate_window_;
  double period_;       // fs
  Fs whole_period_;     // fs, rounded down
  double part_period_;  // the rest of it
  Fs interval_, phase_;
  Ck refresh_cycles_;
  unsigned pairs_;
};

}  // namespace gputlm
