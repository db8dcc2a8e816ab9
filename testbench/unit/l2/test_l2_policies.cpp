// SPDX-License-Identifier: Apache-2.0
//
// The parts of a slice by themselves: set index, replacement, cleaning, FIFO account, atomic unit.
#include "gputlm/test_support/sc_test.h"
// (first: Boost.Test and SystemC)
#include <cstring>
#include <limits>
#include <random>

#include "gputlm/l2/atomic_alu.h"
#include "gputlm/l2/cleaning_policy.h"
#include "gputlm/l2/set_index.h"
#include "gputlm/l2/write_back_fifo.h"

using namespace gputlm;

namespace {

SetIndexSpec published() {
  SetIndexSpec s;
  s.type = "published";
  s.line_masks = {0x0bd654c80, 0x0bd654c80, 0x07aed8b80, 0x03e313180, 0x03e313300,
                  0x0bd654e80, 0x0bd654c00, 0x044dcb880, 0x000000200, 0x13bc21180};
  s.quotient_masks = {0x00e500, 0x010000, 0x027c00, 0x045500, 0x080300,
                      0x104200, 0x200b00, 0x401600, 0x804600, 0x006400};
  s.quotient_bytes = 1152;
  s.invert_shift = 15;
  s.invert_modulus = 9;
  s.invert_residues = {2, 6};
  return s;
}

unsigned published_by_hand(std::uint64_t a) {
  const SetIndexSpec s = published();
  unsigned set = 0;
  for (unsigned i = 0; i < 10; ++i)
    set |= static_cast<unsigned>(__builtin_parityll(a & s.line_masks[i]) ^
                                 __builtin_parityll(a / 1152 & s.quotient_masks[i]))
           << i;
  const std::uint64_t residue = (a >> 15) % 9;
  return residue == 2 || residue == 6 ? set ^ 512U : set;
}

std::uint64_t apply(AtomicFunction f, unsigned bytes, std::uint64_t old, std::uint64_t operand,
                    std::uint64_t compare = 0) {
  PayloadPool pool;
  PayloadRef p = f == AtomicFunction::compare_and_swap ? pool.compare_line(0)
                                                       : pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::atomic);
  find_sideband(*p)->function = f;
  find_sideband(*p)->word_bytes = static_cast<std::uint8_t>(bytes);
  unsigned char line[kLineBytes] = {};
  std::memcpy(line + 16, &old, bytes);
  std::memset(p->get_data_ptr(), 0, kLineBytes);
  std::memcpy(p->get_data_ptr() + 16, &operand, bytes);
  if (f == AtomicFunction::compare_and_swap) std::memcpy(p->get_data_ptr() + kLineBytes + 16, &compare, bytes);
  perform_atomic(*p, ByteMask::range(16, bytes), line);
  std::uint64_t returned = 0, value = 0;
  std::memcpy(&returned, p->get_data_ptr() + 16, bytes);
  std::memcpy(&value, line + 16, bytes);
  BOOST_CHECK_EQUAL(returned, old);
  for (unsigned i = 0; i < kLineBytes; ++i)
    if (i < 16 || i >= 16 + bytes) BOOST_REQUIRE_EQUAL(line[i], 0);
  return value;
}
std::uint32_t bits(float x) {
  std::uint32_t b = 0;
  std::memcpy(&b, &x, 4);
  return b;
}
std::uint64_t bits(double x) {
  std::uint64_t b = 0;
  std::memcpy(&b, &x, 8);
  return b;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_listed_strategy_can_be_made_and_an_unknown_one_names_the_known) {
  for (const std::string& name : set_index_names()) {
    SetIndexSpec s = published();
    s.type = name;
    BOOST_CHECK_LT(make_set_index(s, 1024)->set_of(0x12345680), 1024U);
  }
  for (const std::string& name : replacement_names()) BOOST_CHECK(make_replacement({name, 3, 1, 0, "keep"}) != nullptr);
  for (const std::string& name : cleaning_names()) BOOST_CHECK(make_cleaning({name, 8, "any_store"}) != nullptr);
  BOOST_CHECK_EXCEPTION(make_replacement({"fifo", 3, 1, 0, "keep"}), std::invalid_argument, [](const auto& e) {
    return std::string(e.what()) ==
           "unknown replacement policy 'fifo'; known: rrip, lru, tree_plru, srrip, brrip, drrip, random";
  });
  BOOST_CHECK_THROW(make_cleaning({"", 8, ""}), std::invalid_argument);
  BOOST_CHECK_THROW(make_set_index({}, 16), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(published_set_index_is_the_published_formula) {
  const auto index = make_set_index(published(), 1024);
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 20000; ++i) {
    const std::uint64_t line = random() % (std::uint64_t{24} << 30) / kLineBytes * kLineBytes;
    BOOST_REQUIRE_EQUAL(index->set_of(line), published_by_hand(line));
  }
}

BOOST_AUTO_TEST_CASE(published_set_index_spreads_72_mib_evenly_over_the_sets_of_all_slices_together) {
  const auto index = make_set_index(published(), 1024);
  std::vector<unsigned> lines(1024);
  for (std::uint64_t line = 0; line < (std::uint64_t{72} << 20); line += kLineBytes) ++lines[index->set_of(line)];
  for (const unsigned n : lines) BOOST_REQUIRE_EQUAL(n, 36U * 16U);
}

BOOST_AUTO_TEST_CASE(modulo_set_index_takes_the_low_bits_of_the_line_number) {
  SetIndexSpec s;
  s.type = "modulo";
  const auto index = make_set_index(s, 64);
  for (unsigned n = 0; n < 200; ++n) BOOST_CHECK_EQUAL(index->set_of(n * std::uint64_t{kLineBytes}), n % 64);
}

BOOST_AUTO_TEST_CASE(rrip_raises_just_enough_for_one_candidate_and_saturates_the_rest) {
  const auto rrip = make_replacement({"rrip", 3, 1, 0, "keep"});
  std::uint8_t rrpv[4] = {2, 1, 0, 0};
  const std::uint64_t last_use[4] = {1, 2, 4, 3};
  const SetWays set{4, rrpv, last_use};
  rrip->prepare(set, 0b1110);  // way 0 is no candidate
  BOOST_CHECK_EQUAL(rrpv[0], 2);
  BOOST_CHECK_EQUAL(rrpv[1], 2);
  BOOST_CHECK_EQUAL(rrpv[2], 1);
  BOOST_CHECK_EQUAL(rrip->next(set, 0b1110), 1U);
  BOOST_CHECK_EQUAL(rrip->next(set, 0b1100), kNoWay);  // no second raise
  rrip->prepare(set, 0b1100);
  BOOST_CHECK_EQUAL(rrip->next(set, 0b1100), 3U);  // tie: least recently used
}

BOOST_AUTO_TEST_CASE(lru_gives_up_the_least_recently_used_candidate) {
  const auto lru = make_replacement({"lru", 3, 1, 0, "keep"});
  std::uint8_t rrpv[4] = {};
  const std::uint64_t last_use[4] = {9, 2, 4, 3};
  BOOST_CHECK_EQUAL(lru->next({4, rrpv, last_use}, 0b1111), 1U);
  BOOST_CHECK_EQUAL(lru->next({4, rrpv, last_use}, 0b1101), 3U);
  BOOST_CHECK_EQUAL(lru->next({4, rrpv, last_use}, 0), kNoWay);
}

BOOST_AUTO_TEST_CASE(janitor_wants_cleaning_from_its_threshold_on) {
  const auto any = make_cleaning({"threshold", 8, "any_store"});
  const auto only_new = make_cleaning({"threshold", 8, "new_dirty_line"});
  BOOST_CHECK(!any->wants_cleaning(7, true));
  BOOST_CHECK(any->wants_cleaning(8, false));
  BOOST_CHECK(!only_new->wants_cleaning(8, false));
  BOOST_CHECK(only_new->wants_cleaning(8, true));
  BOOST_CHECK(!make_cleaning({"none", 1, "any_store"})->wants_cleaning(16, true));
  const std::uint64_t last_store[3] = {5, 1, 3};
  BOOST_CHECK_EQUAL(any->choose(0b111, last_store), 1U);
  BOOST_CHECK_EQUAL(any->choose(0b101, last_store), 2U);
}

BOOST_AUTO_TEST_CASE(fifo_account_starts_when_it_becomes_non_empty_and_never_owes_more_than_it_holds) {
  WriteBackFifo fifo(2, 4, 2);
  fifo.note_fill(1);
  fifo.push(1, 3);
  fifo.push(1, 0);
  fifo.note_fill(1);
  BOOST_CHECK_EQUAL(fifo.owed(1), 0U);
  fifo.note_fill(1);
  BOOST_CHECK_EQUAL(fifo.owed(1), 1U);
  for (unsigned i = 0; i < 10; ++i) fifo.note_fill(1);
  BOOST_CHECK_EQUAL(fifo.owed(1), 2U);
  fifo.remove(1, 3);
  BOOST_CHECK_EQUAL(fifo.way(1, 0), 0U);
  BOOST_CHECK_EQUAL(fifo.owed(1), 1U);
  fifo.remove(1, 0);
  BOOST_CHECK_EQUAL(fifo.owed(1), 0U);
  BOOST_CHECK_EQUAL(fifo.size(0), 0U);
}

BOOST_AUTO_TEST_CASE(atomic_functions_are_those_of_ptx_on_32_and_64_bits) {
  using F = AtomicFunction;
  constexpr std::uint64_t minus_1_32 = 0xffffffffULL, minus_1_64 = ~0ULL;
  BOOST_CHECK_EQUAL(apply(F::add, 4, minus_1_32, 2), 1U);
  BOOST_CHECK_EQUAL(apply(F::add, 8, minus_1_32, 2), 0x100000001ULL);
  BOOST_CHECK_EQUAL(apply(F::min_signed, 4, 1, minus_1_32), minus_1_32);
  BOOST_CHECK_EQUAL(apply(F::min_unsigned, 4, 1, minus_1_32), 1U);
  BOOST_CHECK_EQUAL(apply(F::max_signed, 8, 1, minus_1_64), 1U);
  BOOST_CHECK_EQUAL(apply(F::max_unsigned, 8, 1, minus_1_64), minus_1_64);
  BOOST_CHECK_EQUAL(apply(F::bit_and, 4, 0xf0f0, 0xff00), 0xf000U);
  BOOST_CHECK_EQUAL(apply(F::bit_or, 4, 0xf0f0, 0xff00), 0xfff0U);
  BOOST_CHECK_EQUAL(apply(F::bit_xor, 8, 0xf0f0, 0xff00), 0x0ff0U);
  BOOST_CHECK_EQUAL(apply(F::exchange, 4, 1, 2), 2U);
  BOOST_CHECK_EQUAL(apply(F::compare_and_swap, 4, 1, 2, 1), 2U);
  BOOST_CHECK_EQUAL(apply(F::compare_and_swap, 8, 1, 2, 3), 1U);
  BOOST_CHECK_EQUAL(apply(F::increment, 4, 6, 7), 7U);
  BOOST_CHECK_EQUAL(apply(F::increment, 4, 7, 7), 0U);
  BOOST_CHECK_EQUAL(apply(F::decrement, 4, 0, 7), 7U);
  BOOST_CHECK_EQUAL(apply(F::decrement, 4, 9, 7), 7U);
  BOOST_CHECK_EQUAL(apply(F::decrement, 4, 5, 7), 4U);
  BOOST_CHECK_EQUAL(apply(F::float_add, 4, bits(1.5F), bits(2.25F)), bits(3.75F));
  BOOST_CHECK_EQUAL(apply(F::float_add, 8, bits(1.5), bits(2.25)), bits(3.75));
  const float subnormal = std::numeric_limits<float>::denorm_min();
  BOOST_CHECK_EQUAL(apply(F::float_add, 4, bits(subnormal), bits(subnormal)), bits(0.0F));
}

BOOST_AUTO_TEST_CASE(a_float_add_gives_the_canonical_nan_whatever_payloads_went_in) {
  using F = AtomicFunction;
  for (const std::uint64_t nan : {0x7fc12345ULL, 0xffc00001ULL, 0x7f812345ULL})
    for (const std::uint64_t other : {0x7fc54321ULL, 0x3f800000ULL, 0xff800000ULL}) {
      BOOST_CHECK_EQUAL(apply(F::float_add, 4, nan, other), 0x7fffffffULL);
      BOOST_CHECK_EQUAL(apply(F::float_add, 4, other, nan), 0x7fffffffULL);
    }
  BOOST_CHECK_EQUAL(apply(F::float_add, 4, 0x7f800000, 0xff800000), 0x7fffffffULL);  // infinity - infinity
  BOOST_CHECK_EQUAL(apply(F::float_add, 8, 0x7ff8000000000123ULL, bits(1.0)), 0xfff8000000000000ULL);
}

BOOST_AUTO_TEST_CASE(complete_words_are_those_with_every_byte) {
  BOOST_CHECK(complete_words(ByteMask::range(1, 14), 4) == ByteMask::range(4, 8));
  BOOST_CHECK(complete_words(ByteMask::range(1, 14), 8).empty());
  BOOST_CHECK(complete_words(ByteMask::range(60, 20), 8) == ByteMask::range(64, 16));
  BOOST_CHECK(complete_words(ByteMask::full(), 4).is_full());
}

BOOST_AUTO_TEST_CASE(same_word_gate_spaces_operations_on_one_word_only) {
  SameWordGate gate(10);
  BOOST_CHECK_EQUAL(gate.book(0, ByteMask::range(0, 4), 100), 100);
  BOOST_CHECK_EQUAL(gate.book(0, ByteMask::range(0, 4), 101), 110);
  BOOST_CHECK_EQUAL(gate.book(0, ByteMask::range(4, 4), 101), 101);
  BOOST_CHECK_EQUAL(gate.book(128, ByteMask::range(0, 4), 101), 101);
  BOOST_CHECK_EQUAL(gate.book(0, ByteMask::range(0, 8), 102), 120);
}
