// SPDX-License-Identifier: Apache-2.0
//
// A kernel's trace as a whole: header, blocks, warps; what is wrong with it, and what is left of it when that is
// skipped.
#include "gputlm/test_support/sc_test.h"

#include "gputlm/replay/replay_trace.h"
#include "gputlm/test_support/temp_folder.h"
#include "trace_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kExit = "0000 ffffffff 0 EXIT 0 0";
const std::string kLoad = "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f2000000000 4";

/// What a whole trace, a file, is refused with.
std::string refused(const std::string& text) {
  const TempFolder f;
  try {
    survey_trace(f.file("t.traceg", text), false, {4096, 1 << 30}, {});
  } catch (const ConfigError& e) {
    return e.what();
  }
  return {};
}

unsigned count(const std::string& text, const std::string& part) {
  unsigned n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_header_is_read_whatever_the_version_calls_itself) {
  const std::pair<const char*, TracegVersion> versions[] = {
      {"", TracegVersion::prefixed}, {"1.2", TracegVersion::prefixed}, {"2", TracegVersion::prefixed},
      {"3", TracegVersion::plain},   {"4", TracegVersion::lined},      {"5", TracegVersion::immediates}};
  for (const auto& [text, version] : versions) {
    TraceLines lines("t", trace_text(header(text, "-some new key = 7\n") + "#BEGIN_TB\n"));
    const TracegHeader h = read_traceg_header(lines);
    BOOST_TEST((h.version == version), text);
    BOOST_TEST(h.kernel == "k");
    BOOST_TEST(h.registers == 16U);
    BOOST_TEST(h.shared_base == 0x7f0000000000U);
    BOOST_TEST(!h.lines);
  }
}

BOOST_AUTO_TEST_CASE(line_numbers_count_only_where_the_version_has_them) {
  BOOST_TEST(Read(header("4", "-enable lineinfo = 1\n") + block({"77 " + kExit})).instructions.size() == 1U);
  BOOST_TEST(Read(header("5", "-enable lineinfo = 1\n") + block({"77 " + kExit + " 0"})).instructions.size() == 1U);
  BOOST_TEST(Read(header("3", "-enable lineinfo = 1\n") + block({kExit})).instructions.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_header_without_a_format_line_ends_at_the_first_block) {
  std::string text = header("3");
  text.resize(text.find("#traces"));
  const Read read(text + block({kExit}));
  BOOST_TEST(read.blocks == 1U);
  BOOST_TEST(read.instructions.size() == 1U);
}

BOOST_AUTO_TEST_CASE(headers_that_make_no_sense_are_refused_with_their_line) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = header("3") + block({kExit});
    text.replace(text.find(from), from.size(), to);
    return mistakes(text);
  };
  BOOST_TEST(has(with("-grid dim = (1,1,1)", "-grid dim = (1,0,1)"), "t.traceg:3:1: not three dimensions"));
  BOOST_TEST(has(with("-grid dim = (1,1,1)", "-grid dim = 1"), "t.traceg:3:1: not three dimensions"));
  BOOST_TEST(has(with("(1,1,1)", "(4294967295,4294967295,4294967295)"), "the grid has too many blocks"));
  BOOST_TEST(has(with("(32,1,1)", "(4096,1,1)"), "a block has too many threads"));
  BOOST_TEST(has(with("-block dim", "-block"), "the header has no block"));
  BOOST_TEST(has(with("-nregs = 16", "-nregs = 99999999999"), "t.traceg:6:1: not a number"));
  BOOST_TEST(has(with("version = 3", "version = 6"),
                 "a version of the tracer that is not known (found 6, allowed absent, or 0 to 5, as 1.2)"));
  BOOST_TEST(has(with("-kernel name = k", "kernel name"), "t.traceg:1:1: a header line is -key = value"));
  BOOST_TEST(has(mistakes(""), "the header does not end"));
  BOOST_TEST(has(mistakes(std::string("\x7f\x45\x4c\x46\0\n", 6)), "t.traceg:1:1: a header line"));
}

BOOST_AUTO_TEST_CASE(a_key_that_the_header_says_twice_is_refused) {
  std::string all = header("4", "-enable lineinfo = 0\n");
  all.resize(all.find("\n#traces"));
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end + 1) {
    end = all.find('\n', begin);
    const std::string line = all.substr(begin, end - begin);
    BOOST_TEST(
        count(mistakes(all + line + "\n#traces format = x\n" + block({kExit})), "the header says this twice") == 1U,
        line);
  }
  BOOST_TEST(mistakes(header("3", "-new = 1\n-new = 2\n") + block({kExit})).empty());  // nobody reads it
}

BOOST_AUTO_TEST_CASE(a_mistake_is_told_once) {
  const std::string endless = refused(header("3") + block({kExit, std::string(2 << 20, 'x')}));
  BOOST_TEST(count(endless, "the line does not end") == 1U, endless);
  const std::vector<std::string> many(3 * Damage::kMost, kExit);  // lines of version 3
  const std::string prefixed = refused(header("2") + block(many));
  BOOST_TEST(count(prefixed, "not a block's y") == Damage::kMost, prefixed);
  BOOST_TEST(count(prefixed, "t.traceg:20:1:") == 1U, prefixed);
  BOOST_TEST(count(refused(header("9") + block({kExit})), "not known") == 1U);
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_hides_no_trace) {
  BOOST_TEST(refused("\xef\xbb\xbf" + header("3") + block({kLoad, kExit})).empty());
}

BOOST_AUTO_TEST_CASE(the_second_line_of_an_asynchronous_copy_is_no_instruction) {
  const std::string global = "0000 00000001 0 LDGSTS.E 2 R2 R4 4 2 0x7f2000000000";
  const std::string shared = "0000 00000001 0 LDGSTS.E 2 R2 R4 4 2 0x400";
  const std::string next = "0010 00000001 0 LDGSTS.E 2 R2 R4 4 2 0x7f2000000000";
  BOOST_TEST(Read(header("3") + block({global, shared, kExit})).instructions.size() == 2U);
  BOOST_TEST(Read(header("3") + block({shared, global, kExit})).instructions.size() == 2U);
  BOOST_TEST(Read(header("3") + block({global, global, kExit})).instructions.size() == 2U);
  BOOST_TEST(Read(header("3") + block({global, next, kExit})).instructions.size() == 3U);
  BOOST_TEST(Read(header("3") + block({global, global, global, global, kExit})).instructions.size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_trace_that_is_cut_short_says_where_it_ends) {
  const std::string text = header("3") + block({kLoad, kLoad, kExit});
  BOOST_TEST(mistakes(text).empty());
  const std::string cut = mistakes(text.substr(0, text.rfind("0x7f2000000000") + 5));
  BOOST_TEST(has(cut, "t.traceg:21:1: the line ends too early"), cut);
  BOOST_TEST(has(cut, "warp 0 has 2 of its instructions (allowed 3)"), cut);
  BOOST_TEST(has(cut, "t.traceg:21:1: the file ends within a block"), cut);
  BOOST_TEST(has(mistakes(text.substr(0, text.rfind("#END_TB"))), "the file ends within a block"));
  BOOST_TEST(has(mistakes(header("3", {}, 1, 2) + block({kExit})), "the file has 1 of the grid's blocks (allowed 2)"));
}

BOOST_AUTO_TEST_CASE(blocks_and_warps_that_do_not_fit_the_launch_are_told) {
  BOOST_TEST(has(mistakes(header("3") + block({kExit}, 1)), "not a block of the grid (found 1,0,0, allowed 0,0,0"));
  BOOST_TEST(has(mistakes(header("3") + block({kExit}) + block({kExit})), "the file has 2 of the grid's blocks"));
  std::string two = header("3") + block({kExit});
  two.replace(two.find("warp = 0"), 8, "warp = 1");
  BOOST_TEST(has(mistakes(two), "not a warp of the block (found 1, allowed 0 to 0)"));
  std::string nested = header("3", {}, 1, 2) + block({kExit}) + block({kExit}, 1);
  nested.erase(nested.find("#END_TB"), 7);
  BOOST_TEST(has(mistakes(nested), "a block begins and the one before has not ended"));
  std::string again = header("3", {}, 2) + block({kExit});
  again.insert(again.find("#END_TB"), "warp = 0\ninsts = 1\n" + kExit + "\n");
  BOOST_TEST(has(mistakes(again), "the warps of a block do not ascend"));
}

BOOST_AUTO_TEST_CASE(what_is_damaged_can_be_skipped_and_is_counted) {
  const std::string good = header("3", {}, 1, 2) + block({kLoad, kExit}) + block({kLoad, "rubbish", kExit}, 1);
  const Read read(good, true);
  BOOST_TEST(read.blocks == 2U);
  BOOST_TEST(read.instructions.size() == 4U);
  BOOST_TEST(read.damage.count() == 1U);
  const Read cut(good.substr(0, good.rfind("rubbish")), true);
  BOOST_TEST(cut.instructions.size() == 3U);
  BOOST_TEST(cut.damage.count() == 2U);  // too few instructions, no end
}

BOOST_AUTO_TEST_CASE(a_file_of_anything_ends_the_reading_soon) {
  std::string text = header("3") + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 100000\n";
  for (int i = 0; i < 100'000; ++i) text += "rubbish\n";
  const std::string told = mistakes(text);
  BOOST_TEST(std::count(told.begin(), told.end(), '\n') <= static_cast<long>(Damage::kMost));
}
