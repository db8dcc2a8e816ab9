// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/payload_pool.h"

#include <new>

namespace gputlm {

// A payload and what goes with it, side by side; the payload's last cache line is not shared with the data.
struct PayloadPool::Line {
  Line() : payload(data, nullptr, enables) {}
  alignas(64) PooledPayload payload;
  alignas(64) unsigned char data[2 * kLineBytes];
  unsigned char enables[kLineBytes];
};

struct PayloadPool::Warp {
  Warp() : payload(data, &lanes, nullptr) {}
  alignas(64) PooledPayload payload;
  WarpLanes lanes;
  alignas(64) unsigned char data[kLanes * kMaxLaneBytes];
};

PayloadPool::PayloadPool() = default;

template <class T>
void PayloadPool::Kind<T>::grow() {
  slabs.emplace_back(kSlab * sizeof(T));
  for (std::size_t i = kSlab; i-- > 0;) free.push_back(&(new (static_cast<T*>(slabs.back().data()) + i) T)->payload);
  free.reserve(slabs.size() * kSlab);
}

template <class T>
void PayloadPool::Kind<T>::destroy() {
  for (const HostMemory& slab : slabs)
    for (std::size_t i = 0; i < kSlab; ++i) (static_cast<T*>(slab.data()) + i)->~T();
}

PayloadPool::~PayloadPool() {
  lines_.destroy();
  warps_.destroy();
}

template <class T>
PooledPayload& PayloadPool::take(Kind<T>& kind) {
  if (kind.free.empty()) {
    kind.grow();
    for (PooledPayload* p : kind.free) p->set_mm(this);
    capacity_ += kind.free.size();
  }
  PooledPayload& p = *kind.free.back();
  kind.free.pop_back();
  ++outstanding_;
  p.sideband = Sideband{};
  p.set_data_ptr(p.own_data);
  p.set_byte_enable_ptr(nullptr);
  p.set_byte_enable_length(0);
  p.set_dmi_allowed(false);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  p.set_gp_option(tlm::TLM_MIN_PAYLOAD);
  return p;
}

PayloadRef PayloadPool::line(tlm::tlm_command command, std::uint64_t address, Operation operation) {
  PooledPayload& l = take(lines_);
  l.set_command(command);
  l.set_address(address);
  l.set_data_length(kLineBytes);
  l.set_streaming_width(kLineBytes);
  l.sideband.operation = operation;
  l.sideband.virtual_address = address;
  return PayloadRef(l);
}

PayloadRef PayloadPool::compare_line(std::uint64_t address) {
  PayloadRef p = line(tlm::TLM_IGNORE_COMMAND, address, Operation::atomic);
  p->set_data_length(2 * kLineBytes);
  p->set_streaming_width(2 * kLineBytes);
  find_sideband(*p)->function = AtomicFunction::compare_and_swap;
  return p;
}

PayloadRef PayloadPool::warp(Operation operation) {
  PooledPayload& w = take(warps_);
  WarpLanes& lanes = *w.own_lanes;
  lanes.active = 0;
  lanes.lane_bytes = 4;
  lanes.scoreboard = 0xff;
  lanes.stride = WarpLanes::kListed;
  w.sideband.lanes = &lanes;
  w.sideband.operation = operation;
  w.set_command(operation == Operation::load    ? tlm::TLM_READ_COMMAND
                : operation == Operation::store ? tlm::TLM_WRITE_COMMAND
                                                : tlm::TLM_IGNORE_COMMAND);
  w.set_address(0);
  w.set_data_length(kLanes * lanes.lane_bytes);
  w.set_streaming_width(kLanes * lanes.lane_bytes);
  return PayloadRef(w);
}

void PayloadPool::free(Payload* p) {
  p->reset();  // releases extensions that other parties attached for the payload's lifetime
  auto* pooled = static_cast<PooledPayload*>(p);
  (pooled->own_lanes != nullptr ? warps_.free : lines_.free).push_back(pooled);
  --outstanding_;
}

void set_enables(Payload& pooled_line, ByteMask mask) {
  // TLM declares the pointer non-const, but nobody on the road may write through it: the checker watches.
  auto* enables = const_cast<unsigned char*>(mask.shared_enables());
  if (enables == nullptr) {
    enables = static_cast<PooledPayload&>(pooled_line).own_enables;
    mask.to_enables(enables);
  }
  pooled_line.set_byte_enable_ptr(enables);
  pooled_line.set_byte_enable_length(kLineBytes);
}

void finish_warp(Payload& pooled_warp) {
  Sideband& sideband = *find_sideband(pooled_warp);
  const WarpLanes& lanes = *sideband.lanes;
  const bool compares = sideband.is_atomic() && sideband.function == AtomicFunction::compare_and_swap;
  const unsigned bytes = kLanes * lanes.lane_bytes * (compares ? 2U : 1U);
  pooled_warp.set_data_length(bytes);
  pooled_warp.set_streaming_width(bytes);
  const unsigned first = lanes.active != 0 ? static_cast<unsigned>(__builtin_ctz(lanes.active)) : 0;
  pooled_warp.set_address(lanes.at(first));
  sideband.virtual_address = lanes.at(first);
}

}  // namespace gputlm
