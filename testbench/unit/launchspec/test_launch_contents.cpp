// SPDX-License-Identifier: Apache-2.0
#include "refusal.h"
//
#include <cmath>
#include <set>
#include <vector>

#include "gputlm/launchspec/argument.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using gputlm::test::refusal_of;
using gputlm::test::TempFolder;
using Bytes = std::vector<unsigned char>;

namespace {

std::vector<std::string> texts_of(const std::string& argument, std::uint64_t seed = 1) {
  const LaunchArgument a = parse_argument(argument, "--arg");
  const Bytes bytes = a.initial_bytes(seed);
  BOOST_REQUIRE(bytes.size() == a.bytes());
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < a.count; ++i)
    texts.push_back(text_of_element(a.type, bytes.data() + i * size_of(a.type)));
  return texts;
}

std::string joined(const std::string& argument, std::uint64_t seed = 1) {
  std::string all;
  for (const std::string& text : texts_of(argument, seed)) all += (all.empty() ? "" : " ") + text;
  return all;
}

std::string message_of(const std::string& argument) {
  return refusal_of([&] { parse_argument(argument, "--arg"); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(elements_are_printed_as_a_c_program_would) {
  BOOST_TEST(joined("x=float:2") == "2.000000");
  BOOST_TEST(joined("x=double:1e-7") == "0.000000");
  BOOST_TEST(joined("x=half:-0.1") == "-0.099976");
  BOOST_TEST(joined("x=float:nan") == "nan");
  BOOST_TEST(joined("x=float:-inf") == "-inf");
  BOOST_TEST(joined("x=int8:-128") == "-128");
  BOOST_TEST(joined("x=uint64:18446744073709551615") == "18446744073709551615");
  BOOST_TEST(joined("x=int64:-9223372036854775808") == "-9223372036854775808");
}

BOOST_AUTO_TEST_CASE(an_array_holds_its_constant_everywhere_and_zeros_without_contents) {
  BOOST_TEST(joined("x=int16[3]:-7") == "-7 -7 -7");
  BOOST_TEST(joined("x=half[3]:0.5") == "0.500000 0.500000 0.500000");
  BOOST_TEST(joined("x=float[2]") == "0.000000 0.000000");
}

BOOST_AUTO_TEST_CASE(a_ramp_goes_by_its_step_up_or_down) {
  BOOST_TEST(joined("x=int[4]:ramp") == "0 1 2 3");
  BOOST_TEST(joined("x=int8[4]:ramp(100,9)") == "100 109 118 127");
  BOOST_TEST(joined("x=uint8[3]:ramp(10, -5)") == "10 5 0");
  BOOST_TEST(joined("x=int64[2]:ramp(-9223372036854775808,9223372036854775807)") == "-9223372036854775808 -1");
  BOOST_TEST(joined("x=uint64[3]:ramp(1,9223372036854775807)") == "1 9223372036854775808 18446744073709551615");
  BOOST_TEST(joined("x=float[3]:ramp(1.5,0.25)") == "1.500000 1.750000 2.000000");
  BOOST_TEST(joined("x=half[2]:ramp(65503,1)") == "65504.000000 65504.000000");
}

BOOST_AUTO_TEST_CASE(a_ramp_that_leaves_its_type_is_refused) {
  BOOST_TEST(message_of("x=uint8[257]:ramp") ==
             "--arg: x: leaves the range of uint8 before its last element (found ramp, allowed 0 to 255)");
  BOOST_TEST(texts_of("x=uint8[256]:ramp").back() == "255");
  const char* const leaving = "leaves the range of ";
  BOOST_TEST(test::contains(message_of("x=uint8[4]:ramp(10,-5)"), leaving));
  BOOST_TEST(test::contains(message_of("x=int64[3]:ramp(0,9223372036854775807)"), leaving));
  BOOST_TEST(test::contains(message_of("x=uint64[4]:ramp(0,9223372036854775807)"), leaving));
  BOOST_TEST(test::contains(message_of("x=half[3]:ramp(0,40000)"), leaving));
  BOOST_TEST(test::contains(message_of("x=float[2]:ramp(0,inf)"), leaving));
  BOOST_TEST(test::contains(message_of("x=int[4]:ramp(1)"), "has not the parameters of a ramp"));
  BOOST_TEST(test::contains(message_of("x=int[4]:ramp(1,2"), "has no ) at its end"));
  BOOST_TEST(test::contains(message_of("x=int[4]:ramp(1,a)"), "not a whole number (found a"));
}

// Literal values: these must never change, on whatever machine.
BOOST_AUTO_TEST_CASE(random_numbers_are_the_same_on_every_machine) {
  BOOST_TEST(joined("x=int[4]:random(1,6,7)") == "5 4 1 1");
  BOOST_TEST(joined("x=float[3]:random(-1,1,7)") == "-0.854059 -0.220341 -0.966423");
  BOOST_TEST(joined("x=uint64[1]:random") == "15600566430457491591");
}

BOOST_AUTO_TEST_CASE(random_numbers_follow_the_launchs_seed_and_the_name_unless_they_have_their_own) {
  const auto bytes = [](const std::string& text, std::uint64_t seed) {
    return parse_argument(text, "--arg").initial_bytes(seed);
  };
  BOOST_TEST((bytes("x=int[8]:random", 1) == bytes("x=int[8]:random", 1)));
  BOOST_TEST((bytes("x=int[8]:random", 1) != bytes("x=int[8]:random", 2)));
  BOOST_TEST((bytes("x=int[8]:random", 1) != bytes("y=int[8]:random", 1)));
  BOOST_TEST((bytes("x=int[8]:random(0,99,5)", 1) == bytes("y=int[8]:random(0,99,5)", 2)));
  BOOST_TEST((bytes("x=int[8]:random(0,99,5)", 1) != bytes("x=int[8]:random(0,99,6)", 1)));
}

BOOST_AUTO_TEST_CASE(random_numbers_fill_their_range_and_stay_in_it) {
  const auto dice = texts_of("x=uint8[600]:random(1,6)");
  BOOST_TEST(std::set<std::string>(dice.begin(), dice.end()) == (std::set<std::string>{"1", "2", "3", "4", "5", "6"}),
             boost::test_tools::per_element());
  BOOST_TEST(joined("x=int64[2]:random(-9223372036854775808,-9223372036854775808)") ==
             "-9223372036854775808 -9223372036854775808");
  BOOST_TEST(joined("x=half[2]:random(0.1,0.1)") == "0.099976 0.099976");
  double sum = 0;
  for (const std::string& text : texts_of("x=double[4000]:random")) {
    const double value = std::stod(text);
    BOOST_REQUIRE((value >= 0 && value <= 1));
    sum += value;
  }
  BOOST_TEST(std::fabs(sum / 4000 - 0.5) < 0.02);  // four standard deviations
  const auto bytes = texts_of("x=int8[4000]:random");
  BOOST_TEST(std::set<std::string>(bytes.begin(), bytes.end()).size() == 256U);
}

BOOST_AUTO_TEST_CASE(random_bounds_that_make_no_range_are_refused) {
  BOOST_TEST(message_of("x=int[4]:random(5,3)") ==
             "--arg: x: has a LOW above its HIGH (found random(5,3), allowed random(LOW,HIGH) with LOW at most HIGH)");
  BOOST_TEST(test::contains(message_of("x=uint8[4]:random(0,300)"), "out of range (found 300, allowed 0 to 255)"));
  BOOST_TEST(test::contains(message_of("x=float[4]:random(0,inf)"), "not finite"));
  BOOST_TEST(test::contains(message_of("x=float[4]:random(nan,1)"), "not finite"));
  BOOST_TEST(test::contains(message_of("x=int[4]:random(1,2,-3)"), "out of range (found -3"));
  BOOST_TEST(test::contains(message_of("x=int[4]:random()"), "has not the parameters of random"));
  BOOST_TEST(test::contains(message_of("x=int[4]:randm"), "not a whole number (found randm"));
}

BOOST_AUTO_TEST_CASE(a_file_gives_an_arrays_bytes_and_must_have_its_size) {
  const TempFolder folder;
  const std::string file = folder.file("two.bin", std::string("\x01\x00\xff\xff", 4));
  BOOST_TEST(joined("x=int16[2]:@" + file) == "1 -1");
  BOOST_TEST((parse_argument("x=int16[2]:@two.bin", "--arg", folder.path("")).initial_bytes(1) ==
              Bytes{0x01, 0x00, 0xff, 0xff}));
  BOOST_TEST(test::contains(message_of("x=int16[3]:@" + file), "has not the array's size (found 4 bytes, allowed 6"));
  BOOST_TEST(
      test::contains(message_of("x=int16[1]:@" + file), "has not the array's size (found more, allowed 2 bytes"));
  BOOST_TEST(test::contains(message_of("x=int[1]:@" + folder.path("none.bin")), "cannot be read: No such file"));
  BOOST_TEST(test::contains(message_of("x=int[1]:@" + folder.path("")), "is a directory, not a file"));
  BOOST_TEST(test::contains(message_of("x=int[1]:@"), "has no name of a file after @"));
}
