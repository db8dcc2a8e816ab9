// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/request_queue.h"

#include <algorithm>
#include <utility>

namespace gputlm {

RequestQueue::RequestQueue(unsigned capacity, unsigned banks) : requests_(capacity), links_(capacity), banks_(banks) {
  std::size_t buckets = 16;
  while (buckets < 2 * std::size_t{capacity}) buckets *= 2;
  buckets_.resize(buckets);
  free_.reserve(capacity);
  clear();
}

void RequestQueue::clear() {
  std::fill(requests_.begin(), requests_.end(), Request{});
  std::fill(links_.begin(), links_.end(), Links{});
  std::fill(buckets_.begin(), buckets_.end(), kNoSlot);
  std::fill(banks_.begin(), banks_.end(), Bank{});
  free_.clear();
  for (std::size_t i = requests_.size(); i-- > 0;) free_.push_back(static_cast<QueueSlot>(i));
  busy_ = hit_banks_ = 0;
  held_ = queued_ = 0;
}

QueueSlot RequestQueue::hold(Request&& request) {
  const QueueSlot slot = free_.back();
  free_.pop_back();
  const std::uint64_t line = request.payload->get_address();
  QueueSlot& bucket = buckets_[bucket_of(line)];
  link(slot) = {kNoSlot, kNoSlot, bucket, line, request.at.row, request.order};
  bucket = slot;
  (*this)[slot] = std::move(request);
  ++held_;
  return slot;
}

void RequestQueue::queue(QueueSlot slot) {
  const unsigned b = (*this)[slot].at.bank;
  Bank& bank = banks_[b];
  Links& links = link(slot);
  // Almost always the youngest; one that had to wait for an older request of its line is not.
  QueueSlot before = bank.tail;
  while (before != kNoSlot && order(before) > links.order) before = link(before).before;
  const QueueSlot after = before == kNoSlot ? bank.head : link(before).after;
  links.before = before;
  links.after = after;
  (before == kNoSlot ? bank.head : link(before).after) = slot;
  (after == kNoSlot ? bank.tail : link(after).before) = slot;
  if (bank.open_row == links.row) {
    ++bank.hit_count;
    if (bank.first_hit == kNoSlot || order(bank.first_hit) > links.order) bank.first_hit = slot;
    note_hits(b);
  }
  busy_ |= 1ULL << b;
  ++queued_;
}

Request RequestQueue::remove(QueueSlot slot) {
  Request request = std::move((*this)[slot]);
  const unsigned b = request.at.bank;
  Bank& bank = banks_[b];
  const Links& links = link(slot);
  if (bank.open_row == links.row) {
    --bank.hit_count;
    if (bank.first_hit == slot) bank.first_hit = next_of_row(links.after, links.row);
    note_hits(b);
  }
  (links.before == kNoSlot ? bank.head : link(links.before).after) = links.after;
  (links.after == kNoSlot ? bank.tail : link(links.after).before) = links.before;
  if (bank.head == kNoSlot) busy_ &= ~(1ULL << b);
  QueueSlot* from = &buckets_[bucket_of(links.line)];
  while (*from != slot) from = &link(*from).older;
  *from = links.older;
  free_.push_back(slot);
  --held_;
  --queued_;
  return request;
}

QueueSlot RequestQueue::next_of_row(QueueSlot from, std::uint64_t row) const {
  while (from != kNoSlot && links_[static_cast<std::size_t>(from)].row != row)
    from = links_[static_cast<std::size_t>(from)].after;
  return from;
}

void RequestQueue::note_hits(unsigned bank) {
  const std::uint64_t bit = 1ULL << bank;
  hit_banks_ = banks_[bank].hit_count != 0 ? hit_banks_ | bit : hit_banks_ & ~bit;
}

void RequestQueue::open_row(unsigned bank, std::uint64_t row) {
  Bank& b = banks_[bank];
  b.open_row = kNoRow;
  b.hit_count = row == kNoRow ? 0 : count_for(bank, row);
  b.first_hit = b.hit_count == 0 ? kNoSlot : next_of_row(b.head, row);
  b.open_row = row;
  note_hits(bank);
}

unsigned RequestQueue::count_for(unsigned bank, std::uint64_t row) const {
  const Bank& b = banks_[bank];
  if (b.open_row == row) return b.hit_count;
  unsigned count = 0;
  for (QueueSlot s = next_of_row(b.head, row); s != kNoSlot;
       s = next_of_row(links_[static_cast<std::size_t>(s)].after, row))
    ++count;
  return count;
}

QueueSlot RequestQueue::oldest() const {
  QueueSlot best = kNoSlot;
  for (std::uint64_t busy = busy_; busy != 0; busy &= busy - 1) {
    const QueueSlot head = banks_[static_cast<unsigned>(__builtin_ctzll(busy))].head;
    if (best == kNoSlot || order(head) < order(best)) best = head;
  }
  return best;
}

}  // namespace gputlm
