// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "gputlm/config/diagnostics.h"
#include "gputlm/hostdump/dump_bytes.h"
#include "gputlm/test_support/temp_folder.h"
#include "sample_dump.h"

using namespace gputlm;
using test::TempFolder;

namespace {

std::string bytes_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::string refusal(const std::string& file) {
  try {
    PushbufferDump::read(file);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return {};
}

/// The sample's bytes with a word changed and the checksum put right.
std::string changed(std::size_t offset, std::uint32_t word) {
  TempFolder d;
  test::sample_dump().write(d.path("a"));
  std::string bytes = bytes_of(d.path("a"));
  DumpWriter in_place, sum;
  in_place.word(word);
  bytes.replace(offset, 4, in_place.bytes());
  bytes.resize(bytes.size() - 4);
  sum.word(crc32(bytes));
  return bytes + sum.bytes();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_dump_comes_back_as_it_was_written) {
  TempFolder d;
  const PushbufferDump before = test::sample_dump();
  before.write(d.path("a.dump"));
  BOOST_TEST(!std::filesystem::exists(d.path("a.dump.part")));
  const PushbufferDump after = PushbufferDump::read(d.path("a.dump"));
  BOOST_TEST(after.records.size() == 3U);
  const auto& channel = std::get<DumpChannel>(after.records[0]);
  BOOST_TEST(channel.channel == 3U);
  BOOST_TEST(channel.token == 0x1003U);
  BOOST_TEST(channel.entries == 64U);
  BOOST_TEST(channel.gpfifo_address == 0x7000'0000U);
  const auto& entry = std::get<DumpEntry>(after.records[1]);
  BOOST_TEST(entry.words == test::launch_words());
  BOOST_TEST(entry.word0 == 0x7100'0000U);
  BOOST_TEST(entry.file_offset == 16U + 28 + 8 + 8);
  BOOST_TEST(std::get<DumpDoorbell>(after.records[2]).time == 2500 * kFsPerNs);
  after.write(d.path("b.dump"));
  BOOST_TEST(bytes_of(d.path("a.dump")) == bytes_of(d.path("b.dump")));
}

BOOST_AUTO_TEST_CASE(the_checksum_is_the_common_one) {
  BOOST_TEST(crc32("123456789") == 0xcbf43926U);
}

BOOST_AUTO_TEST_CASE(a_dump_cut_off_anywhere_is_refused_and_so_is_any_flipped_byte) {
  TempFolder d;
  test::sample_dump().write(d.path("a"));
  const std::string bytes = bytes_of(d.path("a"));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    BOOST_TEST(refusal(d.file("cut", bytes.substr(0, i))).find("cut, offset 0x") != std::string::npos, i);
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    BOOST_TEST(refusal(d.file("flipped", flipped)).find("flipped, offset 0x") != std::string::npos, i);
  }
  BOOST_TEST(refusal(d.file("long", bytes + "x")).find("goes on behind its end (found 1 bytes") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(each_mistake_says_where_and_what_was_found_and_allowed) {
  TempFolder d;
  const auto refused = [&](std::size_t offset, std::uint32_t word, const std::string& says) {
    const std::string text = refusal(d.file("bad", changed(offset, word)));
    BOOST_TEST(text.find(says) != std::string::npos, text);
  };
  BOOST_TEST(refusal(d.file("bad", "GPU"))
                 .find("bad, offset 0x0: the file ends inside the header (found 3 bytes, allowed "
                       "8 bytes)") != std::string::npos);
  refused(0, 0x21212121, "bad, offset 0x0: not a pushbuffer dump (found !!!!LMPB, allowed GPUTLMPB)");
  refused(8, 2, "offset 0x8: version of the format (found 2, allowed 1)");
  refused(16, 9, "offset 0x10: type of a record (found 9, allowed 1 channel, 2 GPFIFO entry, 3 doorbell)");
  refused(20, 24, "offset 0x14: length of a record (found 24 bytes, allowed 20 bytes)");
  refused(44 + 8, 4, "offset 0x34: channel of a GPFIFO entry (found 4, allowed one that stands before it)");
  refused(44 + 12, 64, "offset 0x38: place of a GPFIFO entry in its ring (found 64, allowed below 64)");
  BOOST_TEST(refusal(d.path("absent")).find("absent") != std::string::npos);
  BOOST_TEST(refusal(d.path().string()).find("is a directory") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_written_leaves_nothing) {
  TempFolder d;
  BOOST_CHECK_THROW(test::sample_dump().write(d.path("no/such/folder.dump")), ConfigError);
  std::filesystem::create_directory(d.path("taken"));
  BOOST_CHECK_THROW(test::sample_dump().write(d.path("taken")), ConfigError);
  BOOST_TEST(!std::filesystem::exists(d.path("taken.part")));
}
