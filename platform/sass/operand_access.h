// SPDX-License-Identifier: Apache-2.0
//
// Operands as instructions read and write them, resolved once per listing.
#pragma once

#include <cstdint>

#include "gputlm/sass/listing.h"
#include "gputlm/sass/warp_state.h"

namespace gputlm {

/// A value an instruction reads: register, uniform register, constant or number. `word` ignores signs; the other
/// accessors apply -, | | and ~ as the format asks.
class Source {
 public:
  Source() = default;
  explicit Source(const SassOperand& o);

  /// The n-th 32-bit word of the operand: of a register pair, of a 64-bit constant, of a sign-extended number.
  std::uint32_t word(const WarpState& w, unsigned lane, unsigned n = 0) const;
  std::uint64_t pair(const WarpState& w, unsigned lane) const {
    return word(w, lane) | std::uint64_t{word(w, lane, 1)} << 32U;
  }
  /// As a 32-bit integer.
  std::uint32_t integer(const WarpState& w, unsigned lane) const;
  /// What an addition with carry adds: a negated operand counts as its complement and a carry of one, so that -0
  /// carries.
  std::uint64_t addend(const WarpState& w, unsigned lane) const;
  /// As a 64-bit integer.
  std::uint64_t wide(const WarpState& w, unsigned lane) const;
  /// As bits of a float.
  std::uint32_t single(const WarpState& w, unsigned lane) const;
  /// As bits of a double.
  std::uint64_t real(const WarpState& w, unsigned lane) const;
  /// As bits of two halves, low one first.
  std::uint32_t halves(const WarpState& w, unsigned lane) const;

  bool is_number() const { return kind_ == SassOperand::Kind::integer || kind_ == SassOperand::Kind::decimal; }
  /// Bits of the half that a decimal stands for.
  std::uint16_t half_bits() const { return half_; }
  /// Shift of a narrow operand within its register, in bits.
  unsigned narrow_shift() const { return byte_ * 8U; }
  /// The number of an `integer`.
  std::int64_t value() const { return value_; }

 private:
  SassOperand::Kind kind_ = SassOperand::Kind::integer;
  SassOperand::Halves halves_ = SassOperand::Halves::both;
  bool negated_ = false, absolute_ = false, inverted_ = false;
  std::uint8_t byte_ = 0;
  std::uint16_t index_ = 0, base_ = kZeroRegister, uniform_base_ = kUniformZeroRegister;
  std::uint16_t half_ = 0;
  std::uint32_t single_ = 0;
  std::int64_t value_ = 0;
  std::uint64_t real_ = 0;
};

/// A register or uniform register that is written; RZ and URZ take nothing, nor does what would lie past them.
class Destination {
 public:
  Destination() = default;
  explicit Destination(const SassOperand& o)
      : uniform_(o.kind == SassOperand::Kind::uniform),
        zero_(uniform_ ? kUniformZeroRegister : kZeroRegister),
        index_(o.index) {}

  void write(WarpState& w, unsigned lane, std::uint32_t value, unsigned n = 0) const {
    if (index_ + n >= zero_) return;
    (uniform_ ? w.uniform[index_ + n] : w.reg(index_ + n, lane)) = value;
  }
  void write_pair(WarpState& w, unsigned lane, std::uint64_t value) const {
    write(w, lane, static_cast<std::uint32_t>(value));
    write(w, lane, static_cast<std::uint32_t>(value >> 32U), 1);
  }

 private:
  bool uniform_ = false;
  unsigned zero_ = 0;  ///< Of RZ or URZ.
  std::uint16_t index_ = 0;
};

/// Number of a predicate in a WarpState.
inline unsigned predicate_index(const SassOperand& o) {
  return o.index + (o.kind == SassOperand::Kind::uniform_predicate ? kUniformPredicates : 0);
}

/// A predicate that is read, perhaps negated.
struct PredicateSource {
  unsigned index = kTruePredicate;
  bool negated = false;

  LaneMask lanes(const WarpState& w) const { return negated ? ~w.predicate(index) : w.predicate(index); }
};

/// [base + uniform + offset], one per lane.
class AddressSource {
 public:
  AddressSource() = default;
  /// `wide`: a 64-bit address (base and uniform base are pairs), else 32 bits.
  AddressSource(const SassOperand& o, bool wide) : operand_(o), wide_(wide) { operand_.text.clear(); }
  std::uint64_t address(const WarpState& w, unsigned lane) const;

 private:
  SassOperand operand_;
  bool wide_ = true;
};

}  // namespace gputlm
