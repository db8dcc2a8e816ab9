// SPDX-License-Identifier: Apache-2.0
//
// Order, scope and cache hint of accesses and fences, as the modifiers of their opcodes say it.
#pragma once

#include "gputlm/sass/access_width.h"
#include "gputlm/warp/warp_program.h"

namespace gputlm {

inline Scope scope_of(const SassInstruction& i) {
  if (i.has("SYS")) return Scope::sys;
  return i.has("GPU") ? Scope::gpu : Scope::cta;
}

inline EvictionClass eviction_of(const SassInstruction& i) {
  if (i.has("EF") || i.has("LU") || i.has("NA")) return EvictionClass::first;
  return i.has("EL") ? EvictionClass::last : EvictionClass::normal;
}

/// .STRONG accesses are relaxed at their scope; ordered ones come with fences.
inline WarpInstruction access_instruction(const SassInstruction& i, Operation operation) {
  WarpInstruction w;
  w.kind = WarpInstruction::Kind::memory;
  w.operation = operation;
  w.semantics = i.has("STRONG") ? Semantics::relaxed : Semantics::weak;
  w.scope = scope_of(i);
  w.eviction = eviction_of(i);
  return w;
}

/// Bytes of an atomic's or a reduction's operand; the width of a 64-bit type need not be said.
inline AccessWidth atomic_width(const SassInstruction& i) {
  if (i.has("F64") || i.has("S64") || i.has("U64")) return {8, false};
  return access_width(i);
}

inline WarpInstruction fence_at(Semantics semantics, Scope scope) {
  WarpInstruction w;
  w.kind = WarpInstruction::Kind::fence;
  w.operation = Operation::fence;
  w.semantics = semantics;
  w.scope = scope;
  return w;
}

/// MEMBAR: .SC is seq_cst, .ALL acq_rel.
inline WarpInstruction membar_instruction(const SassInstruction& i) {
  return fence_at(i.has("SC") ? Semantics::seq_cst : Semantics::acq_rel, scope_of(i));
}

/// CCTL.IVALL: an invalidate of L1.
inline WarpInstruction invalidate_instruction() {
  return fence_at(Semantics::acquire, Scope::gpu);
}

}  // namespace gputlm
