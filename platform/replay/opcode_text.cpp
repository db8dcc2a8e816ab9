// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/opcode_text.h"

namespace gputlm {
namespace {

const char* strong(Scope scope) {
  switch (scope) {
    case Scope::cta:
      return ".STRONG.SM";
    case Scope::gpu:
      return ".STRONG.GPU";
    case Scope::sys:
      break;
  }
  return ".STRONG.SYS";
}

const char* hint(EvictionClass eviction) {
  if (eviction == EvictionClass::first) return ".EF";
  return eviction == EvictionClass::last ? ".EL" : "";
}

const char* width(unsigned bytes) {
  switch (bytes) {
    case 1:
      return ".U8";
    case 2:
      return ".U16";
    case 8:
      return ".64";
    case 16:
      return ".128";
    default:
      return "";
  }
}

std::string function(AtomicFunction f, bool wide) {
  switch (f) {
    case AtomicFunction::add:
      return wide ? ".ADD.64" : ".ADD";
    case AtomicFunction::min_signed:
      return wide ? ".MIN.S64" : ".MIN.S32";
    case AtomicFunction::min_unsigned:
      return wide ? ".MIN.64" : ".MIN";
    case AtomicFunction::max_signed:
      return wide ? ".MAX.S64" : ".MAX.S32";
    case AtomicFunction::max_unsigned:
      return wide ? ".MAX.64" : ".MAX";
    case AtomicFunction::bit_and:
      return wide ? ".AND.64" : ".AND";
    case AtomicFunction::bit_or:
      return wide ? ".OR.64" : ".OR";
    case AtomicFunction::bit_xor:
      return wide ? ".XOR.64" : ".XOR";
    case AtomicFunction::exchange:
      return wide ? ".EXCH.64" : ".EXCH";
    case AtomicFunction::compare_and_swap:
      return wide ? ".CAS.64" : ".CAS";
    case AtomicFunction::float_add:
      return wide ? ".ADD.F64.RN" : ".ADD.F32.FTZ.RN";
    case AtomicFunction::increment:
      return wide ? ".INC.64" : ".INC";
    case AtomicFunction::decrement:
      break;
  }
  return wide ? ".DEC.64" : ".DEC";
}

}  // namespace

std::string access_opcode(const WarpInstruction& access, unsigned lane_bytes) {
  const char* const order = access.semantics == Semantics::weak ? "" : strong(access.scope);
  switch (access.operation) {
    case Operation::store:
      return std::string("STG.E") + hint(access.eviction) + width(lane_bytes) + order;
    case Operation::reduction:
      return "RED.E" + function(access.function, lane_bytes == 8) + hint(access.eviction) + strong(access.scope);
    case Operation::atomic:
      return "ATOMG.E" + function(access.function, lane_bytes == 8) + hint(access.eviction) + strong(access.scope);
    default:
      return std::string("LDG.E") + hint(access.eviction) + width(lane_bytes) + order;
  }
}

std::string fence_opcode(Semantics semantics, Scope scope) {
  if (semantics == Semantics::acquire) return "CCTL.IVALL";
  const char* const at = scope == Scope::sys ? "SYS" : scope == Scope::gpu ? "GPU" : "CTA";
  return std::string(semantics == Semantics::seq_cst ? "MEMBAR.SC." : "MEMBAR.ALL.") + at;
}

}  // namespace gputlm
