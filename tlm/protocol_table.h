// SPDX-License-Identifier: Apache-2.0
//
// The transactions open on one arrow, found by payload: an open-addressed table that allocates only while it grows to
// the arrow's depth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gputlm/tlm/protocol_snapshot.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// One transaction between its first and its last phase on an arrow.
struct OpenTransaction {
  enum class Phase : std::uint8_t { requested, accepted, responding, blocking };
  std::uint64_t serial = 0;  ///< Tells a payload's later life from this one.
  Phase phase = Phase::requested;
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;  ///< At BEGIN_RESP.
  Fs since = 0;                                                    ///< Time of the call that began the phase.
  Fs effective = 0;                                                ///< Latest now + delay.
  PayloadSnapshot snapshot;
};

/// Linear probing; a deletion closes the gap, so there are no tombstones.
class OpenTransactions {
 public:
  std::size_t size() const { return size_; }

  OpenTransaction* find(const Payload* p) {
    if (size_ == 0) return nullptr;
    const std::size_t i = position(p);
    return keys_[i] == p ? &values_[i] : nullptr;
  }
  /// The payload's entry, made if missing. Invalidates earlier pointers.
  OpenTransaction& insert(const Payload* p) {
    if (2 * (size_ + 1) > keys_.size()) grow();
    const std::size_t i = position(p);
    if (keys_[i] == nullptr) {
      keys_[i] = p;
      ++size_;
    }
    return values_[i];
  }
  void erase(const Payload* p) {
    if (size_ == 0) return;
    std::size_t hole = position(p);
    if (keys_[hole] != p) return;
    for (std::size_t i = next(hole); keys_[i] != nullptr; i = next(i)) {
      if (((i - home(keys_[i])) & mask()) < ((i - hole) & mask())) continue;  // it would move before its home
      keys_[hole] = keys_[i];
      values_[hole] = values_[i];
      hole = i;
    }
    keys_[hole] = nullptr;
    --size_;
  }
  void clear() {
    keys_.assign(keys_.size(), nullptr);
    size_ = 0;
  }
  /// Visits (payload, transaction) in no order. The payload may no longer exist.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (keys_[i] != nullptr) visit(keys_[i], values_[i]);
  }

 private:
  std::size_t mask() const { return keys_.size() - 1; }
  std::size_t next(std::size_t i) const { return (i + 1) & mask(); }
  std::size_t home(const Payload* p) const {
    return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(p) >> 4) * 0x9e3779b97f4a7c15ULL >> 32) & mask();
  }
  // Where the payload is or would go.
  std::size_t position(const Payload* p) const {
    std::size_t i = home(p);
    while (keys_[i] != nullptr && keys_[i] != p) i = next(i);
    return i;
  }
  void grow() {
    std::vector<const Payload*> keys(keys_.empty() ? 16 : 2 * keys_.size());
    std::vector<OpenTransaction> values(keys.size());
    keys.swap(keys_);
    values.swap(values_);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == nullptr) continue;
      const std::size_t to = position(keys[i]);
      keys_[to] = keys[i];
      values_[to] = values[i];
    }
  }

  std::vector<const Payload*> keys_;
  std::vector<OpenTransaction> values_;
  std::size_t size_ = 0;
};

}  // namespace gputlm
