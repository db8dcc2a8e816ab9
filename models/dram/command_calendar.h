// SPDX-License-Identifier: Apache-2.0
//
// Which command clocks of a channel are still free, as bitmaps over a sliding window. Booking a command marks, for
// every kind of command that a rule ties to it, the clocks at which that command may no longer start, before and after
// the booked one; finding the earliest legal clock is then a search for a zero bit. So commands are booked ahead, out
// of the order of their times, and lines of different bank groups interleave column by column without an event per
// command.
#pragma once

#include <algorithm>
#include <vector>

#include "gputlm/dram/dram_timing.h"

namespace gputlm {

/// Bitmap over [base, base + size) that slides forward. Clocks outside it read as free.
class StartBitmap {
 public:
  explicit StartBitmap(std::size_t bits) : words_(bits / 64), last_word_(words_.size() - 1) {}

  std::size_t size() const { return (last_word_ + 1) * 64; }
  /// Marks [first, end), as far as it lies in the window.
  void mark(Ck first, Ck end) {
    first = std::max(first, base_);
    end = std::min(end, base_ + static_cast<Ck>(size()));
    for (; end - first > 64; first += 64) mark_run(first, ~0ULL);
    if (first < end) mark_run(first, ~0ULL >> (64 - (end - first)));
  }
  /// 64 bits from `at` on.
  std::uint64_t window(Ck at) const {
    const Ck end = base_ + static_cast<Ck>(size());
    if (at >= end) return 0;
    const auto shift = static_cast<unsigned>(at & 63);
    const std::uint64_t low = word(at) >> shift;
    return shift == 0 || at + 64 >= end ? low : low | word(at + 64) << (64 - shift);
  }
  /// Number of marks in [from, end), and the place of the n-th mark at `from` or later (n from 1).
  unsigned count(Ck from, Ck end) const;
  Ck nth_from(Ck from, unsigned n) const;
  /// Forgets everything before `to`.
  void advance(Ck to);

 private:
  std::uint64_t& word(Ck at) { return words_[static_cast<std::size_t>(at >> 6) & last_word_]; }
  std::uint64_t word(Ck at) const { return words_[static_cast<std::size_t>(at >> 6) & last_word_]; }
  // A run that crosses into the next word never crosses the window's end: there that word holds no bit of it.
  void mark_run(Ck first, std::uint64_t run) {
    const auto shift = static_cast<unsigned>(first & 63);
    word(first) |= run << shift;
    if (shift == 0) return;
    if (const std::uint64_t rest = run >> (64 - shift); rest != 0) word(first + 64) |= rest;
  }

  std::vector<std::uint64_t> words_;  // a power of two, used as a ring
  std::size_t last_word_;
  Ck base_ = 0;  // a multiple of 64
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
  Ck horizon() const { return static_cast<Ck>(columns_.size()); }

  /// Earliest clock from `from` on at which a command lane is free for one clock.
  Ck find_slot(Ck from) const;
  Ck find_activate(unsigned group, Ck from) const;
  /// Earliest clock for a read or write command that holds its lane for `slots` clocks.
  Ck find_column(CommandKind kind, unsigned group, unsigned slots, Ck from) const;

  void book_slot(Ck at, unsigned slots = 1);
  void book_activate(unsigned group, Ck at);
  void book_column(CommandKind kind, unsigned group, unsigned slots, Ck at);

  /// Column commands booked at `from` or later.
  unsigned columns_from(Ck from) const { return columns_.count(from, last_column_ + 1); }
  /// First clock by which no more than `left` of them remain.
  Ck columns_drained_to(unsigned left, Ck from) const;
  Ck last_column() const { return last_column_; }

 private:
  struct Starts {
    StartBitmap anywhere;
    std::vector<StartBitmap> in_group;
  };
  Starts make_starts(std::size_t bits, unsigned groups) const;
  Starts& starts_of(CommandKind kind) { return kind == CommandKind::read ? reads_ : writes_; }
  std::uint64_t busy_lanes(Ck at, unsigned slots) const;
  bool exceeds_activate_window(Ck at) const;
  void block(Starts& starts, CommandKind booked, CommandKind other, unsigned group, Ck at);

  const DramTiming* timing_;
  Starts activates_, reads_, writes_;
  std::vector<StartBitmap> lanes_;
  StartBitmap columns_;
  std::vector<Ck> recent_activates_;  // sorted
  Ck start_ = 0, last_column_ = 0;
};

}  // namespace gputlm
