// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <sstream>

#include "gputlm/hostdump/dump_printer.h"
#include "sample_dump.h"

using namespace gputlm;

namespace {

struct Printed {
  std::string text, problems;
};

Printed print(const PushbufferDump& dump) {
  std::ostringstream out;
  const Diagnostics problems = print_dump(out, dump, "f");
  return {out.str(), problems.text()};
}

Printed print(const DumpEntry& entry) {
  PushbufferDump dump;
  dump.records.emplace_back(DumpChannel{0, 1, 4, 0});
  dump.records.emplace_back(entry);
  return print(dump);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_launch_reads_as_a_person_wants_to) {
  const Printed p = print(test::sample_dump());
  BOOST_TEST(p.problems.empty(), p.problems);
  for (const char* line : {
           "channel 3: work-submit token 0x1003, GPFIFO of 64 entries at 0x70000000\n",
           "channel 3, GPFIFO entry 0: 0x71000000 0x00012c00  75 words at 0x71000000\n",
           "  0x0071000004  1  AMPERE_CHANNEL_GPFIFO_A   SET_OBJECT                 0x0000c9c0  ADA_COMPUTE_A\n",
           "  0x007100000c  1  ADA_COMPUTE_A             SET_INLINE_QMD_ADDRESS_A   0x00000000\n",
           "    QMD, 64 words inline; the last one launches\n",
           "      CWD_MEMBAR_TYPE                   1  L1_SYSMEMBAR, barrier at the kernel's end\n",
           "      CTA_RASTER_WIDTH                  4096  blocks, x\n",
           "      RELEASE0_ADDRESS_LOWER            0x12345678  completion semaphore at 0xab12345678\n",
           "      RELEASE0_ADDRESS_UPPER            0xab\n",
           "      CTA_THREAD_DIMENSION0             256  threads, x\n",
           "SEM_EXECUTE                0x00100001  OPERATION release, RELEASE_WFI 1\n",
           "doorbell at 2500.000 ns: token 0x1003 (channel 3), GP_PUT 1\n",
       })
    BOOST_TEST(has(p.text, line), line << " in\n" << p.text);
  BOOST_TEST(!has(p.text, "LOAD_INLINE_QMD_DATA"));
}

BOOST_AUTO_TEST_CASE(words_that_the_formats_do_not_allow_are_marked_and_the_rest_of_the_dump_is_printed) {
  PushbufferDump dump = test::sample_dump();
  DumpEntry bad = test::entry_of(3, 1, 0x9000, {0x00000000, 1});
  bad.file_offset = 0x100;
  dump.records.emplace_back(bad);
  dump.records.emplace_back(test::entry_of(3, 2, 0xa000, PushbufferWriter().immediate(1, 0x100, 5).take()));
  const Printed p = print(dump);
  BOOST_TEST(has(p.text, "  0x0000009000  ** method header: opcode in 0x0 (found 0, allowed 1 incrementing"), p.text);
  BOOST_TEST(has(p.text, "ADA_COMPUTE_A             NO_OPERATION               0x00000005"), p.text);
  BOOST_TEST(has(p.problems, "f, offset 0x108: method header: opcode in 0x0 (found 0, allowed"), p.problems);
}

BOOST_AUTO_TEST_CASE(each_kind_of_mistake_inside_an_entry_is_named) {
  const auto says = [](const std::vector<std::uint32_t>& words, const std::string& what) {
    const Printed p = print(test::entry_of(0, 0, 0x1000, words));
    BOOST_TEST(has(p.problems, what), p.problems);
  };
  says(PushbufferWriter().immediate(2, 0x100, 0).take(),
       "method 0x100 on subchannel 2 (found no class bound, allowed SET_OBJECT before it)");
  says(PushbufferWriter().incrementing(2, 0, {0xa06f}).take(),
       "SET_OBJECT: class (found 0xa06f, allowed 0xc9c0 ADA_COMPUTE_A, 0xc7b5 AMPERE_DMA_COPY_B)");
  says(PushbufferWriter().incrementing(2, 0, {0xc7b5}).immediate(2, 0x104, 0).take(),
       "method of class AMPERE_DMA_COPY_B (found 0x104, allowed one that the class knows)");
  says(PushbufferWriter().immediate(0, 0x24, 0).take(), "method of class AMPERE_CHANNEL_GPFIFO_A (found 0x24");
  says({0x20020017, 1}, "ends inside a burst for method 0x60 (found the end, allowed 1 more words)");
  DumpEntry entry = test::entry_of(0, 0, 0x1000, {0xe0000000});
  entry.word1 = 2U << 10;
  BOOST_TEST(has(print(entry).problems, "length in words (found 2, allowed 1, as many as were kept)"));
  entry.word0 |= 2;
  BOOST_TEST(has(print(entry).problems, "reserved bit 1"));
}

BOOST_AUTO_TEST_CASE(what_follows_the_end_of_a_segment_is_not_read) {
  const Printed p = print(test::entry_of(0, 0, 0x1000, {0xe0000000, 0, 0}));
  BOOST_TEST(p.problems.empty());
  BOOST_TEST(has(p.text, "end of segment: 2 more words are not read"));
}

BOOST_AUTO_TEST_CASE(a_qmd_shows_bits_that_no_field_covers_and_values_without_meaning) {
  Qmd::Words words = Qmd().words();
  words[0] = 0x40;
  words[11] = 2U << 16;
  std::vector<std::uint32_t> burst(words.begin(), words.end());
  PushbufferWriter w;
  w.incrementing(1, 0, {kComputeClass}).incrementing(1, compute_method::load_inline_qmd_data, burst);
  const Printed p = print(test::entry_of(0, 0, 0x1000, w.take()));
  BOOST_TEST(has(p.text, "word 0: bits 0x40 belong to no field known here"), p.text);
  BOOST_TEST(has(p.text, "QMD: CWD_MEMBAR_TYPE (found 2, allowed 0 none, 1 L1_SYSMEMBAR, 3 L1_MEMBAR)"), p.text);
}
