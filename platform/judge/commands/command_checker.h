// SPDX-License-Identifier: Apache-2.0
//
// Judges every command of every channel it watches, independently of how the channel chose its place: the rule table's
// gaps, the four-activate window, rows opened before use and closed before another, the refresh calendar, the command
// lanes with masked writes holding theirs longer, the data bus. It shares the rule table and the clock with the channel
// (the table's own numbers are tested against the data sheet's), no code that searches or books.
#pragma once

#include <array>
#include <deque>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/dram/dram_observer.h"

namespace gputlm {

class CommandChecker : public DramObserver {
 public:
  /// Watches all channels of a card; `keep` limits how many violations are told in words.
  explicit CommandChecker(const DramSpec& spec, std::size_t keep = 20);
  ~CommandChecker() override;

  void on_command(unsigned controller, unsigned channel, const BookedCommand& command, Ck watermark) override;
  /// Judges what still waits for older commands. Call at the end, before asking.
  void finish();
  /// Forgets the channels' past (they were reset).
  void reset();

  std::uint64_t commands() const { return commands_; }
  std::uint64_t violation_count() const { return violation_count_; }
  const std::vector<std::string>& violations() const { return violations_; }
  /// The kept violations, one line each, and how many more there were.
  void print(std::ostream& out) const;
  /// Judged commands of one kind, all channels.
  std::uint64_t count(CommandKind kind) const { return by_kind_[static_cast<std::size_t>(kind)]; }

 private:
  struct Channel;
  /// Judges the commands before a clock, in the order of their clocks; of one clock, in the order of booking.
  void judge_until(Channel& channel, Ck end);
  void judge(Channel& channel, const BookedCommand& command);
  void judge_rules(Channel& channel, const BookedCommand& command);
  void judge_rows(Channel& channel, const BookedCommand& command);
  void judge_refresh(Channel& channel, const BookedCommand& command);
  void judge_lanes(Channel& channel, const BookedCommand& command);
  void judge_data_bus(Channel& channel, const BookedCommand& command);
  bool in_scope(RuleScope scope, const BookedCommand& before, const BookedCommand& after) const;
  bool shares_bank(const BookedCommand& a, const BookedCommand& b) const;
  void complain(const Channel& channel, const BookedCommand& command, const std::string& what);

  const DramSpec spec_;
  const std::size_t keep_;
  std::vector<std::unique_ptr<Channel>> channels_;
  std::vector<std::string> violations_;
  std::array<std::uint64_t, kCommandKinds> by_kind_{};
  std::uint64_t commands_ = 0, violation_count_ = 0;
};

}  // namespace gputlm
