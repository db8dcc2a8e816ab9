// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/payload_pool.h"

#include <algorithm>

namespace gputlm {

// `is_warp` is the first thing behind the payload in both kinds, so that free() can tell them apart.
struct Pooled : Payload {
  explicit Pooled(bool warp) : is_warp(warp) {}
  const bool is_warp;
  Sideband sideband;
};

struct PayloadPool::Line : Pooled {
  Line() : Pooled(false) {}
  ~Line() override { clear_extension<Sideband>(); }
  alignas(64) unsigned char data[2 * kLineBytes];
  unsigned char enables[kLineBytes];
};

struct PayloadPool::Warp : Pooled {
  Warp() : Pooled(true) {}
  ~Warp() override { clear_extension<Sideband>(); }
  WarpLanes lanes;
  alignas(64) unsigned char data[kLanes * kMaxLaneBytes];
};

PayloadPool::PayloadPool() = default;
PayloadPool::~PayloadPool() = default;

template <class T>
T& PayloadPool::take(std::vector<T*>& free_list, std::vector<std::unique_ptr<T[]>>& slabs) {
  static constexpr std::size_t kSlab = 256;
  if (free_list.empty()) {
    slabs.push_back(std::make_unique<T[]>(kSlab));
    capacity_ += kSlab;
    for (std::size_t i = kSlab; i-- > 0;) {
      T& t = slabs.back()[i];
      t.set_mm(this);
      t.set_extension(&t.sideband);
      free_list.push_back(&t);
    }
    free_list.reserve(slabs.size() * kSlab);
  }
  T& t = *free_list.back();
  free_list.pop_back();
  ++outstanding_;
  t.sideband = Sideband{};
  t.set_data_ptr(t.data);
  t.set_byte_enable_ptr(nullptr);
  t.set_byte_enable_length(0);
  t.set_dmi_allowed(false);
  t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  t.set_gp_option(tlm::TLM_MIN_PAYLOAD);
  return t;
}

PayloadRef PayloadPool::line(tlm::tlm_command command, std::uint64_t address, Operation operation) {
  Line& l = take(free_lines_, line_slabs_);
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
  Warp& w = take(free_warps_, warp_slabs_);
  w.lanes.active = 0;
  w.lanes.lane_bytes = 4;
  w.lanes.scoreboard = 0xff;
  w.sideband.lanes = &w.lanes;
  w.sideband.operation = operation;
  w.set_command(operation == Operation::load    ? tlm::TLM_READ_COMMAND
                : operation == Operation::store ? tlm::TLM_WRITE_COMMAND
                                                : tlm::TLM_IGNORE_COMMAND);
  w.set_address(0);
  w.set_data_length(kLanes * w.lanes.lane_bytes);
  w.set_streaming_width(kLanes * w.lanes.lane_bytes);
  return PayloadRef(w);
}

void PayloadPool::free(Payload* p) {
  p->reset();  // releases extensions that other parties attached for the payload's lifetime
  auto* pooled = static_cast<Pooled*>(p);
  if (pooled->is_warp)
    free_warps_.push_back(static_cast<Warp*>(pooled));
  else
    free_lines_.push_back(static_cast<Line*>(pooled));
  --outstanding_;
}

void set_enables(Payload& pooled_line, ByteMask mask) {
  // TLM declares the pointer non-const, but nobody on the road may write through it: the checker watches.
  auto* enables = const_cast<unsigned char*>(mask.shared_enables());
  if (enables == nullptr) {
    enables = static_cast<PayloadPool::Line&>(pooled_line).enables;
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
  pooled_warp.set_address(lanes.address[first]);
  sideband.virtual_address = lanes.address[first];
}

}  // namespace gputlm
