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

/// The appendix's terms of one address.
struct Terms {
  unsigned p1, p2, A, q2, u;
  int o;
};

// The appendix's formulas written down once more, term by term. On the L40S bit 35 is added to P1, q2 and A's parity.
Terms reference_terms(std::uint64_t a, unsigned bit35 = 0) {
  const unsigned p1 = par(a, 0x76A990400) ^ bit35, p2 = par(a, 0x2CCF7B000);
  const auto A = static_cast<unsigned>((a / 32768 + 2 * par(a, 0x3C9041000) + (par(a, 0x2882B0800) ^ bit35) + 2) % 3);
  const unsigned q0 = par(a, 0x8000), q1 = par(a, 0x5985E0500), q2 = par(a, 0x2354E4400) ^ bit35;
  const unsigned q3 = par(a, 0x3C9041000);
  const unsigned c = q0 + q1 + q2 > 1 ? 1 : 0;
  const int g = static_cast<int>((a + 65536) / 131072 % 9);
  const int s = static_cast<int>(5 + 7 * q0 + 5 * q1 + 2 * q2 + q3 - c) % 9;
  const int shift[] = {5, 0, 1};
  const int o = ((g - shift[A] - s) % 9 + 9) % 9;
  const int low = (q0 ^ q1 ^ q2) == 0 ? 2 : 1;
  return {p1, p2, A, q2, o % 3 >= low ? 1U : 0U, o};
}

unsigned reference_slice(std::uint64_t a) {
  const Terms t = reference_terms(a);
  const int offset[] = {1, 0, 0};
  const int base = t.o / 3 == 0 ? 2 : (t.o / 3 == 1 && t.u == 0 ? 1 : 0);
  const int b = (((t.q2 != 0 ? 1 - base : base) + offset[t.A]) % 3 + 3) % 3;
  return 3 * ((2 * t.p1 + t.p2) * 3 + t.A) + static_cast<unsigned>(b);
}

unsigned reference_slice_of_48(std::uint64_t a) {
  const Terms t = reference_terms(a, static_cast<unsigned>(a >> 35 & 1U));
  return 4 * ((2 * t.p1 + t.p2) * 3 + t.A) + 2 * (t.p1 ^ t.q2 ^ t.u) + (t.p1 ^ t.p2 ^ t.u);
}

constexpr std::uint64_t kBit35 = std::uint64_t{1} << 35;

CrossbarSpec crossbar_of_48() {
  CrossbarSpec spec = published_crossbar_spec();
  spec.slices = 48;
  spec.slices_per_controller = 4;
  SliceFunctionSpec& f = spec.slice_function;
  f.type = "published_48";
  f.p1 |= kBit35;
  f.a2 |= kBit35;
  f.q[2] |= kBit35;
  return spec;
}

/// Lines of each slice in [base, base + size).
std::array<unsigned, 48> lines_of_slices(const SliceFunction& f, std::uint64_t base, std::uint64_t size) {
  std::array<unsigned, 48> lines{};
  for (std::uint64_t a = base; a < base + size; a += 128) ++lines.at(f.slice_of(a));
  return lines;
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

BOOST_AUTO_TEST_CASE(the_form_of_48_slices_equals_its_formulas) {
  const auto f = make_slice_function(crossbar_of_48());
  std::uint64_t x = 1;
  unsigned above = 0;
  for (int i = 0; i < 200000; ++i) {
    x = x * 6364136223846793005ULL + 1442695040888963407ULL;
    const std::uint64_t a = (x >> 20) % (48ULL << 30);
    BOOST_REQUIRE_EQUAL(f->slice_of(a), reference_slice_of_48(a));
    above += (a & kBit35) != 0 ? 1U : 0U;
  }
  BOOST_TEST(above > 50000U);
}

// Every aligned 96 KiB hold sixteen lines of each slice, so that a line's window and its rank among those of its slice
// are its place there: nothing is used twice and nothing is left over. Two windows lie at each end of bit 35.
BOOST_AUTO_TEST_CASE(the_form_of_48_slices_is_a_bijection_within_windows) {
  constexpr std::uint64_t kWindow = 96 << 10, kWindows = (48ULL << 30) / kWindow;
  std::set<std::uint64_t> windows{0, kBit35 / kWindow - 1, kBit35 / kWindow, kBit35 / kWindow + 1, kWindows - 1};
  for (std::uint64_t w = 0; w < kWindows; w += 2039) windows.insert(w);
  for (const unsigned reading : {0U, 1U}) {  // which of the parities inside A bit 35 is added to is not said
    CrossbarSpec spec = crossbar_of_48();
    if (reading == 1) {
      spec.slice_function.a1 |= kBit35;
      spec.slice_function.a2 &= ~kBit35;
    }
    const auto f = make_slice_function(spec);
    for (const std::uint64_t w : windows)
      for (const unsigned n : lines_of_slices(*f, w * kWindow, kWindow)) BOOST_REQUIRE_EQUAL(n, 16U);
  }
}

BOOST_AUTO_TEST_CASE(ninety_six_mebibytes_are_balanced_exactly_on_48_slices) {
  const auto f = make_slice_function(crossbar_of_48());
  for (const std::uint64_t base : {std::uint64_t{0}, std::uint64_t{1} << 30, kBit35})
    for (const unsigned n : lines_of_slices(*f, base, 96 << 20)) BOOST_TEST(n == 16384U);
}

BOOST_AUTO_TEST_CASE(the_form_of_48_slices_keeps_the_granularity) {
  const auto f = make_slice_function(crossbar_of_48());
  for (std::uint64_t a = 0; a < 65536; a += 128) {
    BOOST_REQUIRE_EQUAL(f->slice_of(a), f->slice_of(a & ~255ULL));
    BOOST_REQUIRE_EQUAL(f->slice_of(a) / 4, f->slice_of(a & ~1023ULL) / 4);
  }
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
  spec = crossbar_of_48();
  spec.slices = 36;
  spec.slices_per_controller = 3;
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
