// SPDX-License-Identifier: Apache-2.0
//
// Instructions between the reader and their warps: packed, unpacked, and never more of them in memory than allowed.
#include "gputlm/test_support/sc_test.h"

#include <cstdlib>

#include "gputlm/replay/warp_tape.h"

using namespace gputlm;

namespace {

/// Instructions of every kind of addresses, by a number.
class Instructions {
 public:
  TracegInstruction make(unsigned n) {
    std::string problem;
    TracegInstruction i;
    i.opcode = opcodes.find(n % 3 == 0 ? "LDG.E" : n % 3 == 1 ? "STG.E.64" : "IADD3", problem);
    i.pc = n % 7 == 0 ? 0x10 : 16 * n;
    i.mask = n % 5 == 0 ? 0xffffffffU : n * 2654435761U;
    i.destination = static_cast<std::uint8_t>(n);
    i.sources[n % 4] = static_cast<std::uint8_t>(n / 2);
    i.immediate = n % 11 == 0 ? n : 0;
    i.addressed = n % 3 != 2;
    for (unsigned lane = 0; i.addressed && lane < 32; ++lane)
      i.address[lane] = 0x7f2000000000 + n * 4096 + (n % 2 == 0 ? lane * 8 : lane * lane * 40503U);
    if (n % 13 == 0) i.mask = 0;
    return i;
  }

  TracegOpcodes opcodes;
};

constexpr unsigned kMany = 3000;

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_put_on_a_tape_comes_back) {
  Instructions all;
  ChunkStore store(1 << 20);
  WarpTape tape(store, all.opcodes);
  for (unsigned n = 0; n < kMany; ++n) tape.write(all.make(n));
  tape.close();
  TracegInstruction i;
  for (unsigned n = 0; n < kMany; ++n) {
    BOOST_REQUIRE(tape.read(i));
    BOOST_REQUIRE_MESSAGE(i == all.make(n), "instruction " << n);
  }
  BOOST_TEST(!tape.read(i));
  BOOST_TEST(store.file_bytes() == 0U);
}

BOOST_AUTO_TEST_CASE(beyond_its_bound_a_store_keeps_nothing_in_memory_and_loses_nothing) {
  constexpr std::uint64_t kBound = 3 * ChunkStore::kChunkBytes;
  Instructions all;
  ChunkStore store(kBound);
  std::vector<WarpTape> tapes;
  for (unsigned w = 0; w < 4; ++w) {
    tapes.emplace_back(store, all.opcodes);
    for (unsigned n = 0; n < kMany; ++n) tapes[w].write(all.make(n + w));
    tapes[w].close();
  }
  BOOST_TEST(store.memory_peak() <= kBound);
  const std::uint64_t file = store.file_bytes();
  BOOST_TEST(file > 20 * kBound);
  TracegInstruction i;
  for (unsigned n = 0; n < kMany; ++n)
    for (unsigned w = 0; w < 4; ++w) BOOST_REQUIRE(tapes[w].read(i) && i == all.make(n + w));
  // What has been read makes room for what comes.
  for (unsigned round = 0; round < 3; ++round) {
    WarpTape again(store, all.opcodes);
    for (unsigned n = 0; n < kMany; ++n) again.write(all.make(n));
    again.close();
  }
  BOOST_TEST(store.file_bytes() == file);
}

BOOST_AUTO_TEST_CASE(a_temporary_file_that_cannot_be_made_is_told_with_its_reason) {
  ::setenv("TMPDIR", "/nowhere", 1);
  ChunkStore store(0);
  BOOST_CHECK_EXCEPTION(store.put(ChunkStore::Chunk(7)), std::runtime_error, [](const std::runtime_error& e) {
    return std::string(e.what()).find("in TMPDIR, cannot be made: No such file or directory") != std::string::npos;
  });
  ::unsetenv("TMPDIR");
}

BOOST_AUTO_TEST_CASE(an_access_with_a_stride_takes_few_bytes) {
  Instructions all;
  ChunkStore store(1 << 20);
  WarpTape tape(store, all.opcodes);
  std::string problem;
  TracegInstruction i;
  i.opcode = all.opcodes.find("LDG.E", problem);
  i.mask = 0xffffffff;
  i.addressed = true;
  for (unsigned n = 0; n < 1000; ++n) {
    for (unsigned lane = 0; lane < 32; ++lane) i.address[lane] = 0x7f2000000000 + n * 128 + lane * 4;
    i.pc = 16 * n;
    tape.write(i);
  }
  tape.close();
  BOOST_TEST(store.memory_peak() < 16U * 1000);
}
