// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l1/fill_table.h"

#include <algorithm>

namespace gputlm {
namespace {

std::size_t power_of_two_from(std::size_t n) {
  std::size_t power = 1;
  while (power < n) power *= 2;
  return power;
}

}  // namespace

FillTable::FillTable(unsigned sector_limit)
    : sector_limit_(sector_limit), buckets_(power_of_two_from(std::min(sector_limit, 1024U)), kNone) {}

FillTable::Index FillTable::find_usable(std::uint64_t line, ByteMask missing) const {
  for (Index i = bucket(line); i != kNone; i = fills_[i].next) {
    const Fill& f = fills_[i];
    if (f.line == line && !f.poisoned && f.bytes.contains(missing) && !f.stale.intersects(missing)) return i;
  }
  return kNone;
}

FillTable::Index FillTable::add(PayloadRef child, std::uint64_t line, ByteMask bytes, Fs issued) {
  // The newer fill reads L2 later; were the older one installed after it, the slot would step back in time.
  stored(line, bytes);
  Index i = free_fill_;
  if (i == kNone) {
    i = static_cast<Index>(fills_.size());
    fills_.emplace_back();
  } else {
    free_fill_ = fills_[i].next;
  }
  Fill& f = fills_[i];
  f = Fill{};
  f.line = line;
  f.bytes = bytes;
  f.issued = issued;
  f.serial = next_serial_++;
  f.next = std::exchange(bucket(line), i);
  find_sideband(*child)->cookie = std::uint64_t{f.serial} << 32 | i;
  f.child = std::move(child);
  ++in_flight_;
  sectors_ += count_sectors(bytes.touched_sectors());
  return i;
}

void FillTable::wait(Index fill, Waiter waiter) {
  Index w = free_waiter_;
  if (w == kNone) {
    w = static_cast<Index>(waiters_.size());
    waiters_.emplace_back();
  } else {
    free_waiter_ = waiters_[w].next;
  }
  waiters_[w] = std::move(waiter);
  Fill& f = fills_[fill];
  (f.first_waiter == kNone ? f.first_waiter : waiters_[f.last_waiter].next) = w;
  f.last_waiter = w;
}

FillTable::Index FillTable::of_cookie(std::uint64_t cookie) const {
  const auto i = static_cast<Index>(cookie);
  return i < fills_.size() && fills_[i].child && fills_[i].serial == cookie >> 32 ? i : kNone;
}

void FillTable::stored(std::uint64_t line, ByteMask mask) {
  for (Index i = bucket(line); i != kNone; i = fills_[i].next)
    if (fills_[i].line == line) fills_[i].stale |= mask;
}

void FillTable::poison_range(std::uint64_t first, std::uint64_t last) {
  if (line_of(first) == line_of(last)) {
    for (Index i = bucket(first); i != kNone; i = fills_[i].next)
      if (fills_[i].line == line_of(first)) fills_[i].poisoned = true;
    return;
  }
  for (Fill& f : fills_)
    if (f.line >= line_of(first) && f.line <= last) f.poisoned = true;
}

void FillTable::poison_all() {
  for (Fill& f : fills_) f.poisoned = true;
}

void FillTable::remove(Index fill) {
  Fill& f = fills_[fill];
  Index* link = &bucket(f.line);
  while (*link != fill) link = &fills_[*link].next;
  *link = f.next;
  --in_flight_;
  sectors_ -= count_sectors(f.bytes.touched_sectors());
  f.child.reset();
  f.next = std::exchange(free_fill_, fill);
}

unsigned FillTable::waiters_of(const Fill& fill) const {
  unsigned n = 0;
  for (Index w = fill.first_waiter; w != kNone; w = waiters_[w].next) ++n;
  return n;
}

void FillTable::reset() {
  std::fill(buckets_.begin(), buckets_.end(), kNone);
  fills_.clear();
  waiters_.clear();
  free_fill_ = free_waiter_ = kNone;
  in_flight_ = sectors_ = 0;
}

}  // namespace gputlm
