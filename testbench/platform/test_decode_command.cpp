// SPDX-License-Identifier: Apache-2.0
//
// gputlm decode as a user meets it.
#include "gputlm/test_support/sc_test.h"

#include "command.h"
#include "gputlm/hostdump/dump_file.h"
#include "gputlm/hostformats/gpfifo_entry.h"
#include "gputlm/hostformats/pushbuffer_writer.h"

using namespace gputlm;
using test::command;
using test::TempFolder;

namespace {

std::string dump_with(const TempFolder& d, const std::vector<std::uint32_t>& words) {
  GpfifoEntry entry;
  entry.address = 0x1000;
  entry.words = static_cast<std::uint32_t>(words.size());
  const auto encoded = encode(entry);
  PushbufferDump dump;
  dump.records.emplace_back(DumpChannel{0, 1, 8, 0x10000});
  dump.records.emplace_back(DumpEntry{0, 0, encoded[0], encoded[1], words, 0});
  dump.write(d.path("a.dump"));
  return d.path("a.dump");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_dump_is_printed_and_exits_0) {
  TempFolder d;
  const test::Result r = command("decode " + dump_with(d, PushbufferWriter().immediate(0, 0x78, 0).take()));
  BOOST_TEST(r.code == 0, r.out);
  BOOST_TEST(r.out.find("WFI") != std::string::npos, r.out);
}

BOOST_AUTO_TEST_CASE(damaged_files_and_malformed_words_exit_2_with_file_and_offset) {
  TempFolder d;
  const auto refused = [&](const std::string& arguments, const std::string& says) {
    const test::Result r = command("decode " + arguments);
    BOOST_TEST(r.code == 2, arguments + ": " + r.out);
    BOOST_TEST(r.out.find(says) != std::string::npos, r.out);
  };
  const std::string good = test::contents(dump_with(d, {0}));
  refused(d.path("a.dump"), "a.dump, offset 0x44: method header: opcode in 0x0");
  refused(d.file("cut.dump", good.substr(0, 30)), "cut.dump, offset 0x18: the file ends inside a record");
  refused(d.file("none.dump", ""), "none.dump, offset 0x0");
  refused(d.path("absent.dump"), "absent.dump");
  refused("", "file");
}
