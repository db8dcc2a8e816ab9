// SPDX-License-Identifier: Apache-2.0
//
// Lines of plain and compressed files; lists of kernels.
#include "gputlm/test_support/sc_test.h"

#include <lzma.h>

#include <array>

#include "gputlm/replay/kernel_list.h"
#include "gputlm/replay/trace_lines.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

std::string compressed(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  BOOST_REQUIRE(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                                        reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                        reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()) == LZMA_OK);
  out.resize(size);
  return out;
}

std::vector<std::string> lines_of(const std::string& file) {
  TraceLines lines(file, open_trace(file));
  std::vector<std::string> all;
  for (std::string_view line; lines.next(line);) all.emplace_back(line);
  return all;
}

std::string many_lines() {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

std::string why(const std::string& file) {
  try {
    lines_of(file);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return {};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_is_read_line_by_line_whatever_ends_them) {
  const TempFolder f;
  const std::vector<std::string> expected{"one", "", "two", "three"};
  BOOST_TEST(lines_of(f.file("a", "one\n\ntwo\r\nthree")) == expected, boost::test_tools::per_element());
  BOOST_TEST(lines_of(f.file("b", "one\n\ntwo\nthree\n")) == expected, boost::test_tools::per_element());
  BOOST_TEST(lines_of(f.file("c", "")).empty());
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_ahead_of_the_first_line_is_no_part_of_it) {
  TraceLines lines("t", trace_text("\xef\xbb\xbfone\n\xef\xbb\xbftwo\n"));
  std::string_view line;
  for (unsigned times = 0; times < 2; ++times) {
    BOOST_TEST(lines.next(line));
    BOOST_TEST(line == "one");
    lines.put_back();
  }
  lines.next(line);
  lines.next(line);
  BOOST_TEST(line == "\xef\xbb\xbftwo");
}

BOOST_AUTO_TEST_CASE(a_line_put_back_comes_again_with_its_number) {
  TraceLines lines("t", trace_text("one\ntwo\n"));
  std::string_view line;
  BOOST_TEST(lines.next(line));
  BOOST_TEST(lines.next(line));
  lines.put_back();
  BOOST_TEST(lines.next(line));
  BOOST_TEST(line == "two");
  BOOST_TEST(lines.place().line == 2U);
  BOOST_TEST(!lines.next(line));
}

BOOST_AUTO_TEST_CASE(a_compressed_file_reads_as_the_plain_one_also_when_it_has_several_parts) {
  const TempFolder f;
  const std::string text = many_lines();
  const std::vector<std::string> plain = lines_of(f.file("plain", text));
  BOOST_TEST(plain.size() == 50'000U);
  BOOST_TEST((lines_of(f.file("whole", compressed(text))) == plain));
  const std::size_t half = text.size() / 2;
  BOOST_TEST((lines_of(f.file("parts", compressed(text.substr(0, half)) + compressed(text.substr(half)))) == plain));
}

BOOST_AUTO_TEST_CASE(a_compressed_file_that_is_cut_or_damaged_is_told_apart_from_a_whole_one) {
  const TempFolder f;
  std::string xz = compressed(many_lines());
  BOOST_TEST(has(why(f.file("cut.xz", xz.substr(0, xz.size() / 2))), "cut.xz: the xz file is cut short"));
  xz[xz.size() / 2] = static_cast<char>(xz[xz.size() / 2] ^ 0x55);
  BOOST_TEST(has(why(f.file("bad.xz", xz)), "the xz file is damaged"));
}

BOOST_AUTO_TEST_CASE(what_is_no_file_of_lines_is_refused) {
  const TempFolder f;
  BOOST_TEST(has(why(f.path("absent")), "cannot be read"));
  BOOST_TEST(has(why(f.path().string()), "is a directory"));
  const std::string endless = why(f.file("endless", "first\n" + std::string(3 << 20, 'x')));
  BOOST_TEST(has(endless, "endless:2:1: the line does not end"), endless);
  TraceLines lines("t", trace_text("first\n" + std::string(3 << 20, 'x') + "\nlast\n"));
  std::string_view line;
  BOOST_TEST(lines.next(line));
  BOOST_CHECK_THROW(lines.next(line), ConfigError);
  BOOST_TEST(!lines.next(line));
}

BOOST_AUTO_TEST_CASE(a_list_gives_copies_and_kernels_in_order_and_passes_over_other_copies_and_comments) {
  const TempFolder f;
  f.file("kernel-2-ctx_0x55.traceg", "");
  f.file("kernel-3.traceg.xz", "");
  TraceLines lines(f.path("kernelslist.g"), trace_text("MemcpyHtoD,0x00007f2000000000,400\nkernel-1.traceg\n"
                                                       "MemcpyDtoH,0x7f2000000000,400\nkernel-2-ctx_0x55.traceg.xz\n"
                                                       "\n  # something else\nMemcpyDtoD, 0x10, 4\nMemcpyHtoH,0x10,4\n"
                                                       "kernel-3.traceg\nMemcpyHtoD,0x10,0\n"));
  Damage damage(false);
  const KernelList list = read_kernel_list(lines, damage);
  BOOST_REQUIRE(list.copies.size() == 2U);
  BOOST_TEST(list.copies[0].address == 0x7f2000000000U);
  BOOST_TEST(list.copies[0].bytes == 400U);
  BOOST_REQUIRE(list.kernels.size() == 3U);
  BOOST_TEST(list.kernels[0].path == f.path("kernel-1.traceg"));
  BOOST_TEST(list.kernels[1].path == f.path("kernel-2-ctx_0x55.traceg"));  // unpacked since
  BOOST_TEST(list.kernels[2].path == f.path("kernel-3.traceg.xz"));        // packed since
}

BOOST_AUTO_TEST_CASE(a_kernel_may_lie_in_any_folder) {
  TraceLines lines("folder/l.g", trace_text("./kernel-1.traceg\nsub/kernel-2.traceg\n/elsewhere/kernel-3.traceg\n"));
  Damage damage(false);
  const KernelList list = read_kernel_list(lines, damage);
  BOOST_REQUIRE(list.kernels.size() == 3U);
  BOOST_TEST(list.kernels[0].path == "folder/./kernel-1.traceg");
  BOOST_TEST(list.kernels[1].path == "folder/sub/kernel-2.traceg");
  BOOST_TEST(list.kernels[2].path == "/elsewhere/kernel-3.traceg");
}

BOOST_AUTO_TEST_CASE(a_line_of_a_list_that_is_nothing_known_is_damage) {
  const std::vector<std::string> wrong{
      "Kernel-2.traceg",  "MemCpyHtoD,0x10,4", "MemcpyHtoDAsync,0x10,4", "foo", "kernels/2.traceg", "sub/",
      "MemcpyDtoh,0x10,4"};
  for (const std::string& w : wrong) {
    TraceLines lines("l.g", trace_text("kernel-1.traceg\n" + w + "\n"));
    Damage damage(false);
    BOOST_CHECK_EXCEPTION(read_kernel_list(lines, damage), ConfigError, [&](const ConfigError& e) {
      return has(e.what(), "l.g:2:1: neither a copy nor a kernel (found " + w + ", allowed MemcpyHtoD");
    });
  }
  std::string all = "kernel-1.traceg\n";
  for (const std::string& w : wrong) all += w + "\n";
  TraceLines lines("l.g", trace_text(all + "kernel-2.traceg\n" + std::string(2 << 20, 'x')));
  Damage damage(true);
  BOOST_TEST(read_kernel_list(lines, damage).kernels.size() == 2U);
  BOOST_TEST(damage.count() == wrong.size() + 1);  // and a line that does not end
}

BOOST_AUTO_TEST_CASE(a_list_says_which_line_is_no_copy_and_that_it_has_no_kernel) {
  const auto refused = [](const std::string& text) {
    TraceLines lines("l.g", trace_text(text));
    Damage damage(false);
    try {
      read_kernel_list(lines, damage);
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  for (const char* copy : {"MemcpyHtoD", "MemcpyHtoD,0x10", "MemcpyHtoD,zz,4", "MemcpyHtoD,0x10,-4",
                           "MemcpyHtoD,0x10,99999999999999999999", "MemcpyHtoD,0x1ffffffffffff,2"})
    BOOST_TEST(has(refused("kernel-1.traceg\n" + std::string(copy) + "\n"), "l.g:2:1: not a copy"), copy);
  BOOST_TEST(has(refused("MemcpyHtoD,0x10,4\n"), "names no kernel"));
}
