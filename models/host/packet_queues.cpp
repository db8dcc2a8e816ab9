// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/packet_queues.h"

#include <algorithm>

namespace gputlm {

// A requester keeps a store behind its own earlier read of the line: the link may carry the store first, and the read
// would then return what the program stored after it.
bool PacketQueues::read_before(const PacketItem& store) const {
  const auto& reads = queues_[static_cast<std::size_t>(PacketClass::non_posted)];
  for (std::size_t i = 0; i < reads.size() && reads[i].order < store.order; ++i)
    if (reads[i].port == store.port && reads[i].payload && store.payload && reads[i].payload->is_read() &&
        reads[i].payload->get_address() == store.payload->get_address())
      return true;
  return false;
}

std::optional<PacketClass> PacketQueues::next(Fs t, const std::array<bool, kPacketClasses>& may_send) const {
  const auto& posted = queues_[static_cast<std::size_t>(PacketClass::posted)];
  const std::uint64_t oldest_posted = posted.empty() ? next_order_ : posted.front().order;
  std::optional<PacketClass> best;
  std::uint64_t best_order = next_order_;
  for (std::size_t c = 0; c < kPacketClasses; ++c) {
    if (queues_[c].empty() || !may_send[c]) continue;
    const PacketItem& item = queues_[c].front();
    if (item.ready > t || item.order > oldest_posted || item.order >= best_order) continue;
    if (c == static_cast<std::size_t>(PacketClass::posted) && read_before(item)) continue;
    best = static_cast<PacketClass>(c);
    best_order = item.order;
  }
  return best;
}

Fs PacketQueues::ready() const {
  Fs earliest = kNever;
  for (const auto& q : queues_)
    if (!q.empty()) earliest = std::min(earliest, q.front().ready);
  return earliest;
}

}  // namespace gputlm
