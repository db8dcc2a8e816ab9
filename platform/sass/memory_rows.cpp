// SPDX-License-Identifier: Apache-2.0
//
// Accesses that leave the SM, and what orders them.
#include "gputlm/sass/binding.h"
#include "gputlm/sass/lane_bytes.h"
#include "gputlm/sass/memory_order.h"

namespace gputlm {
namespace {

/// What all accesses have in common.
MemoryForm access_form(const SassInstruction& i, const Operands& o, Operation operation) {
  MemoryForm m;
  m.access = access_instruction(i, operation);
  m.address = AddressSource(*o.address, i.has("E"));
  m.width = access_width(i);
  m.generic = i.opcode == "LD" || i.opcode == "ST" || i.opcode == "ATOM";
  return m;
}

void bind_load(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  b.kind = BoundInstruction::Kind::memory;
  b.memory = access_form(i, o, Operation::load);
  b.memory.result = o.d[0];
}

void bind_store(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  b.kind = BoundInstruction::Kind::memory;
  b.memory = access_form(i, o, Operation::store);
  b.memory.data = o.s[0];
}

/// RED and what ATOM and ATOMG share with it.
void bind_reduction(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  b.kind = BoundInstruction::Kind::memory;
  b.memory = access_form(i, o, Operation::reduction);
  b.memory.access.function = atomic_function(i);
  if (i.has("F16x2") || i.has("BF16x2"))
    throw Unsupported("atomics on packed halves are not supported: L2 has no such function");
  b.memory.width = atomic_width(i);
  b.memory.data = o.s[0];
}

void bind_atomic(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  bind_reduction(i, o, b);
  b.memory.access.operation = Operation::atomic;
  b.memory.result = o.d[0];
  b.memory.predicate = o.p[0];
  const bool swaps = b.memory.access.function == AtomicFunction::compare_and_swap;
  if (o.s.size() != (swaps ? 2U : 1U)) throw Unsupported("these operands are not supported for " + i.opcode);
  // Compare-and-swap names what to compare with ahead of the new value.
  if (swaps) {
    b.memory.compared = o.s[0];
    b.memory.data = o.s[1];
  }
}

void bind_membar(const SassInstruction& i, const Operands&, BoundInstruction& b) {
  b.kind = BoundInstruction::Kind::fence;
  b.fence = membar_instruction(i);
}

// An invalidate of L1: what is left of it when the code is bound says whether the access or fence ahead of it has done
// it already (sass_code.cpp).
void bind_cctl(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  if (i.has("IVALL")) {
    b.kind = BoundInstruction::Kind::fence;
    b.fence = invalidate_instruction();
    return;
  }
  if (o.address == nullptr) throw Unsupported("this form of CCTL is not supported");
  run_warp(i, b, [](WarpState&, LaneMask) {});
}

// Whether the address lies in shared (.S), local (.L) or global (.G) memory.
void bind_qspc(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const bool shared = i.has("S"), global = i.has("G");
  run_warp(i, b, [=, a = AddressSource(*o.address, i.has("E"))](WarpState& w, LaneMask lanes) {
    const LaneMask held = lanes_where(lanes, [&](Lane l) {
      const Space space = space_of(w.launch.spec, a.address(w, l));
      return space == (shared ? Space::shared : global ? Space::global : Space::local);
    });
    for_each_lane_of(lanes, [&](Lane l) { o.d[0].write(w, l, has_lane(held, l) ? 1 : 0); });
    w.set_predicate(o.p[0], lanes, held);
  });
}

}  // namespace

const std::vector<InstructionRow>& memory_rows() {
  constexpr const char* kLoads =
      "E U8 S8 U16 S16 32 64 128 CONSTANT STRONG SM CTA GPU SYS EF EL LU NA LTC64B LTC128B LTC256B";
  constexpr const char* kStores = "E U8 S8 U16 S16 32 64 128 STRONG SM CTA GPU SYS EF EL NA";
  constexpr const char* kAtomics =
      "E ADD MIN MAX INC DEC AND OR XOR EXCH CAS 64 S32 U32 S64 U64 F32 F64 F16x2 BF16x2 FTZ RN STRONG SM CTA GPU SYS "
      "EF EL NA";
  static const std::vector<InstructionRow> rows{
      {"LDG", kLoads, "d a", "load from global memory", Latency::fixed, bind_load},
      {"STG", kStores, "a s", "store to global memory", Latency::fixed, bind_store},
      {"LD", kLoads, "d a", "load from a generic address", Latency::shared, bind_load},
      {"ST", kStores, "a s", "store to a generic address", Latency::shared, bind_store},
      {"RED", kAtomics, "a s", "reduction at L2", Latency::fixed, bind_reduction},
      {"ATOMG", kAtomics, "p d a s s?", "atomic at L2", Latency::fixed, bind_atomic},
      {"ATOM", kAtomics, "p d a s s?", "atomic at a generic address, which must be global", Latency::fixed,
       bind_atomic},
      {"MEMBAR", "SC ALL SM CTA GPU SYS", "", "fence; .SC: seq_cst, .ALL: acq_rel", Latency::fixed, bind_membar},
      {"CCTL", "IVALL E PF1 PF2 RML2", "a?",
       "L1 invalidated (.IVALL, with the access or fence ahead of it); prefetch and discard do nothing", Latency::fixed,
       bind_cctl},
      {"QSPC", "E S L G", "p d a", "whether a generic address is shared, local or global", Latency::shared, bind_qspc},
  };
  return rows;
}

}  // namespace gputlm
