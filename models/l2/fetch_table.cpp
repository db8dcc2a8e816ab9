// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/fetch_table.h"

namespace gputlm {

FetchTable::FetchTable(unsigned entries, std::size_t slots) : fetches_(entries), lines_(entries), by_slot_(slots) {
  clear();
}

void FetchTable::clear() {
  free_fetches_.clear();
  free_lines_.clear();
  for (std::size_t i = fetches_.size(); i-- > 0;) {
    fetches_[i] = Fetch{};
    lines_[i] = PendingLine{};
    free_fetches_.push_back(static_cast<std::uint16_t>(i));
    free_lines_.push_back(static_cast<std::uint16_t>(i));
  }
  by_slot_.clear();
  nodes_.clear();
  nodes_.emplace_back();
  free_nodes_ = 0;
  used_ = 0;
}

PendingLine& FetchTable::open(Slot slot) {
  if (PendingLine* line = find(slot)) return *line;
  const std::uint16_t i = free_lines_.back();
  free_lines_.pop_back();
  by_slot_[slot] = static_cast<std::uint16_t>(i + 1);
  lines_[i] = PendingLine{};
  lines_[i].slot = slot;
  return lines_[i];
}

unsigned FetchTable::add(Slot slot, SectorSet sectors, PayloadRef payload, Fs at) {
  PendingLine& line = open(slot);
  ++line.fetches;
  line.in_flight = static_cast<SectorSet>(line.in_flight | sectors);
  const unsigned entry = free_fetches_.back();
  free_fetches_.pop_back();
  ++used_;
  fetches_[entry] = Fetch{std::move(payload), slot, sectors, false, at};
  return entry;
}

Fetch* FetchTable::in_use_by(std::uint64_t entry, const Payload& p) {
  return entry < fetches_.size() && fetches_[entry].payload.get() == &p ? &fetches_[entry] : nullptr;
}

void FetchTable::remove(unsigned entry) {
  Fetch& fetch = fetches_[entry];
  PendingLine& line = *find(fetch.slot);
  line.in_flight = static_cast<SectorSet>(line.in_flight & ~fetch.sectors);
  line.lacking &= ~ByteMask::sectors(fetch.sectors);
  if (--line.fetches == 0) {
    free_lines_.push_back(static_cast<std::uint16_t>(by_slot_[fetch.slot] - 1));
    by_slot_[fetch.slot] = 0;
  }
  fetch = Fetch{};
  free_fetches_.push_back(static_cast<std::uint16_t>(entry));
  --used_;
}

Waiter& FetchTable::add_waiter(PendingLine& line) {
  std::uint32_t i = free_nodes_;
  if (i != 0) {
    free_nodes_ = nodes_[i].next;
  } else {
    i = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  }
  nodes_[i].next = 0;
  (line.last == 0 ? line.first : nodes_[line.last].next) = i;
  line.last = i;
  return nodes_[i].waiter;
}

void FetchTable::free_node(std::uint32_t i) {
  Waiter& waiter = nodes_[i].waiter;
  waiter.request.reset();
  waiter.wanted = waiter.captured = ByteMask{};
  waiter.waiting = 0;
  waiter.atomic = waiter.failed = false;
  nodes_[i].next = free_nodes_;
  free_nodes_ = i;
}

}  // namespace gputlm
