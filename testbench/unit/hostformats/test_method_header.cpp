// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <random>
#include <vector>

#include "format_errors.h"
#include "gputlm/hostformats/method_header.h"
#include "gputlm/hostformats/pushbuffer_writer.h"

using namespace gputlm;
using test::format_error_of;

namespace {

constexpr MethodOpcode kOpcodes[] = {MethodOpcode::incrementing, MethodOpcode::non_incrementing,
                                     MethodOpcode::immediate, MethodOpcode::increment_once, MethodOpcode::end_segment};

struct Step {
  unsigned subchannel, method;
  std::uint32_t data;
};
bool operator==(const Step& a, const Step& b) {
  return a.subchannel == b.subchannel && a.method == b.method && a.data == b.data;
}

std::vector<Step> read(const std::vector<std::uint32_t>& words) {
  MethodReader reader;
  std::vector<Step> steps;
  for (const std::uint32_t word : words) {
    if (const auto call = reader.take(word)) steps.push_back({call->subchannel, call->method, call->data});
    if (reader.ended()) break;
  }
  reader.check_whole();
  return steps;
}

}  // namespace

BOOST_AUTO_TEST_CASE(headers_computed_by_hand) {
  // The burst of a launch: 66 words from method 0x318 of subchannel 1, incrementing.
  BOOST_TEST(encode({MethodOpcode::incrementing, 1, 0x318, 66}) == (1U << 29 | 66U << 16 | 1U << 13 | 0x318U / 4));
  BOOST_TEST(encode({MethodOpcode::incrementing, 1, 0x318, 66}) == 0x204220c6U);
  BOOST_TEST(encode({MethodOpcode::immediate, 4, 0x300, 0x182}) == 0x818280c0U);
  BOOST_TEST(encode({MethodOpcode::increment_once, 0, 0x5c, 5}) == 0xa0050017U);
  BOOST_TEST(encode({MethodOpcode::non_incrementing, 7, 0x3ffc, 0x1fff}) == 0x7fffefffU);
  BOOST_TEST(encode({MethodOpcode::end_segment, 0, 0, 0}) == 0xe0000000U);
}

BOOST_AUTO_TEST_CASE(every_header_comes_back_as_it_was) {
  std::mt19937 random(2);
  for (const MethodOpcode opcode : kOpcodes)
    for (int i = 0; i < 2000; ++i) {
      const MethodHeader header{opcode, static_cast<unsigned>(random() % 8), static_cast<unsigned>(random() % 4096) * 4,
                                static_cast<unsigned>(random() % 8192)};
      BOOST_TEST((decode_method_header(encode(header)) == header));
    }
}

BOOST_AUTO_TEST_CASE(what_a_header_cannot_hold_is_refused) {
  BOOST_TEST(format_error_of([] {
               encode({MethodOpcode::incrementing, 8, 0, 1});
             }) == "method header: subchannel (found 8, allowed 0 to 7)");
  BOOST_TEST(format_error_of([] {
               encode({MethodOpcode::incrementing, 0, 0x4000, 1});
             }) == "method header: method (found 0x4000, allowed a multiple of 4 up to 0x3ffc)");
  BOOST_TEST(format_error_of([] {
               encode({MethodOpcode::immediate, 0, 0, 8192});
             }) == "method header: count (found 8192, allowed 0 to 8191)");
}

BOOST_AUTO_TEST_CASE(an_opcode_that_is_none_and_the_reserved_bit_are_refused) {
  for (const unsigned opcode : {0U, 2U, 6U})
    BOOST_TEST(format_error_of([&] {
                 decode_method_header(opcode << 29);
               }).find("(found " + std::to_string(opcode) + ", allowed 1 incrementing, 3 ") != std::string::npos);
  BOOST_TEST(format_error_of([] { decode_method_header(0x20011000); }) ==
             "method header: reserved bit 12 (found 0x20011000, allowed 0 there)");
}

BOOST_AUTO_TEST_CASE(each_opcode_sends_its_words_where_it_says) {
  PushbufferWriter w;
  w.incrementing(1, 0x318, {10, 11, 12}).non_incrementing(2, 0x100, {20, 21}).increment_once(3, 0x200, {30, 31, 32});
  w.immediate(4, 0x300, 40).incrementing(5, 0x100, {}).end_segment().immediate(6, 0x100, 1);
  const std::vector<Step> expected{{1, 0x318, 10}, {1, 0x31c, 11}, {1, 0x320, 12}, {2, 0x100, 20}, {2, 0x100, 21},
                                   {3, 0x200, 30}, {3, 0x204, 31}, {3, 0x204, 32}, {4, 0x300, 40}};
  BOOST_TEST((read(w.take()) == expected));
  BOOST_TEST(w.words().empty());
}

BOOST_AUTO_TEST_CASE(a_segment_must_not_end_inside_a_burst_nor_a_burst_past_the_last_method) {
  PushbufferWriter w;
  w.incrementing(0, 0x100, {1, 2, 3});
  std::vector<std::uint32_t> words = w.take();
  words.pop_back();
  BOOST_TEST(format_error_of([&] { read(words); }) ==
             "pushbuffer segment: ends inside a burst for method 0x108 (found the end, allowed 1 more words)");
  BOOST_TEST(format_error_of([] {
               read({encode({MethodOpcode::incrementing, 0, 0x3ffc, 2})});
             }) == "method header: last method of the burst, in words (found 4096, allowed 0 to 4095)");
}
