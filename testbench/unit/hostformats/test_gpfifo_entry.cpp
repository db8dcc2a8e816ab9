// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <random>

#include "format_errors.h"
#include "gputlm/hostformats/gpfifo_entry.h"

using namespace gputlm;
using test::format_error_of;

namespace {

GpfifoEntry decode(const std::array<std::uint32_t, 2>& words) {
  return decode_gpfifo_entry(words[0], words[1]);
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_entry_computed_by_hand) {
  // 66 + 1 words at 0x12_3456_7890: address bits 31:2 in word 0, 39:32 in 7:0, length << 10 in word 1.
  GpfifoEntry entry;
  entry.address = 0x1234567890;
  entry.words = 67;
  const auto words = encode(entry);
  BOOST_TEST(words[0] == 0x34567890U);
  BOOST_TEST(words[1] == (0x12U | 67U << 10));
  entry.conditional = entry.subroutine = entry.wait = true;
  const auto flagged = encode(entry);
  BOOST_TEST(flagged[0] == 0x34567891U);
  BOOST_TEST(flagged[1] == (0x12U | 1U << 9 | 67U << 10 | 1U << 31));
}

BOOST_AUTO_TEST_CASE(every_entry_comes_back_as_it_was) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    GpfifoEntry entry;
    entry.address = random() & GpfifoEntry::kLastAddress;
    entry.words = 1 + random() % GpfifoEntry::kMostWords;
    entry.conditional = random() % 2 != 0;
    entry.subroutine = random() % 2 != 0;
    entry.wait = random() % 2 != 0;
    BOOST_TEST((decode(encode(entry)) == entry));
  }
}

BOOST_AUTO_TEST_CASE(the_last_address_and_the_greatest_length_fit_and_the_next_do_not) {
  GpfifoEntry entry;
  entry.address = 0xff'ffff'fffc;
  entry.words = 2097151;
  BOOST_TEST((decode(encode(entry)) == entry));
  entry.words = 2097152;
  BOOST_TEST(format_error_of([&] { encode(entry); }) ==
             "GPFIFO entry: length in words (found 2097152, allowed 0 to 2097151)");
  entry.words = 1;
  entry.address = std::uint64_t{1} << 40;
  BOOST_TEST(format_error_of([&] { encode(entry); }) ==
             "GPFIFO entry: address (found 0x10000000000, allowed a multiple of 4 up to 0xfffffffffc)");
  entry.address = 6;
  BOOST_TEST(!format_error_of([&] { encode(entry); }).empty());
}

BOOST_AUTO_TEST_CASE(reserved_bits_are_refused) {
  BOOST_TEST(format_error_of([] { decode_gpfifo_entry(0x1002, 1U << 10); }) ==
             "GPFIFO entry: word 0, reserved bit 1 (found 0x1002, allowed 0 there)");
  BOOST_TEST(format_error_of([] { decode_gpfifo_entry(0x1000, 1U << 10 | 1U << 8); }) ==
             "GPFIFO entry: word 1, reserved bit 8 (found 0x500, allowed 0 there)");
}

BOOST_AUTO_TEST_CASE(an_entry_without_length_does_nothing_or_is_refused) {
  BOOST_TEST(decode_gpfifo_entry(0, 0).words == 0U);
  BOOST_TEST(format_error_of([] { decode_gpfifo_entry(0, 1); }) ==
             "GPFIFO entry: opcode of a control entry (length 0) (found 0x1, allowed 0x0 (NOP))");
}
