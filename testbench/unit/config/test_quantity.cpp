// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <limits>
#include <string>
#include <vector>

#include "gputlm/config/quantity.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(counts_are_whole_tokens) {
  BOOST_TEST(parse_count("16").value == 16u);
  BOOST_TEST(parse_count("0x76A990400").value == 0x76A990400u);
  BOOST_TEST(parse_count("18446744073709551615").value == std::numeric_limits<std::uint64_t>::max());
  BOOST_TEST(parse_count("-3").problem == "must not be negative");
  BOOST_TEST(parse_count("18446744073709551616").problem == "a number out of range");
  for (const char* text : {"", " ", "16x", "1 6", "16.0", "1e3", "nan", "0x", "0xg", "+4", " 4", "4 "}) {
    BOOST_TEST_CONTEXT("text '" << text << "'") BOOST_TEST(parse_count(text).problem == "not a whole number");
  }
}

BOOST_AUTO_TEST_CASE(reals_are_finite_whole_tokens) {
  BOOST_TEST(parse_real("6.1").value == 6.1);
  BOOST_TEST(parse_real("-57").value == -57.0);
  BOOST_TEST(parse_real("1e30").value == 1e30);
  BOOST_TEST(parse_real("1e999").problem == "a number out of range");
  for (const char* text : {"nan", "NaN", "inf", "-inf", "infinity"}) {
    BOOST_TEST(parse_real(text).problem == "not a finite number");
  }
  for (const char* text : {"", "6.1 ", "6,1", "0x10", "six"}) {
    BOOST_TEST_CONTEXT("text '" << text << "'") BOOST_TEST(!parse_real(text).problem.empty());
  }
}

BOOST_AUTO_TEST_CASE(quantities_need_a_known_unit) {
  BOOST_TEST(parse_bytes("2 MiB").value == 2u << 20);
  BOOST_TEST(parse_bytes("128B").value == 128u);
  BOOST_TEST(parse_bytes("1.5 KiB").value == 1536u);
  BOOST_TEST(parse_bytes("0.3 B").problem == "not a whole number of bytes");
  BOOST_TEST(parse_bytes("128").problem == "needs a unit");
  BOOST_TEST(parse_bytes("2 MB").problem == "not a known unit");
  BOOST_TEST(parse_bytes("-1 B").problem == "must not be negative");
  BOOST_TEST(parse_bytes("1e30 GiB").problem == "a number out of range");
  BOOST_TEST(parse_time("4.4 ns").value == 4'400'000);
  BOOST_TEST(parse_time("1 us").value == 1'000'000'000);
  BOOST_TEST(parse_time("384.615 ps").value == 384'615);
  BOOST_TEST(parse_time("4.4").problem == "needs a unit");
  BOOST_TEST(parse_time("4.4 B").problem == "not a known unit");
  BOOST_TEST(parse_time("1e9 s").problem == "a number out of range");
  BOOST_TEST(parse_frequency("2.6 GHz").value == 2.6e9);
  BOOST_TEST(parse_frequency("0 Hz").problem == "must be above zero");
  BOOST_TEST(parse_frequency("nan GHz").problem == "not a finite number");
  BOOST_TEST(parse_frequency("1e307 GHz").problem == "a number out of range");
}

BOOST_AUTO_TEST_CASE(formatted_quantities_parse_to_the_same_value) {
  for (const std::uint64_t bytes : {0ULL, 1ULL, 128ULL, 1152ULL, 98304ULL, 2ULL << 20, 24ULL << 30, (5ULL << 30) + 7}) {
    BOOST_TEST(parse_bytes(format_bytes(bytes)).value == bytes);
  }
  for (const Fs time : std::vector<Fs>{0, 1, 999, 384'615, 4'400'000, 127'400'000, 740'000'000, 1'234'567'890'123}) {
    BOOST_TEST(parse_time(format_time(time)).value == time);
  }
  for (const double hertz : {1.0, 2.6e9, 1.3125e9, 1.957e9, 1e9 / 3}) {
    BOOST_TEST(parse_frequency(format_frequency(hertz)).value == hertz);
  }
  BOOST_TEST(format_bytes(98304) == "96 KiB");
  BOOST_TEST(format_bytes(1152) == "1152 B");
  BOOST_TEST(format_time(4'400'000) == "4.4 ns");
  BOOST_TEST(format_time(0) == "0 ns");
  BOOST_TEST(format_frequency(2.6e9) == "2.6 GHz");
  BOOST_TEST(format_hex(0x4100) == "0x4100");
}
