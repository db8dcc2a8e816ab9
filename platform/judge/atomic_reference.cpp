// SPDX-License-Identifier: Apache-2.0
#include "gputlm/judge/atomic_reference.h"

#include <cstring>
#include <type_traits>

namespace gputlm {
namespace {

template <class To, class From>
To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// A subnormal becomes a zero of its sign: atom.add.f32 on global memory flushes operands and result.
std::uint32_t flushed(std::uint32_t bits) {
  return (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits;
}
std::uint64_t flushed(std::uint64_t bits) {
  return bits;
}

/// CUDA's CUDART_NAN_F and CUDART_NAN, whatever NaN went in.
std::uint32_t canonical(std::uint32_t bits) {
  return (bits & 0x7fffffffU) > 0x7f800000U ? 0x7fffffffU : bits;
}
std::uint64_t canonical(std::uint64_t bits) {
  return (bits & 0x7fffffffffffffffU) > 0x7ff0000000000000U ? 0xfff8000000000000U : bits;
}

template <class Word>
Word add_floating(Word a, Word b) {
  using Real = std::conditional_t<sizeof(Word) == 4, float, double>;
  return canonical(flushed(bits_as<Word>(static_cast<Real>(bits_as<Real>(flushed(a)) + bits_as<Real>(flushed(b))))));
}

template <class Word>
Word new_value(AtomicFunction function, Word old, Word operand, Word compare) {
  using Signed = std::make_signed_t<Word>;
  const bool below = operand < old;
  const bool below_signed = static_cast<Signed>(operand) < static_cast<Signed>(old);
  switch (function) {
    case AtomicFunction::add:
      return old + operand;
    case AtomicFunction::min_unsigned:
      return below ? operand : old;
    case AtomicFunction::max_unsigned:
      return below ? old : operand;
    case AtomicFunction::min_signed:
      return below_signed ? operand : old;
    case AtomicFunction::max_signed:
      return below_signed ? old : operand;
    case AtomicFunction::bit_and:
      return old & operand;
    case AtomicFunction::bit_or:
      return old | operand;
    case AtomicFunction::bit_xor:
      return old ^ operand;
    case AtomicFunction::exchange:
      return operand;
    case AtomicFunction::compare_and_swap:
      return old == compare ? operand : old;
    case AtomicFunction::float_add:
      return add_floating(old, operand);
    case AtomicFunction::increment:
      return old >= operand ? 0 : old + 1;
    case AtomicFunction::decrement:
      return old == 0 || old > operand ? operand : old - 1;
  }
  return old;
}

template <class Word>
void perform_on_words(unsigned char* line, const Payload& atomic, AtomicFunction function) {
  const ByteMask mask = ByteMask::of(atomic);
  const unsigned char* operands = atomic.get_data_ptr();
  for (unsigned at = 0; at < kLineBytes; at += sizeof(Word)) {
    if (!mask.test(at)) continue;
    Word old{}, operand{}, compare{};
    std::memcpy(&old, line + at, sizeof old);
    std::memcpy(&operand, operands + at, sizeof operand);
    if (function == AtomicFunction::compare_and_swap) std::memcpy(&compare, operands + kLineBytes + at, sizeof compare);
    const Word value = new_value<Word>(function, old, operand, compare);
    std::memcpy(line + at, &value, sizeof value);
  }
}

}  // namespace

void perform_atomic(unsigned char* line, const Payload& atomic, const Sideband& sideband) {
  if (sideband.word_bytes == 8)
    perform_on_words<std::uint64_t>(line, atomic, sideband.function);
  else
    perform_on_words<std::uint32_t>(line, atomic, sideband.function);
}

}  // namespace gputlm
