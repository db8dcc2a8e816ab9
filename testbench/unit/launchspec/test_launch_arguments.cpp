// SPDX-License-Identifier: Apache-2.0
#include "refusal.h"
//
#include <vector>

#include "gputlm/launchspec/parameter_block.h"

using namespace gputlm;
using gputlm::test::refusal_of;
using Bytes = std::vector<unsigned char>;

namespace {

LaunchArgument parse(const std::string& text) {
  return parse_argument(text, "--arg");
}

Bytes bytes_of(const std::string& text) {
  return parse(text).initial_bytes(1);
}

std::string message_of(const std::string& text) {
  return refusal_of([&] { parse(text); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_type_has_its_name_and_size) {
  for (const auto& [name, size] : std::vector<std::pair<std::string, unsigned>>{{"int8", 1},
                                                                                {"int16", 2},
                                                                                {"int32", 4},
                                                                                {"int64", 8},
                                                                                {"uint8", 1},
                                                                                {"uint16", 2},
                                                                                {"uint32", 4},
                                                                                {"uint64", 8},
                                                                                {"half", 2},
                                                                                {"float", 4},
                                                                                {"double", 8}}) {
    BOOST_TEST_INFO(name);
    const auto type = find_element_type(name);
    BOOST_REQUIRE(type.has_value());
    BOOST_TEST_INFO(name);
    BOOST_TEST(name_of(*type) == name);
    BOOST_TEST(size_of(*type) == size);
    BOOST_TEST(parse("x=" + name + "[3]").bytes() == 3 * size);
  }
  BOOST_TEST((find_element_type("int") == ElementType::int32));
  BOOST_TEST((find_element_type("uint") == ElementType::uint32));
  BOOST_TEST(!find_element_type("float32").has_value());
}

BOOST_AUTO_TEST_CASE(the_arrays_and_the_scalar_of_vadd_are_read) {
  const LaunchArgument a = parse("a=float[1048576]:1.0");
  BOOST_TEST(a.name == "a");
  BOOST_TEST((a.type == ElementType::float32));
  BOOST_TEST(a.array);
  BOOST_TEST(a.bytes() == 4U << 20U);
  BOOST_TEST(a.has_contents());
  const LaunchArgument c = parse("c=float[1048576]");
  BOOST_TEST(c.array);
  BOOST_TEST(!c.has_contents());
  const LaunchArgument n = parse("n=1048576");
  BOOST_TEST(!n.array);
  BOOST_TEST((n.type == ElementType::int32));
  BOOST_TEST((n.initial_bytes(1) == Bytes{0x00, 0x00, 0x10, 0x00}));
}

BOOST_AUTO_TEST_CASE(a_literal_takes_the_first_type_that_it_fits) {
  const auto type_of = [](const std::string& literal) { return name_of(parse("x=" + literal).type); };
  BOOST_TEST(type_of("2147483647") == "int32");
  BOOST_TEST(type_of("-2147483648") == "int32");
  BOOST_TEST(type_of("2147483648") == "uint32");
  BOOST_TEST(type_of("0xffffffff") == "uint32");
  BOOST_TEST(type_of("-2147483649") == "int64");
  BOOST_TEST(type_of("4294967296") == "int64");
  BOOST_TEST(type_of("18446744073709551615") == "uint64");
  BOOST_TEST(type_of("1.5") == "float");
  BOOST_TEST(type_of("-1e3") == "float");
  BOOST_TEST(type_of("0x1e") == "int32");
}

BOOST_AUTO_TEST_CASE(scalars_are_stored_little_endian_in_their_type) {
  BOOST_TEST((bytes_of("x=int16:-2") == Bytes{0xfe, 0xff}));
  BOOST_TEST((bytes_of("x=uint64:0x0102030405060708") == Bytes{8, 7, 6, 5, 4, 3, 2, 1}));
  BOOST_TEST((bytes_of("x=int64:-9223372036854775808") == Bytes{0, 0, 0, 0, 0, 0, 0, 0x80}));
  BOOST_TEST((bytes_of("x=float:1") == Bytes{0, 0, 0x80, 0x3f}));
  BOOST_TEST((bytes_of("x=double:-2") == Bytes{0, 0, 0, 0, 0, 0, 0, 0xc0}));
  BOOST_TEST((bytes_of("x=half:1.5") == Bytes{0x00, 0x3e}));
  BOOST_TEST((bytes_of("x=half:65519") == Bytes{0xff, 0x7b}));  // rounds to the largest, 65504
  BOOST_TEST((bytes_of("x=half:inf") == Bytes{0x00, 0x7c}));
  // 1 + 2^-24 + 2^-54 lies above the midpoint of two floats, and at it once rounded to a double.
  BOOST_TEST((bytes_of("x=float:1.000000059604644830897") == Bytes{1, 0, 0x80, 0x3f}));
}

BOOST_AUTO_TEST_CASE(values_are_held_to_the_range_of_their_type) {
  BOOST_TEST(message_of("x=uint8:300") == "--arg: x: out of range (found 300, allowed 0 to 255)");
  BOOST_TEST(message_of("x=int8[4]:-129") == "--arg: x: out of range (found -129, allowed -128 to 127)");
  BOOST_TEST(message_of("x=uint16:-1") == "--arg: x: out of range (found -1, allowed 0 to 65535)");
  BOOST_TEST(message_of("x=half:65520") ==
             "--arg: x: out of range (found 65520, allowed -65504 to 65504, inf, -inf, nan)");
  BOOST_TEST(message_of("x=int:1.5") == "--arg: x: not a whole number (found 1.5, allowed -2147483648 to 2147483647)");
  BOOST_TEST(test::contains(message_of("x=float:1e39"), "x: out of range (found 1e39, allowed -3.4028235e+38 to"));
  BOOST_TEST(test::contains(message_of("x=18446744073709551616"), "a number out of range"));
}

BOOST_AUTO_TEST_CASE(what_is_no_argument_is_refused_with_what_is_allowed) {
  BOOST_TEST(message_of("float[4]") ==
             "--arg: is no argument (found float[4], allowed NAME=TYPE[COUNT], "
             "NAME=TYPE[COUNT]:CONTENTS, NAME=TYPE:VALUE or NAME=VALUE)");
  BOOST_TEST(message_of("2x=1") ==
             "--arg: is no name (found 2x, allowed letters, digits and _, not beginning with a digit)");
  BOOST_TEST(test::contains(message_of("x=flaot[4]"),
                            "x: is no element type; did you mean float? (found flaot, allowed "
                            "int8, int16"));
  BOOST_TEST(message_of("x=int") == "--arg: x: has a type and no value (found int, allowed int:VALUE or int[COUNT])");
  BOOST_TEST(message_of("x=int8[0]") == "--arg: x: count out of range (found 0, allowed 1 to 1099511627776)");
  BOOST_TEST(test::contains(message_of("x=double[1099511627776]"), "count out of range"));
  BOOST_TEST(test::contains(message_of("x=int8[four]"), "count: not a whole number (found four"));
  BOOST_TEST(test::contains(message_of("x=int8[]"), "found an empty text"));
  BOOST_TEST(test::contains(message_of("x=int8[4"), "has no ] after its count"));
  BOOST_TEST(test::contains(message_of("x=int8[4]1"), "has something after its count (found 1"));
  BOOST_TEST(test::contains(message_of("x="), "not a whole number (found an empty text"));
  BOOST_TEST(test::contains(message_of("x=int:"), "not a whole number (found an empty text"));
  BOOST_TEST(test::contains(message_of("x=hello"), "found hello, allowed a whole number"));
  BOOST_TEST(test::contains(message_of("x=int:--1"), "not a whole number"));
}

BOOST_AUTO_TEST_CASE(vadds_parameters_stand_where_its_code_reads_them) {
  const std::vector<LaunchArgument> arguments{parse("a=float[8]"), parse("b=float[8]"), parse("c=float[8]"),
                                              parse("n=8")};
  const Bytes block = parameter_block(arguments, {0x7f4000000000, 0x7f4000200000, 0x7f4000400000, 0});
  BOOST_REQUIRE(block.size() == 0x1cU);  // c[0x0][0x160], 0x168, 0x170 and 0x178
  BOOST_TEST((Bytes(block.begin() + 8, block.begin() + 16) == Bytes{0, 0, 0x20, 0, 0x40, 0x7f, 0, 0}));
  BOOST_TEST((Bytes(block.begin() + 24, block.end()) == Bytes{8, 0, 0, 0}));
}

BOOST_AUTO_TEST_CASE(each_parameter_is_aligned_to_its_own_size) {
  const std::vector<LaunchArgument> arguments{parse("a=uint8:1"), parse("b=half:1"),  parse("c=uint8:3"),
                                              parse("d=float:1"), parse("e=uint8:5"), parse("f=int8[2]")};
  const Bytes expected{1, 0, 0, 0x3c, 3, 0, 0, 0, 0, 0, 0x80, 0x3f, 5, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1};
  const Bytes block = parameter_block(arguments, {0, 0, 0, 0, 0, 0x0102030405060708});
  BOOST_TEST(parameter_bytes(arguments) == 24U);
  BOOST_TEST((block == expected));
}
