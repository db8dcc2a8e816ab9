// SPDX-License-Identifier: Apache-2.0
//
// Memory that is the SM's own: shared, local, constant.
#include <cstring>
#include <optional>

#include "gputlm/sass/access_width.h"
#include "gputlm/sass/binding.h"
#include "gputlm/sass/lane_bytes.h"
#include "gputlm/workload/atomic_reference.h"

namespace gputlm {
namespace {

/// The bytes that a lane's address names: shared for LDS, STS, ATOMS, else local.
unsigned char* bytes_of(bool shared, WarpState& w, Lane l, std::uint64_t address, unsigned size) {
  return shared ? w.shared(address, size) : w.local(l, address, size);
}

bool is_shared(const SassInstruction& i) {
  return i.opcode.back() == 'S';
}

void bind_near_load(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_lanes(i, b,
            [d = o.d[0], a = AddressSource(*o.address, false), width = access_width(i), shared = is_shared(i)](
                WarpState& w, Lane l) {
              if (const unsigned char* from = bytes_of(shared, w, l, a.address(w, l), width.bytes))
                load_lane(w, l, d, width, from);
            });
}

void bind_near_store(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_lanes(i, b,
            [s = o.s[0], a = AddressSource(*o.address, false), width = access_width(i), shared = is_shared(i)](
                WarpState& w, Lane l) {
              if (unsigned char* to = bytes_of(shared, w, l, a.address(w, l), width.bytes))
                store_lane(w, l, s, width, to);
            });
}

// The offset of a constant is an address whose base may be a register.
void bind_ldc(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const AccessWidth width = access_width(i);
  run_lanes(i, b, [d = o.d[0], s = o.s[0], width](WarpState& w, Lane l) {
    std::uint32_t words[4] = {};
    for (unsigned n = 0; n < width.words(); ++n) words[n] = s.word(w, l, n);
    load_lane(w, l, d, width, reinterpret_cast<const unsigned char*>(words));
  });
}

/// An atomic on shared memory, one lane after the other.
struct SharedAtomic {
  AtomicFunction function;
  AccessWidth width;
  AddressSource address;

  /// The old word; none when there is no such memory.
  std::optional<std::uint64_t> perform(WarpState& w, Lane l, std::uint64_t operand, std::uint64_t compared) const {
    unsigned char* at = w.shared(address.address(w, l), width.bytes);
    if (at == nullptr) return std::nullopt;
    std::uint64_t old = 0;
    std::memcpy(&old, at, width.bytes);
    const std::uint64_t updated = atomic_result(function, width.bytes, old, operand, compared);
    std::memcpy(at, &updated, width.bytes);
    return old;
  }
};

std::uint64_t value_of(const Source& s, const AccessWidth& width, const WarpState& w, Lane l) {
  return width.bytes == 8 ? s.pair(w, l) : s.word(w, l);
}

void bind_atoms(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const bool cast = i.has("CAST"), swaps = cast || i.has("CAS"), counts = i.has("POPC");
  if (o.s.size() != (swaps ? 2U : counts ? 0U : 1U)) throw Unsupported("these operands are not supported for ATOMS");
  const auto function = counts ? AtomicFunction::add : atomic_function(i);
  const SharedAtomic atomic{function, access_width(i), AddressSource(*o.address, false)};
  run_lanes(i, b, [=](WarpState& w, Lane l) {
    const AccessWidth& width = atomic.width;
    // Compare-and-swap names what to compare with ahead of the new value.
    const std::uint64_t first = counts ? 1 : value_of(o.s[0], width, w, l);
    const std::uint64_t second = swaps ? value_of(o.s[1], width, w, l) : first;
    const auto old = atomic.perform(w, l, second, first);
    if (!old) return;
    if (cast)
      o.d[0].write(w, l, *old == first ? 1 : 0);
    else if (width.bytes == 8)
      o.d[0].write_pair(w, l, *old);
    else
      o.d[0].write(w, l, static_cast<std::uint32_t>(*old));
  });
}

}  // namespace

const std::vector<InstructionRow>& near_memory_rows() {
  constexpr const char* kWidths = "U8 S8 U16 S16 U 32 64 128";
  constexpr const char* kLocal = "U8 S8 U16 S16 32 64 128 LU EF EL";
  constexpr const char* kAtomics = "ADD MIN MAX INC DEC AND OR XOR EXCH CAS CAST SPIN POPC 32 S32 U32 64 S64 U64";
  static const std::vector<InstructionRow> rows{
      {"LDS", kWidths, "d a", "load from shared memory", Latency::shared, bind_near_load},
      {"STS", kWidths, "a s", "store to shared memory", Latency::shared, bind_near_store},
      {"ATOMS", kAtomics, "d a s? s?",
       "atomic on shared memory; .CAST: 1 where the swap was made; .POPC.INC: adds the number of lanes",
       Latency::shared, bind_atoms},
      {"LDL", kLocal, "d a", "load from local memory", Latency::local, bind_near_load},
      {"STL", kLocal, "a s", "store to local memory", Latency::local, bind_near_store},
      {"LDC", kWidths, "d s", "load from a constant bank", Latency::constant, bind_ldc},
      {"ULDC", kWidths, "d s", "load from a constant bank to uniform registers", Latency::fixed, bind_ldc},
  };
  return rows;
}

}  // namespace gputlm
