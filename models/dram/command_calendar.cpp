// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/command_calendar.h"

#include <algorithm>

namespace gputlm {
namespace {

// First clock from `from` on whose bit in blocked(clock), 64 at a time, is clear.
template <class Blocked>
Ck first_free(Ck from, Blocked blocked) {
  for (;; from += 64) {
    const std::uint64_t free = ~blocked(from);
    if (free != 0) return from + __builtin_ctzll(free);
  }
}

}  // namespace

unsigned StartBitmap::count(Ck from, Ck end) const {
  unsigned marks = 0;
  for (end = std::min(end, base_ + static_cast<Ck>(size())); from < end; from = (from | 63) + 1) {
    std::uint64_t bits = word(from) >> (from & 63) << (from & 63);
    if ((from | 63) >= end) bits &= (1ULL << (end & 63)) - 1;
    marks += static_cast<unsigned>(__builtin_popcountll(bits));
  }
  return marks;
}

Ck StartBitmap::nth_from(Ck from, unsigned n) const {
  std::uint64_t bits = word(from) >> (from & 63) << (from & 63);
  for (Ck at = from & ~Ck{63};; at += 64, bits = word(at)) {
    const auto here = static_cast<unsigned>(__builtin_popcountll(bits));
    if (here < n) {
      n -= here;
      continue;
    }
    while (--n > 0) bits &= bits - 1;
    return at + __builtin_ctzll(bits);
  }
}

void StartBitmap::advance(Ck to) {
  const Ck base = to & ~Ck{63};
  if (base - base_ >= static_cast<Ck>(size())) {
    std::fill(words_.begin(), words_.end(), 0);
    base_ = base;
  }
  for (; base_ < base; base_ += 64) word(base_) = 0;
}

CommandCalendar::CommandCalendar(const DramTiming& timing, unsigned groups, unsigned lanes, Ck horizon)
    : timing_(&timing),
      activates_(make_starts(static_cast<std::size_t>(horizon), groups)),
      reads_(activates_),
      writes_(activates_),
      lanes_(lanes, activates_.anywhere),
      columns_(activates_.anywhere) {
  recent_activates_.reserve(64);
}

CommandCalendar::Starts CommandCalendar::make_starts(std::size_t bits, unsigned groups) const {
  std::size_t size = 64;
  while (size < bits) size *= 2;
  const StartBitmap empty(size);
  return {empty, std::vector<StartBitmap>(groups, empty)};
}

void CommandCalendar::reset() {
  *this = CommandCalendar(*timing_, static_cast<unsigned>(reads_.in_group.size()), static_cast<unsigned>(lanes_.size()),
                          horizon());
}

void CommandCalendar::advance(Ck to) {
  if (to <= start_) return;
  const bool crosses_word = (to ^ start_) >> 6 != 0;
  start_ = to;
  if (!crosses_word) return;
  for (Starts* starts : {&activates_, &reads_, &writes_}) {
    starts->anywhere.advance(to);
    for (StartBitmap& group : starts->in_group) group.advance(to);
  }
  for (StartBitmap& lane : lanes_) lane.advance(to);
  columns_.advance(to);
  const Ck forgotten = to - timing_->activate_window();
  recent_activates_.erase(recent_activates_.begin(),
                          std::lower_bound(recent_activates_.begin(), recent_activates_.end(), forgotten));
}

std::uint64_t CommandCalendar::busy_lanes(Ck at, unsigned slots) const {
  std::uint64_t busy = ~0ULL;
  for (const StartBitmap& lane : lanes_) {
    std::uint64_t taken = 0;
    for (unsigned s = 0; s < slots; ++s) taken |= lane.window(at + s);
    busy &= taken;
  }
  return busy;
}

Ck CommandCalendar::find_slot(Ck from) const {
  return first_free(from, [this](Ck at) { return busy_lanes(at, 1); });
}

bool CommandCalendar::exceeds_activate_window(Ck at) const {
  // Sorted with `at` among them, any five neighbours must span the window.
  constexpr std::ptrdiff_t kFour = 4;
  const auto place = std::lower_bound(recent_activates_.begin(), recent_activates_.end(), at);
  const std::ptrdiff_t before = place - recent_activates_.begin(),
                       count = static_cast<std::ptrdiff_t>(recent_activates_.size());
  auto time = [&](std::ptrdiff_t i) {
    return i < before ? recent_activates_[i] : i == before ? at : recent_activates_[i - 1];
  };
  for (std::ptrdiff_t first = std::max<std::ptrdiff_t>(0, before - kFour); first <= before && first + kFour <= count;
       ++first)
    if (time(first + kFour) - time(first) < timing_->activate_window()) return true;
  return false;
}

Ck CommandCalendar::find_activate(unsigned group, Ck from) const {
  for (;; ++from) {
    from = first_free(from, [&](Ck at) {
      return activates_.anywhere.window(at) | activates_.in_group[group].window(at) | busy_lanes(at, 1);
    });
    if (!exceeds_activate_window(from)) return from;
  }
}

Ck CommandCalendar::find_column(CommandKind kind, unsigned group, unsigned slots, Ck from) const {
  const Starts& starts = kind == CommandKind::read ? reads_ : writes_;
  return first_free(from, [&](Ck at) {
    return starts.anywhere.window(at) | starts.in_group[group].window(at) | busy_lanes(at, slots);
  });
}

void CommandCalendar::book_slot(Ck at, unsigned slots) {
  for (StartBitmap& lane : lanes_) {
    const std::uint64_t run = (1ULL << slots) - 1;
    if ((lane.window(at) & run) != 0) continue;
    lane.mark(at, at + slots);
    return;
  }
}

void CommandCalendar::block(Starts& starts, CommandKind booked, CommandKind other, unsigned group, Ck at) {
  auto mark = [&](StartBitmap& map, RuleScope scope) {
    map.mark(at - timing_->gap(other, booked, scope) + 1, at + timing_->gap(booked, other, scope));
  };
  mark(starts.anywhere, RuleScope::channel);
  mark(starts.in_group[group], RuleScope::group);
}

void CommandCalendar::book_activate(unsigned group, Ck at) {
  book_slot(at);
  block(activates_, CommandKind::activate, CommandKind::activate, group, at);
  recent_activates_.insert(std::lower_bound(recent_activates_.begin(), recent_activates_.end(), at), at);
}

void CommandCalendar::book_column(CommandKind kind, unsigned group, unsigned slots, Ck at) {
  book_slot(at, slots);
  block(reads_, kind, CommandKind::read, group, at);
  block(writes_, kind, CommandKind::write, group, at);
  columns_.mark(at, at + 1);
  last_column_ = std::max(last_column_, at);
}

Ck CommandCalendar::columns_drained_to(unsigned left, Ck from) const {
  const unsigned ahead = columns_from(from);
  return ahead <= left ? from : columns_.nth_from(from, ahead - left) + 1;
}

}  // namespace gputlm
