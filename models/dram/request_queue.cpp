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
  busy_ = 0;
  held_ = queued_ = 0;
}

QueueSlot RequestQueue::hold(Request request) {
  const QueueSlot slot = free_.back();
  free_.pop_back();
  const std::uint64_t line = request.payload->get_address();
  QueueSlot& bucket = buckets_[bucket_of(line)];
  link(slot) = {kNoSlot, kNoSlot, bucket, line};
  bucket = slot;
  (*this)[slot] = std::move(request);
  ++held_;
  return slot;
}

void RequestQueue::queue(QueueSlot slot) {
  const Request& r = (*this)[slot];
  Bank& bank = banks_[r.at.bank];
  // Almost always the youngest; one that had to wait for an older request of its line is not.
  QueueSlot before = bank.tail;
  while (before != kNoSlot && (*this)[before].order > r.order) before = link(before).before;
  const QueueSlot after = before == kNoSlot ? bank.head : link(before).after;
  link(slot).before = before;
  link(slot).after = after;
  (before == kNoSlot ? bank.head : link(before).after) = slot;
  (after == kNoSlot ? bank.tail : link(after).before) = slot;
  if (bank.hit_row == r.at.row) {
    ++bank.hit_count;
    if (bank.first_hit == kNoSlot || (*this)[bank.first_hit].order > r.order) bank.first_hit = slot;
  }
  busy_ |= 1ULL << r.at.bank;
  ++queued_;
}

Request RequestQueue::remove(QueueSlot slot) {
  Request request = std::move((*this)[slot]);
  Bank& bank = banks_[request.at.bank];
  const Links links = link(slot);
  if (bank.hit_row == request.at.row) {
    --bank.hit_count;
    if (bank.first_hit == slot) bank.first_hit = next_of_row(links.after, request.at.row);
  }
  (links.before == kNoSlot ? bank.head : link(links.before).after) = links.after;
  (links.after == kNoSlot ? bank.tail : link(links.after).before) = links.before;
  if (bank.head == kNoSlot) busy_ &= ~(1ULL << request.at.bank);
  QueueSlot* from = &buckets_[bucket_of(links.line)];
  while (*from != slot) from = &link(*from).older;
  *from = links.older;
  (*this)[slot] = Request{};
  free_.push_back(slot);
  --held_;
  --queued_;
  return request;
}

QueueSlot RequestQueue::next_of_row(QueueSlot from, std::uint64_t row) const {
  while (from != kNoSlot && (*this)[from].at.row != row) from = links_[static_cast<std::size_t>(from)].after;
  return from;
}

void RequestQueue::count_hits(Bank& b, std::uint64_t row) const {
  b.hit_row = row;
  b.first_hit = next_of_row(b.head, row);
  b.hit_count = 0;
  for (QueueSlot s = b.first_hit; s != kNoSlot; s = next_of_row(links_[static_cast<std::size_t>(s)].after, row))
    ++b.hit_count;
}

QueueSlot RequestQueue::oldest() const {
  QueueSlot best = kNoSlot;
  for (std::uint64_t busy = busy_; busy != 0; busy &= busy - 1) {
    const QueueSlot head = banks_[static_cast<unsigned>(__builtin_ctzll(busy))].head;
    if (best == kNoSlot || (*this)[head].order < (*this)[best].order) best = head;
  }
  return best;
}

}  // namespace gputlm
