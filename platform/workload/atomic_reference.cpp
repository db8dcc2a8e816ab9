// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/atomic_reference.h"

#include <algorithm>
#include <cstring>

namespace gputlm {

namespace {

float float_of(std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  float value = 0;
  std::memcpy(&value, &word, 4);
  return value;
}

std::uint64_t bits_of(float value) {
  std::uint32_t word = 0;
  std::memcpy(&word, &value, 4);
  return word;
}

}  // namespace

std::uint64_t atomic_result(AtomicFunction function, unsigned word_bytes, std::uint64_t old, std::uint64_t operand,
                            std::uint64_t compare) {
  const std::uint64_t mask = word_bytes == 8 ? ~std::uint64_t{0} : 0xffffffffULL;
  const auto is_signed_less = [&](std::uint64_t a, std::uint64_t b) {
    const std::uint64_t sign = (mask >> 1) + 1;  // moving the sign's weight makes the order the unsigned one
    return (a ^ sign) < (b ^ sign);
  };
  switch (function) {
    case AtomicFunction::add:
      return (old + operand) & mask;
    case AtomicFunction::min_signed:
      return is_signed_less(operand, old) ? operand : old;
    case AtomicFunction::max_signed:
      return is_signed_less(old, operand) ? operand : old;
    case AtomicFunction::min_unsigned:
      return std::min(old, operand);
    case AtomicFunction::max_unsigned:
      return std::max(old, operand);
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
      return bits_of(float_of(old) + float_of(operand));
    case AtomicFunction::increment:
      return old >= operand ? 0 : old + 1;
    case AtomicFunction::decrement:
      return old == 0 || old > operand ? operand : old - 1;
  }
  return old;
}

}  // namespace gputlm
