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

std::size_t power_of_two_from(std::size_t least) {
  std::size_t size = 64;
  while (size < least) size *= 2;
  return size;
}

}  // namespace

CommandCalendar::CommandCalendar(const DramTiming& timing, unsigned groups, unsigned lanes, Ck horizon)
    : timing_(&timing),
      lanes_(lanes),
      first_lane_(kFirstGroup + 3 * groups),
      maps_(power_of_two_from(static_cast<std::size_t>(horizon)), first_lane_ + lanes) {
  recent_activates_.reserve(64);
}

void CommandCalendar::reset() {
  *this = CommandCalendar(*timing_, (first_lane_ - kFirstGroup) / 3, lanes_, horizon());
}

void CommandCalendar::advance(Ck to) {
  if (to <= start_) return;
  const bool crosses_word = (to ^ start_) >> 6 != 0;
  start_ = to;
  if (!crosses_word) return;
  maps_.advance(to);
  const Ck forgotten = to - timing_->activate_window();
  recent_activates_.erase(recent_activates_.begin(),
                          std::lower_bound(recent_activates_.begin(), recent_activates_.end(), forgotten));
}

std::uint64_t CommandCalendar::busy_lanes(Ck at, unsigned slots) const {
  std::uint64_t busy = ~0ULL;
  for (unsigned lane = first_lane_; lane < maps_.maps(); ++lane) {
    std::uint64_t taken = 0;
    for (unsigned s = 0; s < slots; ++s) taken |= maps_.window(at + s, lane);
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
      return maps_.window(at, kActivates, in_group(CommandKind::activate, group)) | busy_lanes(at, 1);
    });
    if (!exceeds_activate_window(from)) return from;
  }
}

void CommandCalendar::ColumnSearch::look_up(unsigned slots, Ck from) {
  slots_ = slots;
  first_ = from;
  free_ = ~(calendar_.maps_.window(from, anywhere(kind_), in_group(kind_, group_)) | calendar_.busy_lanes(from, slots));
}

void CommandCalendar::book_slot(Ck at, unsigned slots) {
  const std::uint64_t run = StartBitmaps::ones(slots);
  for (unsigned lane = first_lane_; lane < maps_.maps(); ++lane) {
    if ((maps_.window(at, lane) & run) != 0) continue;
    maps_.mark_bits(lane, at, run);
    return;
  }
}

template <class Clocks>
void CommandCalendar::block(CommandKind booked, CommandKind other, unsigned group, const Clocks& clocks) {
  auto mark = [&](unsigned map, RuleScope scope) {
    maps_.mark_around(map, clocks, timing_->gap(other, booked, scope) - 1, timing_->gap(booked, other, scope));
  };
  mark(anywhere(other), RuleScope::channel);
  mark(in_group(other, group), RuleScope::group);
}

void CommandCalendar::book_activate(unsigned group, Ck at) {
  book_slot(at);
  block(CommandKind::activate, CommandKind::activate, group, std::array<Ck, 1>{at});
  recent_activates_.insert(std::lower_bound(recent_activates_.begin(), recent_activates_.end(), at), at);
}

void CommandCalendar::book_columns(CommandKind kind, unsigned group, const LineColumns& columns) {
  for (unsigned i = 0; i < columns.count(); ++i) book_slot(columns.at(i), columns.slots(i));
  block(kind, CommandKind::read, group, columns);
  block(kind, CommandKind::write, group, columns);
  maps_.mark_around(kColumns, columns, 0, 1);
  last_column_ = std::max(last_column_, columns.last());
}

Ck CommandCalendar::columns_drained_to(unsigned left, Ck from) const {
  const unsigned ahead = columns_from(from);
  return ahead <= left ? from : maps_.nth_from(kColumns, from, ahead - left) + 1;
}

}  // namespace gputlm
