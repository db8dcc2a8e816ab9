// SPDX-License-Identifier: Apache-2.0
//
// The memory manager of every payload the models make. Payload, data, enables and sideband are one object, handed out
// last in first out, so that the few that are in flight stay in the host's caches; nothing is allocated in steady
// state. Every field is set anew on allocation: tlm_generic_payload::reset() clears neither the response status nor the
// DMI hint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gputlm/tlm/byte_mask.h"
#include "gputlm/tlm/host_memory.h"
#include "gputlm/tlm/sideband.h"

namespace gputlm {

using Payload = tlm::tlm_generic_payload;

/// Counted reference to a payload: whoever keeps a payload past a call holds one.
class PayloadRef {
 public:
  PayloadRef() = default;
  /// Shares a payload that somebody else holds.
  explicit PayloadRef(Payload& p) : payload_(&p) { p.acquire(); }
  PayloadRef(const PayloadRef& o) : payload_(o.payload_) {
    if (payload_ != nullptr) payload_->acquire();
  }
  PayloadRef(PayloadRef&& o) noexcept : payload_(std::exchange(o.payload_, nullptr)) {}
  PayloadRef& operator=(PayloadRef o) noexcept {
    std::swap(payload_, o.payload_);
    return *this;
  }
  ~PayloadRef() { reset(); }

  void reset() {
    if (payload_ != nullptr) std::exchange(payload_, nullptr)->release();
  }
  /// Asks the host for the cache lines of a pooled payload and of what lies behind it (a line's data, the head of a
  /// warp access's lanes) ahead of their use. What waits in a queue has left the caches by the time its turn comes;
  /// fetching the next one while its predecessor is served hides most of that.
  void prefetch() const {
    const auto* line = reinterpret_cast<const unsigned char*>(payload_);
    for (std::size_t i = 0; i < sizeof(PooledPayload) + kLineBytes; i += 64) __builtin_prefetch(line + i);
  }
  Payload* get() const { return payload_; }
  Payload& operator*() const { return *payload_; }
  Payload* operator->() const { return payload_; }
  explicit operator bool() const { return payload_ != nullptr; }

 private:
  Payload* payload_ = nullptr;
};

/// Pool of line transactions and warp accesses; one per GPU. Not thread-safe (a SystemC kernel has one thread).
class PayloadPool : public tlm::tlm_mm_interface {
 public:
  PayloadPool();
  ~PayloadPool() override;
  PayloadPool(const PayloadPool&) = delete;
  PayloadPool& operator=(const PayloadPool&) = delete;

  /// A line transaction: 128 data bytes (contents undefined), address line-aligned by the caller, no enables yet (use
  /// set_enables), response INCOMPLETE, sideband at its defaults except `operation`. The caller is the creator and
  /// holds the only reference.
  PayloadRef line(tlm::tlm_command command, std::uint64_t address, Operation operation);

  /// A compare-and-swap line transaction: 256 data bytes, new values in the first 128 and the values to compare with in
  /// the second; the 128 enables apply to both (TLM takes them modulo their length).
  PayloadRef compare_line(std::uint64_t address);

  /// A warp access: 512 data bytes, sideband with lanes, data_length for 4 bytes a lane until finish_warp() sets it. A
  /// compare-and-swap has twice that: the lanes' new values, then the lanes' values to compare with.
  PayloadRef warp(Operation operation);

  /// Payloads handed out and not yet returned. Zero at the end of a clean simulation.
  std::size_t outstanding() const { return outstanding_; }
  /// Payload objects ever made (a measure of the peak in flight).
  std::size_t capacity() const { return capacity_; }

  void free(Payload* p) override;

 private:
  struct Line;
  struct Warp;
  /// The free payloads of one kind and the memory they all lie in.
  template <class T>
  struct Kind {
    static constexpr std::size_t kSlab = 256;
    void grow();
    void destroy();
    std::vector<PooledPayload*> free;
    std::vector<HostMemory> slabs;
  };
  template <class T>
  PooledPayload& take(Kind<T>& kind);

  Kind<Line> lines_;
  Kind<Warp> warps_;
  std::size_t outstanding_ = 0, capacity_ = 0;
};

/// Gives a pooled line transaction its byte enables: a shared constant where the mask is whole sectors, else the
/// payload's own array.
void set_enables(Payload& pooled_line, ByteMask mask);

/// Fixes length and address of a pooled warp access once its lanes are filled in.
void finish_warp(Payload& pooled_warp);

}  // namespace gputlm
