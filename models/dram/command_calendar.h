// SPDX-License-Identifier: Apache-2.0
//
// Which command clocks of a channel are still free, as bitmaps over a sliding window. Booking a command marks, for
// every kind of command that a rule ties to it, the clocks at which that command may no longer start, before and after
// the booked one; finding the earliest legal clock is then a search for a zero bit. So commands are booked ahead, out
// of the order of their times, and lines of different bank groups interleave column by column without an event per
// command.
#pragma once

#include <array>
#include <vector>

#include "gputlm/dram/start_bitmaps.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {

/// The clocks of a line's column commands of one direction, ascending, and the command slots that each holds.
class LineColumns {
 public:
  void add(Ck at, unsigned slots) {
    at_[count_] = at;
    slots_[count_++] = slots;
  }
  unsigned count() const { return count_; }
  Ck at(unsigned i) const { return at_[i]; }
  unsigned slots(unsigned i) const { return slots_[i]; }
  Ck last() const { return at_[count_ - 1]; }
  const Ck* begin() const { return at_.data(); }
  const Ck* end() const { return at_.data() + count_; }

 private:
  std::array<Ck, kSectorsPerLine> at_;
  std::array<unsigned, kSectorsPerLine> slots_;
  unsigned count_ = 0;
};

/// Everything in a channel that is not a matter of one bank: command lanes, column and activate spacing.
class CommandCalendar {
 public:
  /// `lanes` commands may start per clock; nothing is ever booked later than `horizon` clocks ahead of advance().
  CommandCalendar(const DramTiming& timing, unsigned groups, unsigned lanes, Ck horizon);

  void reset();
  /// Moves the window: nothing will be booked before `to` any more.
  void advance(Ck to);
  Ck start() const { return start_; }
  Ck horizon() const { return static_cast<Ck>(maps_.size()); }

  /// Earliest clock from `from` on at which a command lane is free for one clock.
  Ck find_slot(Ck from) const;
  Ck find_activate(unsigned group, Ck from) const;

  void book_slot(Ck at, unsigned slots = 1);
  void book_activate(unsigned group, Ck at);
  void book_columns(CommandKind kind, unsigned group, const LineColumns& columns);

  /// Looks for the clocks of a line's columns, one after the other: what is barred is looked up for 64 clocks at once.
  class ColumnSearch {
   public:
    ColumnSearch(const CommandCalendar& calendar, CommandKind kind, unsigned group)
        : calendar_(calendar), kind_(kind), group_(group) {}
    /// Earliest clock for a command that holds its lane for `slots` clocks. `from` never decreases.
    Ck find(unsigned slots, Ck from) {
      for (;; from = first_ + 64) {
        if (slots != slots_ || from - first_ >= 64) look_up(slots, from);
        if (const std::uint64_t free = free_ >> (from - first_); free != 0) return from + __builtin_ctzll(free);
      }
    }

   private:
    void look_up(unsigned slots, Ck from);

    const CommandCalendar& calendar_;
    const CommandKind kind_;
    const unsigned group_;
    unsigned slots_ = 0;  // 0: nothing looked up yet
    Ck first_ = 0;
    std::uint64_t free_ = 0;
  };

  /// Column commands booked at `from` or later.
  unsigned columns_from(Ck from) const { return maps_.count(kColumns, from, last_column_ + 1); }
  /// First clock by which no more than `left` of them remain.
  Ck columns_drained_to(unsigned left, Ck from) const;
  Ck last_column() const { return last_column_; }

 private:
  // The bitmaps: columns booked; starts barred anywhere in the channel, by kind; then those barred in each group, by
  // kind; then the lanes.
  static constexpr unsigned kColumns = 0, kActivates = 1, kReads = 2, kWrites = 3, kFirstGroup = 4;
  static unsigned anywhere(CommandKind kind) {
    return kind == CommandKind::activate ? kActivates : kind == CommandKind::read ? kReads : kWrites;
  }
  static unsigned in_group(CommandKind kind, unsigned group) { return kFirstGroup + 3 * group + anywhere(kind) - 1; }

  std::uint64_t busy_lanes(Ck at, unsigned slots) const;
  bool exceeds_activate_window(Ck at) const;
  template <class Clocks>
  void block(CommandKind booked, CommandKind other, unsigned group, const Clocks& clocks);

  const DramTiming* timing_;
  unsigned lanes_, first_lane_;
  StartBitmaps maps_;
  std::vector<Ck> recent_activates_;  // sorted
  Ck start_ = 0, last_column_ = 0;
};

}  // namespace gputlm
