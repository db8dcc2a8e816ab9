// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/operand_access.h"

#include "gputlm/sass/float_format.h"

namespace gputlm {
namespace {

using Kind = SassOperand::Kind;

constexpr std::uint32_t kSignBits = 0x80000000U, kHalfSigns = 0x80008000U;
constexpr std::uint64_t kRealSign = std::uint64_t{1} << 63U;

}  // namespace

Source::Source(const SassOperand& o)
    : kind_(o.kind),
      halves_(o.halves),
      negated_(o.negated),
      absolute_(o.absolute),
      inverted_(o.inverted),
      byte_(o.byte),
      index_(o.index),
      base_(o.base),
      uniform_base_(o.uniform_base),
      value_(o.value) {
  if (kind_ == Kind::decimal) {
    single_ = float_bits(static_cast<float>(o.number));
    real_ = double_bits(o.number);
    half_ = half_from_double(o.number, Rounding::nearest);
  } else {
    single_ = static_cast<std::uint32_t>(value_);
    real_ = static_cast<std::uint64_t>(value_) << 32U;
    half_ = static_cast<std::uint16_t>(value_);
  }
}

std::uint32_t Source::word(const WarpState& w, unsigned lane, unsigned n) const {
  switch (kind_) {
    case Kind::reg:
      return index_ + n >= kZeroRegister ? 0 : w.reg(index_ + n, lane);
    case Kind::uniform:
      return index_ + n >= kUniformZeroRegister ? 0 : w.uniform[index_ + n];
    case Kind::constant: {
      std::uint64_t offset = static_cast<std::uint64_t>(value_) + std::uint64_t{4} * n;
      if (base_ != kZeroRegister) offset += w.reg(base_, lane);
      if (uniform_base_ != kUniformZeroRegister) offset += w.uniform[uniform_base_];
      return w.launch.constant(index_, offset);
    }
    default:
      return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value_) >> (32U * n));
  }
}

std::uint32_t Source::integer(const WarpState& w, unsigned lane) const {
  std::uint32_t v = word(w, lane);
  if (absolute_ && (v & kSignBits) != 0) v = ~v + 1;
  if (inverted_) return ~v;
  return negated_ ? ~v + 1 : v;
}

std::uint64_t Source::addend(const WarpState& w, unsigned lane) const {
  const std::uint32_t v = word(w, lane), complement = ~v;
  if (inverted_) return complement;
  return negated_ ? std::uint64_t{complement} + 1 : v;
}

std::uint64_t Source::wide(const WarpState& w, unsigned lane) const {
  const std::uint64_t v = pair(w, lane);
  if (inverted_) return ~v;
  return negated_ ? ~v + 1 : v;
}

std::uint32_t Source::single(const WarpState& w, unsigned lane) const {
  std::uint32_t v = kind_ == Kind::decimal ? single_ : word(w, lane);
  if (absolute_) v &= ~kSignBits;
  return negated_ ? v ^ kSignBits : v;
}

std::uint64_t Source::real(const WarpState& w, unsigned lane) const {
  std::uint64_t v = is_number() ? real_ : pair(w, lane);
  if (absolute_) v &= ~kRealSign;
  return negated_ ? v ^ kRealSign : v;
}

std::uint32_t Source::halves(const WarpState& w, unsigned lane) const {
  std::uint32_t v = kind_ == Kind::decimal ? half_ * 0x10001U : word(w, lane);
  if (halves_ == SassOperand::Halves::low) v = (v & 0xffffU) * 0x10001U;
  if (halves_ == SassOperand::Halves::high) v = (v >> 16U) * 0x10001U;
  if (absolute_) v &= ~kHalfSigns;
  return negated_ ? v ^ kHalfSigns : v;
}

std::uint64_t AddressSource::address(const WarpState& w, unsigned lane) const {
  const SassOperand& o = operand_;
  std::uint64_t base = 0, uniform = 0;
  if (o.base != kZeroRegister) {
    base = w.reg(o.base, lane);
    // An access that is wide takes a pair also where the listing leaves the .64 out; with .U32 a uniform pair is added.
    if (wide_ && (o.wide || o.uniform_base == kUniformZeroRegister))
      base |= std::uint64_t{w.reg(o.base + 1U, lane)} << 32U;
  }
  if (o.uniform_base != kUniformZeroRegister) {
    uniform = w.uniform[o.uniform_base];
    if (wide_) uniform |= std::uint64_t{w.uniform[o.uniform_base + 1U]} << 32U;
  }
  const std::uint64_t sum = base * o.scale + uniform + static_cast<std::uint64_t>(o.value);
  return wide_ ? sum : static_cast<std::uint32_t>(sum);
}

}  // namespace gputlm
