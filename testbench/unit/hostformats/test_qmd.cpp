// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>

#include "format_errors.h"
#include "gputlm/hostformats/qmd.h"

using namespace gputlm;
using test::format_error_of;

BOOST_AUTO_TEST_CASE(the_table_is_in_the_order_of_its_names_and_no_bit_belongs_to_two_fields) {
  std::set<unsigned> bits;
  for (std::size_t i = 0; i < qmd_fields().size(); ++i) {
    const QmdFieldInfo& info = qmd_fields()[i];
    BOOST_TEST(static_cast<std::size_t>(info.field) == i, info.name);
    for (unsigned k = 0; k < info.count; ++k) {
      const unsigned low = info.low + k * info.stride;
      BOOST_TEST(low / 32 == (low + info.width() - 1) / 32, info.name);
      for (unsigned b = 0; b < info.width(); ++b) BOOST_TEST(bits.insert(low + b).second, info.name);
    }
  }
  BOOST_TEST(*bits.rbegin() < 2048U);
}

BOOST_AUTO_TEST_CASE(words_computed_by_hand) {
  Qmd qmd;
  BOOST_TEST(qmd.words()[18] == 0x24U);  // major version 2 in 583:580, version 4 in 579:576
  qmd.set(QmdField::cta_thread_dimension0, 256);
  BOOST_TEST(qmd.words()[18] == 0x01000024U);
  qmd.set(QmdField::cta_raster_width, 4096);
  BOOST_TEST(qmd.words()[12] == 4096U);
  qmd.set(QmdField::cta_raster_depth, 3);
  BOOST_TEST(qmd.words()[14] == 3U);
  qmd.set(QmdField::cwd_membar_type, 1);
  BOOST_TEST(qmd.words()[11] == 1U << 16);
  qmd.set(QmdField::register_count_v, 16);
  qmd.set(QmdField::constant_buffer_valid, 1, 0);
  BOOST_TEST(qmd.words()[20] == (16U << 8 | 1U));
  qmd.set_wide(QmdField::release0_address_lower, QmdField::release0_address_upper, 0xab'1234'5678);
  BOOST_TEST(qmd.words()[23] == 0x12345678U);
  BOOST_TEST(qmd.words()[24] == 0xabU);
  qmd.set(QmdField::release0_structure_size, 1);
  BOOST_TEST(qmd.words()[24] == (0xabU | 1U << 31));
  qmd.set(QmdField::release0_payload, 77);
  BOOST_TEST(qmd.words()[25] == 77U);
  qmd.set_wide(QmdField::constant_buffer_addr_lower, QmdField::constant_buffer_addr_upper, 0x1'0203'0405'0600, 7);
  qmd.set(QmdField::constant_buffer_size_shifted4, 0x180 / 16, 7);
  BOOST_TEST(qmd.words()[46] == 0x04050600U);
  BOOST_TEST(qmd.words()[47] == (0x10203U | 0x18U << 19));
  qmd.set_wide(QmdField::program_address_lower, QmdField::program_address_upper, 0x7f00'0000'0100);
  BOOST_TEST(qmd.words()[48] == 0x100U);
  BOOST_TEST(qmd.words()[49] == 0x7f00U);
}

BOOST_AUTO_TEST_CASE(every_field_comes_back_and_touches_no_other) {
  std::mt19937 random(3);
  Qmd qmd;
  std::vector<std::vector<std::uint32_t>> expected;
  for (const QmdFieldInfo& info : qmd_fields()) {
    auto& values = expected.emplace_back();
    for (unsigned i = 0; i < info.count; ++i) {
      values.push_back(static_cast<std::uint32_t>(random()) >> (32 - info.width()));
      qmd.set(info.field, values.back(), i);
    }
  }
  for (const QmdFieldInfo& info : qmd_fields())
    for (unsigned i = 0; i < info.count; ++i)
      BOOST_TEST(qmd.get(info.field, i) == expected[static_cast<std::size_t>(info.field)][i], info.name);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  Qmd qmd;
  BOOST_TEST(format_error_of([&] { qmd.set(QmdField::register_count_v, 512); }) ==
             "QMD: REGISTER_COUNT_V (found 512, allowed 0 to 511)");
  BOOST_TEST(format_error_of([&] {
               qmd.set_wide(QmdField::release0_address_lower, QmdField::release0_address_upper, std::uint64_t{1} << 40);
             }) == "QMD: RELEASE0_ADDRESS_UPPER (found 256, allowed 0 to 255)");
  BOOST_CHECK_THROW(qmd.set(QmdField::constant_buffer_valid, 1, 8), std::out_of_range);
  BOOST_CHECK_THROW(qmd.get(QmdField::barrier_count, 1), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(another_version_and_a_barrier_that_is_none_are_refused) {
  BOOST_TEST(format_error_of([] { Qmd().check_version(); }).empty());
  BOOST_TEST(format_error_of([] { Qmd(Qmd::Words{}).check_version(); }) ==
             "QMD: version, major and minor (found 0 and 0, allowed 2 and 4)");
  BOOST_TEST(format_error_of([] { decode_cwd_membar(2); }) ==
             "QMD: CWD_MEMBAR_TYPE (found 2, allowed 0 none, 1 L1_SYSMEMBAR, 3 L1_MEMBAR)");
  BOOST_TEST(name_of(decode_cwd_membar(3)) == "L1_MEMBAR");
}

BOOST_AUTO_TEST_CASE(bits_that_no_field_covers_are_found) {
  Qmd::Words words = Qmd().words();
  BOOST_TEST((Qmd(words).unknown_bits() == Qmd::Words{}));
  words[0] = 0x80000001;
  words[18] |= 1U << 8;
  const Qmd::Words rest = Qmd(words).unknown_bits();
  BOOST_TEST(rest[0] == 0x80000001U);
  BOOST_TEST(rest[18] == 1U << 8);
  BOOST_TEST(std::count(rest.begin(), rest.end(), 0U) == 62);
}
