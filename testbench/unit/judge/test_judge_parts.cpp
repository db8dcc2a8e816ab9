// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "gputlm/judge/digest.h"
#include "gputlm/judge/digest_table.h"
#include "gputlm/judge/line_table.h"
#include "gputlm/judge/observer_list.h"
#include "gputlm/judge/stamp.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(every_flipped_bit_changes_the_digest_of_its_sector_alone) {
  unsigned char line[kLineBytes] = {};
  const SectorDigests clean = sector_digests(line, ByteMask::full());
  std::set<std::uint64_t> seen;
  for (unsigned bit = 0; bit < 8 * kLineBytes; ++bit) {
    line[bit / 8] ^= static_cast<unsigned char>(1U << bit % 8);
    const SectorDigests flipped = sector_digests(line, ByteMask::full());
    line[bit / 8] ^= static_cast<unsigned char>(1U << bit % 8);
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      BOOST_TEST((flipped[s] != clean[s]) == (s == bit / (8 * kSectorBytes)));
    seen.insert(sum(flipped));
  }
  BOOST_TEST(seen.size() == 8 * kLineBytes);
}

BOOST_AUTO_TEST_CASE(equal_sectors_at_different_places_have_different_digests) {
  const unsigned char sector[kSectorBytes] = {1, 2, 3};
  std::set<std::uint64_t> seen;
  for (unsigned s = 0; s < kSectorsPerLine; ++s) seen.insert(sector_digest(sector, s));
  BOOST_TEST(seen.size() == kSectorsPerLine);
}

BOOST_AUTO_TEST_CASE(words_that_change_places_change_the_digest) {
  unsigned char sector[kSectorBytes];
  for (unsigned i = 0; i < kSectorBytes; ++i) sector[i] = static_cast<unsigned char>(i);
  const std::uint64_t clean = sector_digest(sector, 0);
  for (unsigned a = 0; a < kSectorBytes; a += 4)
    for (unsigned b = a + 4; b < kSectorBytes; b += 4) {
      std::swap_ranges(sector + a, sector + a + 4, sector + b);
      BOOST_TEST(sector_digest(sector, 0) != clean);
      std::swap_ranges(sector + a, sector + a + 4, sector + b);
    }
}

BOOST_AUTO_TEST_CASE(a_masked_digest_sees_its_bytes_and_its_mask_and_nothing_else) {
  unsigned char line[kLineBytes] = {};
  const ByteMask mask = ByteMask::range(5, 40);
  const std::uint64_t clean = line_digest(line, mask);
  for (unsigned i = 0; i < kLineBytes; ++i) {
    line[i] = 1;
    BOOST_TEST((line_digest(line, mask) != clean) == mask.test(i));
    line[i] = 0;
    const ByteMask byte = ByteMask::range(i, 1);
    const ByteMask other = mask.test(i) ? mask & ~byte : mask | byte;
    BOOST_TEST(line_digest(line, other) != clean);
    BOOST_TEST(mask_digest(other) != mask_digest(mask));
  }
  BOOST_TEST(line_digest(line, ByteMask{}) == 0);
  BOOST_TEST(line_digest(line, ByteMask::sectors(6)) == sector_digest(line, 1) + sector_digest(line, 2));
}

BOOST_AUTO_TEST_CASE(the_line_table_is_a_map) {
  LineTable<int> table;
  std::map<std::uint64_t, int> reference;
  std::mt19937 random(7);
  for (int step = 0; step < 50'000; ++step) {
    const std::uint64_t line = random() % 97 * kLineBytes * (random() % 2 == 0 ? 1 : 1U << 20);
    if (random() % 2 == 0) {
      table[line] = step;
      reference[line] = step;
    } else {
      table.erase(line);
      reference.erase(line);
    }
    const std::uint64_t probe = random() % 97 * kLineBytes;
    const auto found = reference.find(probe);
    BOOST_REQUIRE((table.find(probe) != nullptr) == (found != reference.end()));
    if (found != reference.end()) BOOST_REQUIRE(*table.find(probe) == found->second);
    BOOST_REQUIRE(table.size() == reference.size());
  }
}

BOOST_AUTO_TEST_CASE(the_digest_table_takes_32_bytes_a_line_in_pages_of_64_kib) {
  DigestTable table(1ULL << 34);
  BOOST_TEST(table.bytes() == 0);
  BOOST_TEST(table.find(0) == nullptr);
  table.at(0)[0] = 1;
  table.at(0xff80)[3] = 2;
  BOOST_TEST(table.bytes() == 0x10000 / kLineBytes * 32);
  table.at(0x3ffffff80)[1] = 3;
  BOOST_TEST(table.bytes() == 2 * 0x10000 / kLineBytes * 32);
  BOOST_TEST(!table.covers(0x400000000));
  std::vector<std::uint64_t> lines;
  table.for_each([&](std::uint64_t line, const DigestTable::LineEntry&) { lines.push_back(line); });
  const std::vector<std::uint64_t> expected{0, 0xff80, 0x3ffffff80};
  BOOST_TEST(lines == expected, boost::test_tools::per_element());
  table.clear();
  BOOST_TEST(table.find(0) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_stamp_keeps_40_bits_of_digest_and_finds_its_event_again) {
  Sideband s;
  BOOST_TEST((Stamp::of(s).state == Stamp::State::none));
  const std::uint64_t event = (1ULL << 40) + 5;
  Stamp{0xfedcba9876543210ULL, event, Stamp::State::served}.write(s);
  const Stamp back = Stamp::of(s);
  BOOST_TEST((back.state == Stamp::State::served));
  BOOST_TEST(back.matches(0x0000009876543210ULL));
  BOOST_TEST(!back.matches(0x0000009876543211ULL));
  BOOST_TEST(back.event_before(event) == event);
  BOOST_TEST(back.event_before(event + Stamp::kEventMask) == event);
}

namespace {

/// Notes its own number with every call.
struct Witness : L2Observer, L1Observer, LsuObserver {
  Witness(std::vector<int>& seen, int number) : seen_(seen), number_(number) {}
  void on_store(unsigned, const Payload&) override { seen_.push_back(number_); }
  void on_line(unsigned, LineEvent, unsigned, unsigned, std::uint64_t) override { seen_.push_back(number_); }
  void on_store_update(unsigned, unsigned, const Payload&, ByteMask) override { seen_.push_back(number_); }
  void on_drop(unsigned, unsigned) override { seen_.push_back(number_); }
  void on_line_request(unsigned, const Payload&) override { seen_.push_back(number_); }
  void on_invalidate(unsigned) override { seen_.push_back(number_); }
  std::vector<int>& seen_;
  int number_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(observer_lists_call_everybody_in_order) {
  std::vector<int> seen;
  Witness first(seen, 1), second(seen, 2);
  L2ObserverList l2;
  L1ObserverList l1;
  LsuObserverList lsu;
  for (Witness* w : {&first, &second}) l2.add(*w), l1.add(*w), lsu.add(*w);
  const Payload p;
  l2.on_store(0, p);
  l2.on_line(0, L2Observer::LineEvent::evicted, 0, 0, 0);
  l1.on_store_update(0, 0, p, ByteMask{});
  l1.on_drop(0, 0);
  lsu.on_line_request(0, p);
  lsu.on_invalidate(0);
  const std::vector<int> expected{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  BOOST_TEST(seen == expected, boost::test_tools::per_element());
}
