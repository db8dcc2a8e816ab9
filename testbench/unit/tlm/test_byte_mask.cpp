// SPDX-License-Identifier: Apache-2.0
//
// ByteMask against a std::bitset.
#include "gputlm/test_support/sc_test.h"
//
#include <array>
#include <bitset>
#include <random>
#include <vector>

#include "gputlm/tlm/byte_mask.h"

using namespace gputlm;

namespace {

using Bits = std::bitset<128>;

Bits bits_of(ByteMask m) {
  return Bits(m.high()) << 64 | Bits(m.low());
}

ByteMask mask_of(const Bits& bits) {
  ByteMask m;
  for (unsigned i = 0; i < 128; ++i)
    if (bits[i]) m.set(i);
  return m;
}

// Sparse, dense and sector-shaped masks as well as even ones.
std::vector<ByteMask> sample_masks() {
  std::mt19937_64 random(1);
  std::vector<ByteMask> masks{{}, ByteMask::full()};
  for (unsigned i = 0; i < 128; ++i) masks.push_back(mask_of(Bits().set(i))), masks.push_back(~masks.back());
  for (unsigned s = 0; s < 16; ++s) masks.push_back(ByteMask::sectors(static_cast<SectorSet>(s)));
  for (unsigned i = 0; i < 500; ++i) {
    const ByteMask m{random(), random()};
    masks.push_back(m);
    const std::uint64_t sparse_low = random(), sparse_high = random();
    masks.push_back(m & ByteMask{random() & sparse_low, random() & sparse_high});
    masks.push_back(m | ByteMask::sectors(static_cast<SectorSet>(random() & 15U)));
  }
  return masks;
}

}  // namespace

BOOST_AUTO_TEST_CASE(queries_agree_with_the_reference) {
  for (const ByteMask m : sample_masks()) {
    const Bits b = bits_of(m);
    BOOST_REQUIRE(m.count() == b.count());
    BOOST_REQUIRE(m.empty() == b.none());
    BOOST_REQUIRE(m.is_full() == b.all());
    for (unsigned i = 0; i < 128; ++i) BOOST_REQUIRE(m.test(i) == b[i]);
    for (unsigned s = 0; s < 4; ++s) {
      const Bits sector = b >> (32 * s) & Bits(0xffffffffU);
      BOOST_REQUIRE(m.sector(s) == sector.to_ulong());
      BOOST_REQUIRE((m.touched_sectors() >> s & 1U) == sector.any());
      BOOST_REQUIRE((m.full_sectors() >> s & 1U) == (sector.count() == 32));
    }
  }
}

BOOST_AUTO_TEST_CASE(operators_agree_with_the_reference) {
  const std::vector<ByteMask> masks = sample_masks();
  for (std::size_t i = 0; i + 1 < masks.size(); ++i) {
    const ByteMask m = masks[i], n = masks[i + 1];
    const Bits b = bits_of(m), c = bits_of(n);
    BOOST_REQUIRE(bits_of(m | n) == (b | c));
    BOOST_REQUIRE(bits_of(m & n) == (b & c));
    BOOST_REQUIRE(bits_of(~m) == ~b);
    BOOST_REQUIRE(m.contains(n) == (c & ~b).none());
    BOOST_REQUIRE(m.intersects(n) == (b & c).any());
    BOOST_REQUIRE((m == n) == (b == c));
    BOOST_REQUIRE(mask_of(b) == m);
  }
}

BOOST_AUTO_TEST_CASE(ranges_are_cut_at_the_lines_end) {
  for (unsigned first = 0; first <= 130; ++first)
    for (unsigned count = 0; count <= 140; ++count) {
      Bits expected;
      for (unsigned i = first; i < 128 && i - first < count; ++i) expected.set(i);
      BOOST_REQUIRE(bits_of(ByteMask::range(first, count)) == expected);
    }
  BOOST_TEST(bits_of(ByteMask::range(1, ~0U)) == ~Bits(1));
}

BOOST_AUTO_TEST_CASE(sectors_are_32_bytes_each) {
  for (unsigned s = 0; s < 16; ++s) {
    Bits expected;
    for (unsigned i = 0; i < 128; ++i) expected[i] = (s >> (i / 32) & 1U) != 0;
    BOOST_TEST(bits_of(ByteMask::sectors(static_cast<SectorSet>(s))) == expected);
    BOOST_TEST(count_sectors(static_cast<SectorSet>(s)) == Bits(s).count());
  }
}

BOOST_AUTO_TEST_CASE(enables_go_there_and_back) {
  for (const ByteMask m : sample_masks()) {
    std::array<unsigned char, 128> enables{};
    m.to_enables(enables.data());
    for (unsigned i = 0; i < 128; ++i) BOOST_REQUIRE(enables[i] == (m.test(i) ? 0xff : 0x00));
    BOOST_REQUIRE((ByteMask::from_enables(enables.data(), 128, 128) == m));
    // Both halves of a compare-and-swap use the same enables.
    BOOST_REQUIRE((ByteMask::from_enables(enables.data(), 128, 256) == m));
  }
}

BOOST_AUTO_TEST_CASE(enables_repeat_over_their_length) {
  std::mt19937 random(2);
  for (const unsigned length : {1U, 2U, 3U, 4U, 7U, 8U, 16U, 31U, 32U, 64U, 100U, 127U, 128U, 200U})
    for (const unsigned data : {1U, 4U, 31U, 64U, 127U, 128U, 256U}) {
      std::vector<unsigned char> enables(length);
      for (unsigned char& e : enables) e = (random() & 1U) != 0 ? 0xff : 0x00;
      Bits expected;
      for (unsigned i = 0; i < std::min(data, 128U); ++i) expected[i] = enables[i % length] == 0xff;
      BOOST_TEST(bits_of(ByteMask::from_enables(enables.data(), length, data)) == expected);
    }
}

BOOST_AUTO_TEST_CASE(no_enables_mean_all_of_the_data_and_no_length_means_none) {
  for (unsigned data = 0; data <= 130; ++data)
    BOOST_TEST(ByteMask::from_enables(nullptr, 0, data).count() == std::min(data, 128U));
  const unsigned char one = 0xff;
  BOOST_TEST(ByteMask::from_enables(&one, 0, 128).empty());
}

BOOST_AUTO_TEST_CASE(whole_sector_masks_share_their_enables) {
  for (const ByteMask m : sample_masks()) {
    const unsigned char* shared = m.shared_enables();
    BOOST_REQUIRE((shared != nullptr) == (m == ByteMask::sectors(m.touched_sectors())));
    if (shared == nullptr) continue;
    BOOST_REQUIRE(shared == m.shared_enables());
    BOOST_REQUIRE((ByteMask::from_enables(shared, 128, 128) == m));
  }
}

BOOST_AUTO_TEST_CASE(masked_copy_and_compare_touch_only_the_masked_bytes) {
  std::mt19937 random(3);
  for (const ByteMask m : sample_masks()) {
    std::array<unsigned char, 128> to{}, from{};
    for (unsigned i = 0; i < 128; ++i) {
      to[i] = static_cast<unsigned char>(random());
      from[i] = static_cast<unsigned char>(~to[i]);
    }
    const auto before = to;
    BOOST_REQUIRE(equal_masked(to.data(), from.data(), m) == m.empty());
    copy_masked(to.data(), from.data(), m);
    for (unsigned i = 0; i < 128; ++i) BOOST_REQUIRE(to[i] == (m.test(i) ? from[i] : before[i]));
    BOOST_REQUIRE(equal_masked(to.data(), from.data(), m));
    BOOST_REQUIRE(equal_masked(to.data(), before.data(), ~m));
  }
}

BOOST_AUTO_TEST_CASE(lines_are_128_bytes) {
  BOOST_TEST(line_of(0) == 0U);
  BOOST_TEST(line_of(127) == 0U);
  BOOST_TEST(line_of(128) == 128U);
  BOOST_TEST(line_of(~0ULL) == ~0ULL - 127);
}
