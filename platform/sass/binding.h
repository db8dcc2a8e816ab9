// SPDX-License-Identifier: Apache-2.0
//
// What the families' tables are written with.
#pragma once

#include <string_view>
#include <utility>

#include "gputlm/sass/instruction_table.h"

namespace gputlm {

using Lane = unsigned;

/// A number's bit.
inline bool has_lane(LaneMask mask, Lane lane) {
  return (mask >> lane & 1U) != 0;
}

/// True for an instruction of the uniform datapath, which runs once for the warp.
inline bool is_uniform(const SassInstruction& i) {
  return i.opcode[0] == 'U';
}

/// Runs f(state, lane) for every lane; for one on the uniform datapath.
template <class F>
void run_lanes(const SassInstruction& i, BoundInstruction& b, F f) {
  b.once = is_uniform(i);
  b.run = [f = std::move(f)](WarpState& w, LaneMask lanes) { for_each_lane_of(lanes, [&](Lane l) { f(w, l); }); };
}

/// Writes f(state, lane) to the instruction's register.
template <class F>
void write_word(const SassInstruction& i, const Operands& o, BoundInstruction& b, F f) {
  run_lanes(i, b, [d = o.d.at(0), f = std::move(f)](WarpState& w, Lane l) { d.write(w, l, f(w, l)); });
}

template <class F>
void write_pair(const SassInstruction& i, const Operands& o, BoundInstruction& b, F f) {
  run_lanes(i, b, [d = o.d.at(0), f = std::move(f)](WarpState& w, Lane l) { d.write_pair(w, l, f(w, l)); });
}

/// Runs f for all lanes at once.
template <class F>
void run_warp(const SassInstruction& i, BoundInstruction& b, F f) {
  b.once = is_uniform(i);
  b.run = std::move(f);
}

/// Lanes of `lanes` for which f(lane) holds.
template <class F>
LaneMask lanes_where(LaneMask lanes, F f) {
  LaneMask result = 0;
  for_each_lane_of(lanes, [&](Lane l) { result |= f(l) ? LaneMask{1} << l : 0; });
  return result;
}

/// AND, OR, XOR of a comparison and a predicate.
enum class Joined : std::uint8_t { with_and, with_or, with_xor };
inline Joined joined_of(const SassInstruction& i) {
  return i.has("OR") ? Joined::with_or : i.has("XOR") ? Joined::with_xor : Joined::with_and;
}
inline LaneMask join(Joined how, LaneMask a, LaneMask b) {
  return how == Joined::with_and ? a & b : how == Joined::with_or ? a | b : a ^ b;
}

/// Sets the two predicates of a ...SETP: the comparison and its complement, each joined with the predicate read.
inline void set_compared(WarpState& w, const Operands& o, Joined how, LaneMask lanes, LaneMask held) {
  const LaneMask read = o.q.at(0).lanes(w), first = join(how, held, read), second = join(how, ~held, read);
  w.set_predicate(o.p.at(0), lanes, first);
  w.set_predicate(o.p.at(1), lanes, second);
}

inline std::int32_t as_signed(std::uint32_t v) {
  return static_cast<std::int32_t>(v);
}
inline std::int64_t as_signed(std::uint64_t v) {
  return static_cast<std::int64_t>(v);
}
/// The low `bits` of v, sign-extended.
inline std::uint32_t sign_extend(std::uint32_t v, unsigned bits) {
  if (bits == 0 || bits >= 32) return bits == 0 ? 0 : v;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(v << (32 - bits)) >> (32 - bits));
}

}  // namespace gputlm
