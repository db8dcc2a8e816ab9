// SPDX-License-Identifier: Apache-2.0
//
// Short ways to write warp accesses in tests.
#pragma once

#include <cstring>

#include "gputlm/tlm/payload_pool.h"

namespace gputlm::lsu_test {

inline constexpr std::uint32_t kAllLanes = 0xffffffffU;

/// Byte `i` of lane `lane`'s register: different for neighbours, never zero.
inline unsigned char register_byte(unsigned lane, unsigned i) {
  return static_cast<unsigned char>(1 + (lane * 37 + i * 11) % 255);
}

/// A warp access with lane i at base + i * stride, registers filled by register_byte(); weak, of the CTA.
inline PayloadRef strided(PayloadPool& pool, Operation operation, std::uint64_t base, std::uint64_t stride,
                          unsigned lane_bytes = 4, std::uint32_t active = kAllLanes) {
  PayloadRef p = pool.warp(operation);
  Sideband& s = *find_sideband(*p);
  s.semantics = Semantics::weak;
  s.scope = Scope::cta;
  s.word_bytes = static_cast<std::uint8_t>(lane_bytes);
  s.lanes->active = active;
  s.lanes->lane_bytes = static_cast<std::uint8_t>(lane_bytes);
  for (unsigned i = 0; i < kLanes; ++i) {
    s.lanes->address[i] = base + i * stride;
    for (unsigned b = 0; b < lane_bytes; ++b) p->get_data_ptr()[i * lane_bytes + b] = register_byte(i, b);
  }
  finish_warp(*p);
  return p;
}

inline PayloadRef store(PayloadPool& pool, std::uint64_t base, unsigned lane_bytes = 4) {
  return strided(pool, Operation::store, base, lane_bytes, lane_bytes);
}
inline PayloadRef load(PayloadPool& pool, std::uint64_t base, unsigned lane_bytes = 4) {
  return strided(pool, Operation::load, base, lane_bytes, lane_bytes);
}

inline PayloadRef fence(PayloadPool& pool, Scope scope) {
  PayloadRef p = pool.warp(Operation::fence);
  find_sideband(*p)->scope = scope;
  find_sideband(*p)->semantics = Semantics::seq_cst;
  finish_warp(*p);
  return p;
}

/// Gives an access (of the pool) other semantics.
inline PayloadRef with(PayloadRef p, Semantics semantics, Scope scope) {
  find_sideband(*p)->semantics = semantics;
  find_sideband(*p)->scope = scope;
  return p;
}

}  // namespace gputlm::lsu_test
