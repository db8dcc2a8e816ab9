// SPDX-License-Identifier: Apache-2.0
//
// What a memory access means beyond the generic payload: an ignorable extension. A base-protocol initiator that knows
// nothing of it is given `relaxed.sys`, which goes past L1, so that a polling host never reads stale data.
#pragma once

#include <array>
#include <cstdint>
#include <typeinfo>

#include "gputlm/tlm/systemc_guard.h"

namespace gputlm {

/// What is asked for. Loads and stores are TLM_READ_COMMAND and TLM_WRITE_COMMAND; everything else is
/// TLM_IGNORE_COMMAND, and an OK response without `Sideband::executed` is a command error.
enum class Operation : std::uint8_t { load, store, reduction, atomic, l1_invalidate, fence, system_barrier };

/// Memory-order semantics of one access or fence (PTX ISA, memory consistency model).
enum class Semantics : std::uint8_t { weak, relaxed, acquire, release, acq_rel, seq_cst };

/// Who takes part: the CTA, the GPU, the system.
enum class Scope : std::uint8_t { cta, gpu, sys };

/// Read-modify-write functions performed at L2 on naturally aligned 4- or 8-byte words.
enum class AtomicFunction : std::uint8_t {
  add,
  min_signed,
  min_unsigned,
  max_signed,
  max_unsigned,
  bit_and,
  bit_or,
  bit_xor,
  exchange,
  compare_and_swap,
  float_add,
  increment,
  decrement
};

/// Eviction class of the instruction's cache hint; `normal` unless a policy uses it.
enum class EvictionClass : std::uint8_t { first, normal, last };

inline constexpr unsigned kLanes = 32;
inline constexpr unsigned kMaxLaneBytes = 16;

/// Who issued an access: for attribution, fault messages and observers, never for routing.
struct Origin {
  std::uint16_t sm = 0xffff;      ///< SM number; 0xffff: not from an SM.
  std::uint16_t warp = 0xffff;    ///< Warp slot within the SM.
  std::uint32_t instruction = 0;  ///< Index of the warp's instruction, counted from 0.
  std::uint32_t kernel = 0;       ///< Kernel or phase number given by the workload.
  std::uint32_t cta = 0;          ///< Linear CTA index within the kernel.
};

/// The 32 lanes of a warp access. Lane i's registers are data bytes [i*lane_bytes, (i+1)*lane_bytes). Their addresses
/// are listed, or evenly spaced from that of lane 0: most accesses are, and need not write and read 256 bytes of
/// addresses. at() reads either.
struct WarpLanes {
  static constexpr std::uint64_t kListed = ~std::uint64_t{0};

  std::uint32_t active = 0;        ///< Bit i: lane i takes part.
  std::uint8_t lane_bytes = 4;     ///< 1, 2, 4, 8 or 16.
  std::uint8_t scoreboard = 0xff;  ///< The scheduler's own mark of the load's destination; echoed untouched.
  std::uint64_t stride = kListed;  ///< Bytes from one lane's address to the next one's; kListed: each has its own.
  /// Virtual byte address per lane; only active lanes count. Of evenly spaced lanes lane 0's alone is written.
  std::array<std::uint64_t, kLanes> address{};

  std::uint64_t at(unsigned lane) const { return stride == kListed ? address[lane] : address[0] + lane * stride; }
  void space_evenly(std::uint64_t first, std::uint64_t bytes_apart) {
    address[0] = first;
    stride = bytes_apart;
  }
};

/// Extension of a payload on any arrow of the memory path. "Writer" is the only party that may change the field.
class Sideband : public tlm::tlm_extension<Sideband> {
 public:
  // -- Written by the payload's creator before BEGIN_REQ, constant until the payload's end
  // -----------------------------
  Operation operation = Operation::load;           ///< Default: derived from the TLM command.
  Semantics semantics = Semantics::relaxed;        ///< Default relaxed: the access goes past L1.
  Scope scope = Scope::sys;                        ///< Default sys.
  AtomicFunction function = AtomicFunction::add;   ///< Meaningful for reduction and atomic only.
  std::uint8_t word_bytes = 4;                     ///< Reduction and atomic: 4 or 8.
  EvictionClass eviction = EvictionClass::normal;  ///< Cache hint.
  Origin origin;                                   ///< For people and observers.
  std::uint64_t virtual_address = 0;               ///< Address before translation; the MMU restores it upward.
  WarpLanes* lanes = nullptr;                      ///< Warp accesses only; null on line transactions.

  // -- Private to one party: nobody else reads or writes it -----------------------------------------------------------
  const void* creator = nullptr;   ///< The unit that made the payload; tells a fill from a passing access.
  std::uint64_t cookie = 0;        ///< The creator's own handle for the payload.
  std::uint16_t ingress = 0xffff;  ///< The crossbar's: port the request came in by.
  std::uint64_t judge = 0;         ///< The scoreboard's: digest of the data as last verified. Models never touch it.

  // -- Written by the unit that executes a TLM_IGNORE operation
  // --------------------------------------------------------
  bool executed = false;  ///< True: done. An OK response without it means that nobody understood the operation.

  tlm::tlm_extension_base* clone() const override { return new Sideband(*this); }
  void copy_from(const tlm::tlm_extension_base& from) override { *this = static_cast<const Sideband&>(from); }

  /// A load that may hit L1: weak, or no wider than the CTA.
  bool may_use_l1() const { return semantics == Semantics::weak || scope == Scope::cta; }
  bool is_atomic() const { return operation == Operation::atomic || operation == Operation::reduction; }
};

/// A payload of the pool, which brings its sideband along: found by the payload's type, without the generic payload's
/// table of extensions, which lies elsewhere in host memory. Nobody gives such a payload another sideband.
class PooledPayload final : public tlm::tlm_generic_payload {
 public:
  /// Storage that goes with the payload: data, lanes of a warp access (else null), 128 enables of a line (else null).
  PooledPayload(unsigned char* data, WarpLanes* lanes, unsigned char* enables)
      : own_data(data), own_lanes(lanes), own_enables(enables) {
    set_extension(&sideband);
  }
  ~PooledPayload() override { clear_extension<Sideband>(); }

  Sideband sideband;
  unsigned char* const own_data;
  WarpLanes* const own_lanes;
  unsigned char* const own_enables;
};

/// The payload's sideband, or null for a foreign payload without one.
inline Sideband* find_sideband(const tlm::tlm_generic_payload& p) {
  if (&typeid(p) == &typeid(PooledPayload))
    return const_cast<Sideband*>(&static_cast<const PooledPayload&>(p).sideband);
  return p.get_extension<Sideband>();
}

/// The payload's sideband; a foreign payload is given the default one (owned by the payload, freed with it).
Sideband& sideband_of(tlm::tlm_generic_payload& p);

const char* name_of(Operation o);
const char* name_of(Semantics s);
const char* name_of(Scope s);
const char* name_of(AtomicFunction f);

}  // namespace gputlm
