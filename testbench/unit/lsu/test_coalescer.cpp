// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <map>
#include <random>
#include <set>
#include <vector>

#include "access_maker.h"
#include "gputlm/lsu/coalescer.h"

using namespace gputlm;
using namespace gputlm::lsu_test;

namespace {

std::vector<LineRequest> requests_of(const Payload& p) {
  const Sideband& s = *find_sideband(p);
  Coalescer coalescer;
  if (s.is_atomic())
    coalescer.start_atomic(*s.lanes);
  else
    coalescer.start(*s.lanes);
  std::vector<LineRequest> all;
  for (LineRequest r; coalescer.next(r);) all.push_back(r);
  return all;
}

struct Size {
  unsigned requests, sectors;
};
Size size_of(const Payload& p) {
  Size size{0, 0};
  for (const LineRequest& r : requests_of(p)) ++size.requests, size.sectors += count_sectors(r.mask.touched_sectors());
  return size;
}

/// What a store does to memory, byte by byte and lane by lane.
std::map<std::uint64_t, unsigned char> reference_store(const Payload& p) {
  const WarpLanes& lanes = *find_sideband(p)->lanes;
  std::map<std::uint64_t, unsigned char> memory;
  for (unsigned i = 0; i < kLanes; ++i)
    for (unsigned b = 0; b < lanes.lane_bytes && (lanes.active >> i & 1U) != 0; ++b)
      memory[lanes.address[i] + b] = p.get_data_ptr()[i * lanes.lane_bytes + b];
  return memory;
}

std::map<std::uint64_t, unsigned char> scattered(const Payload& p) {
  std::map<std::uint64_t, unsigned char> memory;
  for (const LineRequest& r : requests_of(p)) {
    unsigned char line[kLineBytes];
    scatter(r, p, line);
    for (unsigned b = 0; b < kLineBytes; ++b) {
      if (!r.mask.test(b)) continue;
      BOOST_REQUIRE(memory.count(r.line + b) == 0);  // each byte once
      memory[r.line + b] = line[b];
    }
  }
  return memory;
}

void check_loaded(PayloadPool& pool, const Payload& as) {
  const WarpLanes& lanes = *find_sideband(as)->lanes;
  auto byte_at = [](std::uint64_t a) { return static_cast<unsigned char>(a * 167 + (a >> 8)); };
  PayloadRef p = pool.warp(Operation::load);
  *find_sideband(*p)->lanes = lanes;
  finish_warp(*p);
  std::memset(p->get_data_ptr(), 0xee, p->get_data_length());
  for (const LineRequest& r : requests_of(*p)) {
    unsigned char line[kLineBytes];
    for (unsigned b = 0; b < kLineBytes; ++b) line[b] = byte_at(r.line + b);
    gather(r.line, r.lanes, line, *p);
  }
  for (unsigned i = 0; i < kLanes; ++i)
    for (unsigned b = 0; b < lanes.lane_bytes; ++b) {
      const unsigned char expected = (lanes.active >> i & 1U) != 0 ? byte_at(lanes.address[i] + b) : 0xee;
      BOOST_REQUIRE_EQUAL(p->get_data_ptr()[i * lanes.lane_bytes + b], expected);
    }
}

PayloadRef random_access(PayloadPool& pool, std::mt19937& random) {
  const unsigned lane_bytes = 1U << random() % 5;
  const std::uint64_t span = 16ULL << random() % 9;
  PayloadRef p = strided(pool, Operation::store, 0, 0, lane_bytes, static_cast<std::uint32_t>(random()));
  WarpLanes& lanes = *find_sideband(*p)->lanes;
  const bool aligned = random() % 2 == 0;
  for (auto& address : lanes.address) {
    address = 0x10000 + random() % span;
    if (aligned) address -= address % lane_bytes;
  }
  if (lanes.active == 0) lanes.active = 1;
  finish_warp(*p);
  return p;
}

}  // namespace

BOOST_AUTO_TEST_CASE(evenly_spaced_lanes_give_the_requests_and_data_of_the_same_addresses_listed) {
  PayloadPool pool;
  for (const unsigned lane_bytes : {1U, 4U, 16U})
    for (const std::uint64_t stride : {0, 1, 2, 4, 8, 12, 16, 32, 100, 128, 4096})
      for (const std::uint64_t base : {0x1000, 0x1003, 0x107c})
        for (const std::uint32_t active : {kAllLanes, 1U, 0x0000ffffU, 0x80000001U, 0x5a5a5a50U}) {
          const PayloadRef listed = strided(pool, Operation::store, base, stride, lane_bytes, active);
          const PayloadRef even = strided(pool, Operation::store, base, stride, lane_bytes, active);
          WarpLanes& lanes = *find_sideband(*even)->lanes;
          lanes.address.fill(~std::uint64_t{0});
          lanes.space_evenly(base, stride);
          finish_warp(*even);
          BOOST_REQUIRE_EQUAL(even->get_address(), listed->get_address());
          const auto wanted = requests_of(*listed), got = requests_of(*even);
          BOOST_REQUIRE_EQUAL(got.size(), wanted.size());
          for (std::size_t i = 0; i < got.size(); ++i) {
            BOOST_REQUIRE_EQUAL(got[i].line, wanted[i].line);
            BOOST_REQUIRE(got[i].mask == wanted[i].mask);
            BOOST_REQUIRE_EQUAL(got[i].lanes, wanted[i].lanes);
          }
          BOOST_REQUIRE(scattered(*even) == reference_store(*listed));
        }
}

BOOST_AUTO_TEST_CASE(strides_take_the_fewest_sectors_and_one_request_a_line) {
  PayloadPool pool;
  struct Row {
    unsigned stride, requests, sectors;
  };
  for (const Row row :
       {Row{4, 1, 4}, Row{8, 2, 8}, Row{16, 4, 16}, Row{32, 8, 32}, Row{64, 16, 32}, Row{128, 32, 32}}) {
    const Size size = size_of(*strided(pool, Operation::load, 0x4000, row.stride));
    BOOST_TEST(size.requests == row.requests, "stride " << row.stride);
    BOOST_TEST(size.sectors == row.sectors, "stride " << row.stride);
  }
}

BOOST_AUTO_TEST_CASE(a_misaligned_warp_takes_one_sector_and_one_line_more) {
  PayloadPool pool;
  const Size size = size_of(*load(pool, 0x4004));
  BOOST_TEST(size.requests == 2U);
  BOOST_TEST(size.sectors == 5U);
}

BOOST_AUTO_TEST_CASE(sectors_are_not_rounded_up) {
  PayloadPool pool;
  const Size one_lane = size_of(*strided(pool, Operation::load, 0x4000, 4, 4, 1));
  BOOST_TEST(one_lane.sectors == 1U);
  const Size ends = size_of(*strided(pool, Operation::load, 0x4000, 4, 4, 0x80000001U));
  BOOST_TEST(ends.requests == 1U);
  BOOST_TEST(ends.sectors == 2U);
  const auto one_byte = requests_of(*strided(pool, Operation::store, 0x4005, 0, 1, 1));
  BOOST_TEST(one_byte.at(0).mask.count() == 1U);
}

BOOST_AUTO_TEST_CASE(wide_lanes_side_by_side_fill_their_lines) {
  PayloadPool pool;
  const auto requests = requests_of(*store(pool, 0x8000, 16));
  BOOST_REQUIRE(requests.size() == 4U);
  for (unsigned i = 0; i < 4; ++i) {
    BOOST_TEST(requests[i].line == 0x8000 + i * kLineBytes);
    BOOST_TEST(requests[i].mask.is_full());
  }
}

BOOST_AUTO_TEST_CASE(lines_leave_in_the_order_of_their_lowest_lane) {
  PayloadPool pool;
  PayloadRef p = strided(pool, Operation::store, 0, 0);
  WarpLanes& lanes = *find_sideband(*p)->lanes;
  for (unsigned i = 0; i < kLanes; ++i)
    lanes.address[i] = (i % 3 == 0 ? 0x900 : i % 3 == 1 ? 0x100 : 0x500) + 4 * (i / 3);
  const auto requests = requests_of(*p);
  BOOST_REQUIRE(requests.size() == 3U);
  BOOST_TEST(requests[0].line == 0x900U);
  BOOST_TEST(requests[1].line == 0x100U);
  BOOST_TEST(requests[2].line == 0x500U);
}

BOOST_AUTO_TEST_CASE(of_overlapping_lanes_the_highest_wins_once) {
  PayloadPool pool;
  const PayloadRef same = strided(pool, Operation::store, 0x200, 0, 4);
  const auto requests = requests_of(*same);
  BOOST_REQUIRE(requests.size() == 1U);
  BOOST_TEST(requests[0].mask.count() == 4U);
  unsigned char line[kLineBytes];
  scatter(requests[0], *same, line);
  for (unsigned b = 0; b < 4; ++b) BOOST_TEST(line[b] == register_byte(31, b));

  const PayloadRef shifted = strided(pool, Operation::store, 0x200, 1, 4);  // lane i covers bytes i to i + 3
  BOOST_TEST((scattered(*shifted) == reference_store(*shifted)));
}

BOOST_AUTO_TEST_CASE(a_lane_across_two_lines_is_split_to_the_byte) {
  PayloadPool pool;
  const PayloadRef p = strided(pool, Operation::store, 0x17b, 0, 16, 1);
  const auto requests = requests_of(*p);
  BOOST_REQUIRE(requests.size() == 2U);
  BOOST_TEST((requests[0].mask == ByteMask::range(0x7b, 5)));
  BOOST_TEST((requests[1].mask == ByteMask::range(0, 11)));
  BOOST_TEST((scattered(*p) == reference_store(*p)));
  check_loaded(pool, *p);
}

BOOST_AUTO_TEST_CASE(random_accesses_equal_the_byte_wise_reference) {
  PayloadPool pool;
  std::mt19937 random(20240917);
  for (int i = 0; i < 3000; ++i) {
    const PayloadRef p = random_access(pool, random);
    const auto expected = reference_store(*p);
    BOOST_REQUIRE((scattered(*p) == expected));
    check_loaded(pool, *p);
    std::set<std::uint64_t> sectors, lines;
    for (const auto& byte : expected) sectors.insert(byte.first / kSectorBytes), lines.insert(line_of(byte.first));
    const Size size = size_of(*p);
    BOOST_REQUIRE_EQUAL(size.requests, lines.size());
    BOOST_REQUIRE_EQUAL(size.sectors, sectors.size());
  }
}

BOOST_AUTO_TEST_CASE(atomics_on_one_word_travel_apart_in_lane_order) {
  PayloadPool pool;
  const PayloadRef p = strided(pool, Operation::atomic, 0x300, 0, 4);
  const auto requests = requests_of(*p);
  BOOST_REQUIRE(requests.size() == kLanes);
  for (unsigned i = 0; i < kLanes; ++i) {
    BOOST_TEST(requests[i].lanes == 1U << i);
    BOOST_TEST((requests[i].mask == ByteMask::range(0, 4)));
  }
}

BOOST_AUTO_TEST_CASE(random_atomics_put_each_word_once_in_a_request_and_keep_lane_order) {
  PayloadPool pool;
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const unsigned bytes = random() % 2 == 0 ? 4 : 8;
    const PayloadRef p = strided(pool, Operation::atomic, 0, 0, bytes, static_cast<std::uint32_t>(random()) | 1U);
    WarpLanes& lanes = *find_sideband(*p)->lanes;
    for (auto& address : lanes.address) address = 0x1000 + random() % 40 * bytes;
    std::map<std::uint64_t, unsigned> last_lane;  // per word
    std::uint32_t seen = 0;
    for (const LineRequest& r : requests_of(*p)) {
      BOOST_REQUIRE_EQUAL(r.mask.count(), bytes * static_cast<unsigned>(__builtin_popcount(r.lanes)));
      unsigned char line[kLineBytes];
      scatter(r, *p, line);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if ((r.lanes >> lane & 1U) == 0) continue;
        const std::uint64_t word = lanes.address[lane];
        BOOST_REQUIRE_EQUAL(line_of(word), r.line);
        BOOST_REQUIRE(last_lane.count(word) == 0 || last_lane[word] < lane);
        last_lane[word] = lane;
        BOOST_REQUIRE_EQUAL(line[word & kLineOffsetMask], register_byte(lane, 0));
      }
      BOOST_REQUIRE((seen & r.lanes) == 0U);
      seen |= r.lanes;
    }
    BOOST_REQUIRE_EQUAL(seen, lanes.active);
  }
}

BOOST_AUTO_TEST_CASE(a_contiguous_range_is_split_at_line_ends) {
  Coalescer coalescer;
  coalescer.start(0x1f0, 300);
  std::uint64_t at = 0x1f0;
  for (LineRequest r; coalescer.next(r);) {
    BOOST_TEST(r.line == line_of(at));
    BOOST_TEST((r.mask == ByteMask::range(at & kLineOffsetMask, static_cast<unsigned>(0x1f0 + 300 - at))));
    at += r.mask.count();
  }
  BOOST_TEST(at == 0x1f0U + 300);
}
