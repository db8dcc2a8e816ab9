// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/packet_queues.h"

#include <algorithm>

namespace gputlm {

std::optional<PacketClass> PacketQueues::next(Fs t, const std::array<bool, kPacketClasses>& may_send) const {
  const auto& posted = queues_[static_cast<std::size_t>(PacketClass::posted)];
  const std::uint64_t oldest_posted = posted.empty() ? next_order_ : posted.front().order;
  std::optional<PacketClass> best;
  std::uint64_t best_order = next_order_;
  for (std::size_t c = 0; c < kPacketClasses; ++c) {
    if (queues_[c].empty() || !may_send[c]) continue;
    const PacketItem& item = queues_[c].front();
    if (item.ready > t || item.order > oldest_posted || item.order >= best_order) continue;
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
