// SPDX-License-Identifier: Apache-2.0
#include "gputlm/loose/loose_rows.h"

#include <algorithm>

namespace gputlm {

LooseRows::LooseRows(const LooseSpec& spec)
    : interval_(spec.activate_interval),
      cycle_(spec.row_cycle),
      gather_(spec.row_gather),
      activates_(spec.channels),
      banks_(std::size_t{spec.channels} * spec.banks) {}

void LooseRows::reset() {
  std::fill(activates_.begin(), activates_.end(), BookedTime());
  std::fill(banks_.begin(), banks_.end(), Bank());
}

Fs LooseRows::open(const LoosePlace& place, Fs at) {
  Bank& bank = banks_[place.bank];
  for (Row& row : bank.rows)
    if (row.number == place.row && row.opened <= at + gather_ && at <= row.until) {
      row.until = std::max(row.until, at + gather_);
      return std::max(at, row.opened);
    }
  const Fs opened = activate(place, at);
  bank.rows[bank.next++ % kRows] = {place.row, opened, opened + gather_};
  return opened;
}

Fs LooseRows::activate(const LoosePlace& place, Fs at) {
  Bank& bank = banks_[place.bank];
  const Fs booked = activates_[place.channel].book(at, interval_);
  // Somebody who is far ahead in his own time does not hold up those who are not.
  if (booked < bank.last) return booked;
  bank.last = std::max(booked, bank.last + cycle_);
  return bank.last;
}

}  // namespace gputlm
