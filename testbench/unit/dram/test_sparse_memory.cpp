// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <map>
#include <random>

#include "gputlm/dram/sparse_memory.h"
#include "gputlm/test_support/sc_test.h"

using namespace gputlm;

namespace {

using Line = std::array<unsigned char, kLineBytes>;

void pattern(std::uint64_t line, unsigned char* data) {
  for (unsigned i = 0; i < kLineBytes; ++i) data[i] = static_cast<unsigned char>((line >> 7) * 31 + i);
}

Line read(const SparseMemory& memory, std::uint64_t line) {
  Line data;
  memory.read(line, data.data());
  return data;
}

}  // namespace

BOOST_AUTO_TEST_CASE(untouched_lines_show_the_image_and_cost_nothing) {
  SparseMemory memory(24ULL << 30);
  BOOST_TEST(read(memory, 0x80)[5] == 0);
  memory.set_image(pattern);
  Line expected;
  pattern((24ULL << 30) - 128, expected.data());
  BOOST_TEST(read(memory, (24ULL << 30) - 128) == expected);
  BOOST_TEST(memory.resident_bytes() == 0U);
}

BOOST_AUTO_TEST_CASE(a_partial_write_keeps_the_images_other_bytes) {
  SparseMemory memory(1 << 20);
  memory.set_image(pattern);
  Line data{}, expected;
  data.fill(0xab);
  memory.write(0x1000, data.data(), ByteMask::range(3, 2));
  pattern(0x1000, expected.data());
  expected[3] = expected[4] = 0xab;
  BOOST_TEST(read(memory, 0x1000) == expected);
  pattern(0x1080, expected.data());
  BOOST_TEST(read(memory, 0x1080) == expected);  // its neighbour in the page still comes from the image
}

BOOST_AUTO_TEST_CASE(memory_used_follows_the_pages_written) {
  SparseMemory memory(24ULL << 30);
  const Line data{};
  memory.write(0, data.data(), ByteMask{});
  BOOST_TEST(memory.resident_bytes() == 0U);
  memory.write(0, data.data(), ByteMask::full());
  memory.write(65536 - 128, data.data(), ByteMask::full());
  const std::uint64_t one_page = memory.resident_bytes();
  BOOST_TEST(one_page >= 65536U);
  BOOST_TEST(one_page < 70000U);
  memory.write(65536, data.data(), ByteMask::full());
  BOOST_TEST(memory.resident_bytes() == 2 * one_page);
  memory.clear();
  BOOST_TEST(memory.resident_bytes() == 0U);
}

BOOST_AUTO_TEST_CASE(random_masked_writes_match_a_reference) {
  constexpr std::uint64_t kCapacity = 256 << 10;
  SparseMemory memory(kCapacity);
  memory.set_image(pattern);
  std::map<std::uint64_t, Line> reference;
  std::mt19937_64 random(7);
  for (unsigned i = 0; i < 20000; ++i) {
    const std::uint64_t line = random() % (kCapacity / kLineBytes) * kLineBytes;
    if (reference.count(line) == 0) pattern(line, reference[line].data());
    Line data;
    for (auto& byte : data) byte = static_cast<unsigned char>(random());
    const std::uint64_t once = random(), sparse = once & random();
    const ByteMask mask = i % 5 == 0 ? ByteMask::full() : ByteMask(sparse, random());
    memory.write(line, data.data(), mask);
    for (unsigned b = 0; b < kLineBytes; ++b)
      if (mask.test(b)) reference[line][b] = data[b];
  }
  for (const auto& [line, expected] : reference) BOOST_REQUIRE(read(memory, line) == expected);
}
