// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <cstring>

#include "gputlm/judge/atomic_reference.h"

using namespace gputlm;

namespace {

/// New value of one word at byte 8 of a line, every other byte checked to stay.
template <class Word>
Word performed(AtomicFunction function, Word old, Word operand, Word compare = 0) {
  PayloadPool pool;
  const PayloadRef p = function == AtomicFunction::compare_and_swap
                           ? pool.compare_line(0)
                           : pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::atomic);
  Sideband& s = *find_sideband(*p);
  s.function = function;
  s.word_bytes = sizeof(Word);
  set_enables(*p, ByteMask::range(8, sizeof(Word)));
  std::memset(p->get_data_ptr(), 0x5a, kLineBytes);
  std::memcpy(p->get_data_ptr() + 8, &operand, sizeof operand);
  if (function == AtomicFunction::compare_and_swap)
    std::memcpy(p->get_data_ptr() + kLineBytes + 8, &compare, sizeof compare);
  unsigned char line[kLineBytes];
  std::memset(line, 0xc3, sizeof line);
  std::memcpy(line + 8, &old, sizeof old);
  perform_atomic(line, *p, s);
  for (unsigned i = 0; i < kLineBytes; ++i)
    if (i < 8 || i >= 8 + sizeof(Word)) BOOST_REQUIRE(line[i] == 0xc3);
  Word value{};
  std::memcpy(&value, line + 8, sizeof value);
  return value;
}

std::uint32_t bits(float x) {
  std::uint32_t b = 0;
  std::memcpy(&b, &x, sizeof b);
  return b;
}
std::uint64_t bits(double x) {
  std::uint64_t b = 0;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

}  // namespace

BOOST_AUTO_TEST_CASE(integer_functions_on_32_bits) {
  using F = AtomicFunction;
  BOOST_TEST(performed<std::uint32_t>(F::add, 0xffffffff, 2) == 1);
  BOOST_TEST(performed<std::uint32_t>(F::min_signed, 5, 0xfffffffe) == 0xfffffffe);
  BOOST_TEST(performed<std::uint32_t>(F::min_unsigned, 5, 0xfffffffe) == 5);
  BOOST_TEST(performed<std::uint32_t>(F::max_signed, 5, 0xfffffffe) == 5);
  BOOST_TEST(performed<std::uint32_t>(F::max_unsigned, 5, 0xfffffffe) == 0xfffffffe);
  BOOST_TEST(performed<std::uint32_t>(F::bit_and, 0b1100, 0b1010) == 0b1000);
  BOOST_TEST(performed<std::uint32_t>(F::bit_or, 0b1100, 0b1010) == 0b1110);
  BOOST_TEST(performed<std::uint32_t>(F::bit_xor, 0b1100, 0b1010) == 0b0110);
  BOOST_TEST(performed<std::uint32_t>(F::exchange, 1, 2) == 2);
  BOOST_TEST(performed<std::uint32_t>(F::compare_and_swap, 7, 9, 7) == 9);
  BOOST_TEST(performed<std::uint32_t>(F::compare_and_swap, 7, 9, 8) == 7);
}

BOOST_AUTO_TEST_CASE(increment_and_decrement_wrap_at_the_operand) {
  using F = AtomicFunction;
  BOOST_TEST(performed<std::uint32_t>(F::increment, 3, 5) == 4);
  BOOST_TEST(performed<std::uint32_t>(F::increment, 5, 5) == 0);
  BOOST_TEST(performed<std::uint32_t>(F::increment, 6, 5) == 0);
  BOOST_TEST(performed<std::uint32_t>(F::decrement, 3, 5) == 2);
  BOOST_TEST(performed<std::uint32_t>(F::decrement, 0, 5) == 5);
  BOOST_TEST(performed<std::uint32_t>(F::decrement, 6, 5) == 5);
}

BOOST_AUTO_TEST_CASE(functions_on_64_bits_carry_past_32) {
  using F = AtomicFunction;
  BOOST_TEST(performed<std::uint64_t>(F::add, 0xffffffff, 1) == 0x100000000);
  BOOST_TEST(performed<std::uint64_t>(F::min_signed, 1, 1ULL << 63) == 1ULL << 63);
  BOOST_TEST(performed<std::uint64_t>(F::min_unsigned, 1, 1ULL << 63) == 1);
  BOOST_TEST(performed<std::uint64_t>(F::exchange, 1, 0x123456789abcdef0) == 0x123456789abcdef0);
  BOOST_TEST(performed<std::uint64_t>(F::compare_and_swap, 1ULL << 40, 9, 1ULL << 40) == 9);
  BOOST_TEST(performed<std::uint64_t>(F::compare_and_swap, 1ULL << 40, 9, 0) == 1ULL << 40);
}

BOOST_AUTO_TEST_CASE(float_addition_rounds_to_nearest_and_flushes_subnormals_on_32_bits_only) {
  using F = AtomicFunction;
  BOOST_TEST(performed(F::float_add, bits(1.5F), bits(2.25F)) == bits(3.75F));
  BOOST_TEST(performed(F::float_add, bits(16777216.0F), bits(1.0F)) == bits(16777216.0F));
  BOOST_TEST(performed(F::float_add, std::uint32_t{1}, bits(0.0F)) == bits(0.0F));
  BOOST_TEST(performed(F::float_add, std::uint32_t{0x80000001}, bits(-0.0F)) == bits(-0.0F));
  BOOST_TEST(performed(F::float_add, std::uint32_t{0x00800001}, std::uint32_t{0x80800000}) == bits(0.0F));
  BOOST_TEST(performed(F::float_add, bits(1e300), bits(1e284)) == bits(1e300 + 1e284));
  BOOST_TEST(performed(F::float_add, std::uint64_t{1}, std::uint64_t{1}) == 2);
}
