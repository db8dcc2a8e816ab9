// SPDX-License-Identifier: Apache-2.0
#include "refusal.h"
//
#include <vector>

#include "gputlm/launchspec/launch_spec.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using gputlm::test::refusal_of;
using gputlm::test::TempFolder;

namespace {

LaunchSpec spec_of(const std::vector<std::string>& arguments) {
  LaunchSpec spec;
  for (const std::string& text : arguments) spec.arguments.push_back(parse_argument(text, "--arg"));
  return spec;
}

std::string checked(LaunchSpec& spec) {
  Diagnostics diagnostics;
  check_launch(spec, diagnostics);
  return diagnostics.text();
}

std::string shape(const std::string& grid, const std::string& block) {
  LaunchSpec spec;
  spec.grid = parse_dimensions(grid, "--grid");
  spec.block = parse_dimensions(block, "--block");
  return checked(spec);
}

std::string dimensions_refusal(const std::string& text) {
  return refusal_of([&] { parse_dimensions(text, "--grid"); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_to_three_dimensions_are_read) {
  const LaunchDimensions one = parse_dimensions("4096", "--grid");
  BOOST_TEST((one.x == 4096U && one.y == 1U && one.z == 1U));
  const LaunchDimensions three = parse_dimensions("2,3,0x4", "--grid");
  BOOST_TEST((three.x == 2U && three.y == 3U && three.z == 4U));
}

BOOST_AUTO_TEST_CASE(what_is_no_shape_is_refused) {
  BOOST_TEST(dimensions_refusal("0") == "--grid: out of range (found 0, allowed 1 to 4294967295)");
  BOOST_TEST(test::contains(dimensions_refusal("1,2,3,4"), "has more than three dimensions (found 1,2,3,4"));
  BOOST_TEST(test::contains(dimensions_refusal("1,,3"), "not a whole number (found an empty text"));
  BOOST_TEST(test::contains(dimensions_refusal(""), "not a whole number (found an empty text"));
  BOOST_TEST(test::contains(dimensions_refusal("4294967296"), "out of range (found 4294967296"));
  BOOST_TEST(test::contains(dimensions_refusal("-1"), "must not be negative (found -1"));
}

BOOST_AUTO_TEST_CASE(memory_is_bytes_plain_or_with_a_unit) {
  BOOST_TEST(parse_memory("1024", "--shared") == 1024U);
  BOOST_TEST(parse_memory("48 KiB", "--shared") == 49152U);
  const auto refusal = [](const char* text) { return refusal_of([&] { parse_memory(text, "--shared"); }); };
  BOOST_TEST(test::contains(refusal("-1"), "--shared: "));
  BOOST_TEST(test::contains(refusal("1e3"), "(found 1e3, allowed 0 to 4294967295 bytes"));
  BOOST_TEST(test::contains(refusal("4294967296"), "out of range"));
}

BOOST_AUTO_TEST_CASE(the_largest_grids_and_blocks_pass_and_larger_ones_do_not) {
  BOOST_TEST(shape("2147483647,2", "16,64") == "");
  BOOST_TEST(shape("1,65535,65535", "16,64") == "");
  BOOST_TEST(shape("2147483647,1,3", "1") ==
             "--grid: has too many blocks (found 2147483647,1,3, allowed 4294967295 in all)");
  BOOST_TEST(shape("1", "1024") == "");
  BOOST_TEST(shape("1", "2,8,64") == "");
  BOOST_TEST(shape("2147483648", "1") ==
             "--grid: is no grid that can be launched (found 2147483648,1,1, allowed 1 to 2147483647,65535,65535)");
  BOOST_TEST(test::contains(shape("1,65536", "1"), "--grid: is no grid"));
  BOOST_TEST(test::contains(shape("1,1,65536", "1"), "--grid: is no grid"));
  BOOST_TEST(shape("1", "4096") == "--block: has too many threads (found 4096,1,1, allowed 1024 in all)");
  BOOST_TEST(test::contains(shape("1", "33,32"), "--block: has too many threads"));
  BOOST_TEST(test::contains(shape("1", "65536,65536,4294967295"), "--block: has too many threads"));
  BOOST_TEST(test::contains(shape("1", "1,1,65"), "--block: is no block that can be launched (found 1,1,65"));
}

BOOST_AUTO_TEST_CASE(a_name_given_twice_is_refused) {
  LaunchSpec spec = spec_of({"a=int[4]", "b=int[4]", "a=3"});
  BOOST_TEST(checked(spec) == "--arg: is another argument's name (found a, allowed a name of its own)");
}

BOOST_AUTO_TEST_CASE(only_arrays_of_the_launch_can_be_read_each_once) {
  LaunchSpec spec = spec_of({"in=float[4]", "out=float[4]", "n=4"});
  spec.read = {"out", "n", "ouy", "out"};
  BOOST_TEST(checked(spec) ==
             "--read: is a scalar, which no kernel can change (found n, allowed in, out)\n"
             "--read: is no argument; did you mean out? (found ouy, allowed in, out)\n"
             "--read: is named twice (found out, allowed each array once)");
  LaunchSpec scalars = spec_of({"n=4"});
  scalars.read = {"c"};
  BOOST_TEST(test::contains(checked(scalars), "is no argument (found c, allowed nothing: no argument is an array)"));
}

BOOST_AUTO_TEST_CASE(expected_bytes_are_read_and_must_have_the_arrays_size) {
  const TempFolder folder;
  LaunchSpec spec = spec_of({"c=int16[2]", "d=int16[2]", "n=4"});
  spec.read = {"d"};
  spec.expect = {parse_expectation("c=" + folder.file("c.bin", "abcd"), "--expect")};
  BOOST_TEST(checked(spec) == "");
  BOOST_TEST((spec.find_expectation("c")->data == std::vector<unsigned char>{'a', 'b', 'c', 'd'}));
  BOOST_TEST((spec.copied_back() == std::vector<std::string>{"d", "c"}));
  spec.expect = {parse_expectation("c=" + folder.file("short.bin", "abc"), "--expect"),
                 parse_expectation("n=" + folder.path("c.bin"), "--expect"),
                 parse_expectation("d=" + folder.path("none.bin"), "--expect")};
  const std::string mistakes = checked(spec);
  BOOST_TEST(test::contains(mistakes, "has not the array's size (found 3 bytes, allowed 4 bytes)"));
  BOOST_TEST(test::contains(mistakes, "--expect: is a scalar, which no kernel can change (found n"));
  BOOST_TEST(test::contains(mistakes, "none.bin cannot be read"));
  for (const char* text : {"c", "=file", "c="})
    BOOST_TEST(test::contains(refusal_of([&] { parse_expectation(text, "--expect"); }), "is no expectation"));
}

BOOST_AUTO_TEST_CASE(arguments_beyond_the_space_for_parameters_are_refused) {
  std::vector<std::string> arguments;
  for (int i = 0; i < 4095; ++i) arguments.push_back("a" + std::to_string(i) + "=int8[1]");
  LaunchSpec spec = spec_of(arguments);
  BOOST_TEST(checked(spec) == "");
  spec.arguments.push_back(parse_argument("more=int64:0", "--arg"));
  BOOST_TEST(test::contains(checked(spec), "(found 32768 bytes, allowed 32764 bytes)"));
}
