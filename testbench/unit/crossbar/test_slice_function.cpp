// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <array>
#include <set>

#include "gputlm/crossbar/slice_function.h"
#include "published_spec.h"

using namespace gputlm;

namespace {

unsigned par(std::uint64_t a, std::uint64_t mask) {
  return static_cast<unsigned>(__builtin_popcountll(a & mask)) & 1U;
}

// The appendix's formulas written down once more, term by term.
unsigned reference_slice(std::uint64_t a) {
  const unsigned p1 = par(a, 0x76A990400), p2 = par(a, 0x2CCF7B000);
  const auto A = static_cast<unsigned>((a / 32768 + 2 * par(a, 0x3C9041000) + par(a, 0x2882B0800) + 2) % 3);
  const unsigned q0 = par(a, 0x8000), q1 = par(a, 0x5985E0500), q2 = par(a, 0x2354E4400), q3 = par(a, 0x3C9041000);
  const unsigned c = q0 + q1 + q2 > 1 ? 1 : 0;
  const int g = static_cast<int>((a + 65536) / 131072 % 9);
  const int s = static_cast<int>(5 + 7 * q0 + 5 * q1 + 2 * q2 + q3 - c) % 9;
  const int shift[] = {5, 0, 1}, offset[] = {1, 0, 0};
  const int o = ((g - shift[A] - s) % 9 + 9) % 9;
  const int low = (q0 ^ q1 ^ q2) == 0 ? 2 : 1;
  const int u = o % 3 >= low ? 1 : 0;
  const int base = o / 3 == 0 ? 2 : (o / 3 == 1 && u == 0 ? 1 : 0);
  const int b = (((q2 != 0 ? 1 - base : base) + offset[A]) % 3 + 3) % 3;
  return 3 * ((2 * p1 + p2) * 3 + A) + static_cast<unsigned>(b);
}

}  // namespace

BOOST_AUTO_TEST_CASE(published_function_equals_the_formulas_of_the_appendix) {
  const auto f = make_slice_function(published_crossbar_spec());
  std::uint64_t x = 1;
  for (int i = 0; i < 200000; ++i) {
    x = x * 6364136223846793005ULL + 1442695040888963407ULL;
    const std::uint64_t a = (x >> 20) % (24ULL << 30);
    BOOST_REQUIRE_EQUAL(f->slice_of(a), reference_slice(a));
  }
}

BOOST_AUTO_TEST_CASE(seventy_two_mebibytes_are_balanced_exactly) {
  const auto f = make_slice_function(published_crossbar_spec());
  for (const std::uint64_t base : {0ULL, 1ULL << 30}) {
    std::array<unsigned, 36> lines{};
    for (std::uint64_t a = base; a < base + (72ULL << 20); a += 128) ++lines[f->slice_of(a)];
    for (const unsigned n : lines) BOOST_TEST(n == 16384U);
  }
}

BOOST_AUTO_TEST_CASE(granularity_is_256_bytes_within_a_slice_and_1_kib_within_a_controller) {
  const auto f = make_slice_function(published_crossbar_spec());
  std::set<unsigned> slices_of_4k, slices_of_64k;
  for (std::uint64_t a = 0; a < 65536; a += 128) {
    BOOST_REQUIRE_EQUAL(f->slice_of(a), f->slice_of(a & ~255ULL));
    BOOST_REQUIRE_EQUAL(f->slice_of(a) / 3, f->slice_of(a & ~1023ULL) / 3);
    slices_of_64k.insert(f->slice_of(a));
    if (a < 4096) slices_of_4k.insert(f->slice_of(a));
  }
  BOOST_TEST(slices_of_4k.size() == 8U);
  BOOST_TEST(slices_of_64k.size() == 36U);
}

BOOST_AUTO_TEST_CASE(modulo_and_xor_fold_stay_in_range_and_every_slice_is_used) {
  CrossbarSpec spec = published_crossbar_spec();
  for (const char* type : {"modulo", "xor_fold"}) {
    spec.slice_function.type = type;
    spec.slices = 5;
    const auto f = make_slice_function(spec);
    std::set<unsigned> seen;
    for (std::uint64_t a = 0; a < 1U << 20; a += 256) seen.insert(f->slice_of(a));
    BOOST_TEST(seen.size() == 5U);
    BOOST_TEST(*seen.rbegin() == 4U);
  }
}

BOOST_AUTO_TEST_CASE(a_table_names_slices_by_parities_within_the_row_of_the_granule) {
  CrossbarSpec spec = published_crossbar_spec();
  SliceFunctionSpec& f = spec.slice_function;
  f.type = "table";
  spec.slices = 6;
  f.table_masks = {0x100400, 0x800};
  f.table = {0, 1, 2, 3, 5, 4, 3, 2, 1, 0, 5, 4};  // three rows
  const auto function = make_slice_function(spec);
  for (std::uint64_t a = 0; a < 1U << 22; a += 128)
    BOOST_REQUIRE_EQUAL(function->slice_of(a), f.table[a / 256 % 3 * 4 + par(a, 0x100400) + 2 * par(a, 0x800)]);
  f.table_masks.clear();
  const auto list = make_slice_function(spec);
  for (std::uint64_t a = 0; a < 1U << 16; a += 128) BOOST_REQUIRE_EQUAL(list->slice_of(a), f.table[a / 256 % 12]);
}

BOOST_AUTO_TEST_CASE(a_table_reproduces_the_function_that_it_was_made_from) {
  CrossbarSpec spec = published_crossbar_spec();
  spec.slice_function.type = "modulo";
  const auto modulo = make_slice_function(spec);
  spec.slice_function.type = "table";
  for (unsigned slice = 0; slice < spec.slices; ++slice) spec.slice_function.table.push_back(slice);
  const auto table = make_slice_function(spec);
  for (std::uint64_t a = 0; a < 1U << 20; a += 256) BOOST_REQUIRE_EQUAL(table->slice_of(a), modulo->slice_of(a));
}

BOOST_AUTO_TEST_CASE(a_table_that_does_not_fit_is_refused) {
  CrossbarSpec spec = published_crossbar_spec();
  spec.slices = 35;
  BOOST_CHECK_THROW(make_slice_function(spec), std::invalid_argument);
  spec = published_crossbar_spec();
  spec.slice_function.q.pop_back();
  BOOST_CHECK_THROW(make_slice_function(spec), std::invalid_argument);
  spec.slice_function.type = "table";
  BOOST_CHECK_THROW(make_slice_function(spec), std::invalid_argument);  // empty
  spec.slice_function.table = {0, 36};
  BOOST_CHECK_THROW(make_slice_function(spec), std::invalid_argument);
  spec.slice_function.table = {0, 1, 2};
  spec.slice_function.table_masks = {0x100};
  BOOST_CHECK_THROW(make_slice_function(spec), std::invalid_argument);
  spec.slice_function.type = "nonsense";
  BOOST_CHECK_THROW(make_slice_function(spec), std::invalid_argument);
}
