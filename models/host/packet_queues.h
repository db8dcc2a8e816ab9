// SPDX-License-Identifier: Apache-2.0
//
// What waits for one direction of the link's wire, in PCIe's three classes, and which of it may go next.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/ring.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

enum class PacketClass : std::uint8_t { posted, non_posted, completion };
inline constexpr std::size_t kPacketClasses = 3;

/// One line's worth of a transaction: who it belongs to and what it costs on the wire.
struct PacketItem {
  PayloadRef payload;
  PacketClass packet_class = PacketClass::posted;
  std::size_t port = 0;     ///< Where the transaction entered the link.
  Fs entered = 0;           ///< And when.
  unsigned data = 0;        ///< Bytes of data on the wire.
  unsigned packets = 1;     ///< One, or as many as a write with holes takes.
  bool whole_line = false;  ///< May share a packet with its neighbour.
  Fs ready = 0;             ///< Not sent before.
  std::uint64_t order = 0;  ///< Set by push(): place in the order of all classes.
};

/// Ordering (PCI Express Base Specification, transaction ordering): nothing passes a posted write that stands before
/// it; posted writes may pass read requests (but their own port's reads of the same line) and completions, read
/// requests and completions may pass each other. Otherwise the oldest goes first.
class PacketQueues {
 public:
  void push(PacketItem item) {
    item.order = next_order_++;
    Ring<PacketItem>& of_its_class = queue(item.packet_class);
    of_its_class.push_back(std::move(item));
  }

  /// The class whose oldest item goes next at time t; `may_send`: which classes the far side has room for.
  std::optional<PacketClass> next(Fs t, const std::array<bool, kPacketClasses>& may_send) const;
  /// When the oldest of any class is ready at the earliest; kNever when nothing waits.
  Fs ready() const;

  const PacketItem& front(PacketClass c) const { return queues_[static_cast<std::size_t>(c)].front(); }
  PacketItem pop(PacketClass c) { return queue(c).pop_front(); }
  std::size_t size(PacketClass c) const { return queues_[static_cast<std::size_t>(c)].size(); }
  bool empty() const { return queues_[0].empty() && queues_[1].empty() && queues_[2].empty(); }
  void clear() {
    for (auto& q : queues_) q.clear();
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& q : queues_)
      for (std::size_t i = 0; i < q.size(); ++i) visit(q[i]);
  }

 private:
  bool read_before(const PacketItem& store) const;
  Ring<PacketItem>& queue(PacketClass c) { return queues_[static_cast<std::size_t>(c)]; }

  std::array<Ring<PacketItem>, kPacketClasses> queues_;
  std::uint64_t next_order_ = 0;
};

}  // namespace gputlm
