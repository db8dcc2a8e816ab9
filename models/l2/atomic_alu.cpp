// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/atomic_alu.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "gputlm/tlm/line_contract.h"

namespace gputlm {
namespace {

template <class To, class From>
To bits_as(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

float flush_subnormal(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
}

// A NaN is always the canonical one (PTX: payloads are not kept; the values are CUDA's CUDART_NAN_F and CUDART_NAN).
// Which operand's payload a host's addition keeps is the compiler's choice, so it must not show.
template <class Word>
Word add_float(Word old, Word operand) {
  if constexpr (sizeof(Word) == 4) {
    const float sum = flush_subnormal(bits_as<float>(old)) + flush_subnormal(bits_as<float>(operand));
    return std::isnan(sum) ? 0x7fffffffU : bits_as<Word>(flush_subnormal(sum));
  } else {
    const double sum = bits_as<double>(old) + bits_as<double>(operand);
    return std::isnan(sum) ? 0xfff8000000000000U : bits_as<Word>(sum);
  }
}

template <class Word>
Word combine(AtomicFunction function, Word old, Word operand, Word compare) {
  using Signed = std::make_signed_t<Word>;
  const auto s_old = static_cast<Signed>(old), s_operand = static_cast<Signed>(operand);
  switch (function) {
    case AtomicFunction::add:
      return old + operand;
    case AtomicFunction::min_signed:
      return s_operand < s_old ? operand : old;
    case AtomicFunction::min_unsigned:
      return std::min(old, operand);
    case AtomicFunction::max_signed:
      return s_operand > s_old ? operand : old;
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
      return add_float(old, operand);
    case AtomicFunction::increment:
      return old >= operand ? 0 : old + 1;
    case AtomicFunction::decrement:
      return old == 0 || old > operand ? operand : old - 1;
  }
  return old;
}

template <class Word>
void perform_words(Payload& request, ByteMask words, unsigned char* line) {
  const Sideband& sideband = *find_sideband(request);
  const bool compares = sideband.function == AtomicFunction::compare_and_swap && sideband.is_atomic();
  unsigned char* data = request.get_data_ptr();
  for (unsigned at = 0; at < kLineBytes; at += sizeof(Word)) {
    if (!words.test(at)) continue;
    Word old = 0, operand = 0, compare = 0;
    std::memcpy(&old, line + at, sizeof old);
    std::memcpy(&operand, data + at, sizeof operand);
    if (compares) std::memcpy(&compare, data + kLineBytes + at, sizeof compare);
    const Word value = combine(sideband.function, old, operand, compare);
    std::memcpy(line + at, &value, sizeof value);
    if (sideband.operation == Operation::atomic) std::memcpy(data + at, &old, sizeof old);
  }
}

}  // namespace

ByteMask complete_words(ByteMask mask, unsigned word_bytes) {
  const std::uint64_t first_bytes = word_bytes == 4 ? 0x1111111111111111ULL : 0x0101010101010101ULL;
  const std::uint64_t word_bits = (1ULL << word_bytes) - 1;
  auto complete = [&](std::uint64_t bits) {
    for (unsigned step = 1; step < word_bytes; step *= 2) bits &= bits >> step;
    return (bits & first_bytes) * word_bits;
  };
  return {complete(mask.low()), complete(mask.high())};
}

tlm::tlm_response_status check_performable(const Payload& p) {
  const tlm::tlm_response_status status = check_line(p);
  if (status != tlm::TLM_OK_RESPONSE || p.get_command() != tlm::TLM_IGNORE_COMMAND) return status;
  const Sideband& sideband = *find_sideband(p);
  if (!sideband.is_atomic() || (sideband.word_bytes != 4 && sideband.word_bytes != 8))
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const ByteMask mask = ByteMask::of(p);
  return complete_words(mask, sideband.word_bytes) == mask ? status : tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
}

void perform_atomic(Payload& request, ByteMask words, unsigned char* line) {
  if (find_sideband(request)->word_bytes == 4)
    perform_words<std::uint32_t>(request, words, line);
  else
    perform_words<std::uint64_t>(request, words, line);
}

Fs SameWordGate::book(std::uint64_t line, ByteMask words, Fs t) {
  while (!recent_.empty() && recent_.front().free_at <= now()) recent_.pop_front();
  Booking* same = nullptr;
  for (std::size_t i = 0; i < recent_.size(); ++i) {
    Booking& booking = recent_[i];
    if (booking.line != line || !booking.words.intersects(words)) continue;
    t = std::max(t, booking.free_at);
    if (booking.words == words) same = &booking;
  }
  if (same != nullptr)
    same->free_at = t + interval_;
  else
    recent_.push_back({line, words, t + interval_});
  return t;
}

}  // namespace gputlm
