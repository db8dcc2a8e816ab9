// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <set>

#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/hostformats/compute_methods.h"
#include "gputlm/hostformats/copy_methods.h"
#include "gputlm/hostformats/method_table.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(no_method_and_no_name_occurs_twice_in_a_class) {
  for (const MethodClass* c : {&channel_methods(), &compute_methods(), &copy_methods()}) {
    std::set<unsigned> offsets;
    std::set<std::string> names;
    for (const MethodInfo& info : c->methods) {
      BOOST_TEST(names.insert(info.name).second, info.name);
      for (unsigned i = 0; i < info.count; ++i) BOOST_TEST(offsets.insert(info.offset + 4 * i).second, info.name);
      std::uint32_t covered = 0;
      for (const MethodField& f : info.fields) {
        BOOST_TEST((covered & f.bits.mask()) == 0U, info.name + " " + f.name);
        covered |= f.bits.mask();
      }
    }
    for (const unsigned offset : offsets) BOOST_TEST((offset < kFirstClassMethod) == (c == &channel_methods()));
  }
}

BOOST_AUTO_TEST_CASE(methods_are_found_by_offset_and_named_with_their_index) {
  BOOST_TEST(compute_methods().find(0x318)->text(0x318) == "SET_INLINE_QMD_ADDRESS_A");
  BOOST_TEST(compute_methods().find(0x320)->text(0x320) == "LOAD_INLINE_QMD_DATA(0)");
  BOOST_TEST(compute_methods().find(0x41c)->text(0x41c) == "LOAD_INLINE_QMD_DATA(63)");
  BOOST_TEST(compute_methods().find(0x420) == nullptr);
  BOOST_TEST(copy_methods().find(0x41c)->name == "LINE_COUNT");
  BOOST_TEST(find_class(0xc9c0) == &compute_methods());
  BOOST_TEST(find_class(0xc7b5) == &copy_methods());
  BOOST_TEST(find_class(0xc56f) == nullptr);
  BOOST_TEST(known_classes() == "0xc9c0 ADA_COMPUTE_A, 0xc7b5 AMPERE_DMA_COPY_B");
}

BOOST_AUTO_TEST_CASE(fields_computed_by_hand_are_read_by_name) {
  const MethodInfo& execute = *channel_methods().find(0x6c);
  BOOST_TEST(execute.fields_text(1U | 1U << 20) == "OPERATION release, RELEASE_WFI 1");
  BOOST_TEST(execute.fields_text(3U | 1U << 24) == "OPERATION acquire if circular >=, PAYLOAD_64 1");
  BOOST_TEST(execute.fields_text(6U) == "OPERATION 6 (no such value)");
  BOOST_TEST(execute.unknown_bits(1U | 1U << 27) == 1U << 27);
  BOOST_TEST(channel_methods().find(0x34)->fields_text(0x80000000U) == "OPERATION l2_flush_dirty");
  BOOST_TEST(channel_methods().find(0x34)->fields_text(5U << 27) == "OPERATION membar");
  BOOST_TEST(channel_methods().find(0x30)->fields_text(0) == "MEMBAR_TYPE sys");
  // Pipelined, flush, one-word semaphore, both sides pitch, multi-line.
  BOOST_TEST(copy_methods().find(0x300)->fields_text(1U | 4U | 8U | 0x80U | 0x100U | 0x200U) ==
             "DATA_TRANSFER_TYPE pipelined, FLUSH_ENABLE 1, SEMAPHORE_TYPE one word, INTERRUPT_TYPE none, "
             "SRC_MEMORY_LAYOUT pitch, DST_MEMORY_LAYOUT pitch, MULTI_LINE_ENABLE 1, SRC_TYPE virtual, DST_TYPE "
             "virtual, FLUSH_TYPE sys");
}
