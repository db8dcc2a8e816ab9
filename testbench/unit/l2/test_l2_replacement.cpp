// SPDX-License-Identifier: Apache-2.0
//
// The replacement policies to compare with, each by what defines it, on a cache of tags alone.
#include "gputlm/test_support/sc_test.h"
// (first: Boost.Test and SystemC)
#include <array>

#include "gputlm/l2/drrip_policy.h"
#include "gputlm/l2/replacement_policy.h"

using namespace gputlm;

namespace {

ReplacementSpec named(const char* policy, unsigned levels = 4) {
  ReplacementSpec s{policy, levels, 1, 0, "keep"};
  s.bimodal_interval = 32;
  s.duel_sets = 32;
  s.duel_bits = 10;
  return s;
}

/// Sets of tags; a line's set is its number modulo the sets.
class Tags {
 public:
  Tags(const ReplacementSpec& spec, unsigned sets, unsigned ways, unsigned slice = 0)
      : sets_(sets),
        ways_(ways),
        lines_(sets * ways, kEmpty),
        bytes_(sets * ways),
        last_use_(sets * ways),
        policy_(make_replacement(spec, {sets, slice})) {}

  SetWays ways_of(unsigned set) { return {ways_, &bytes_[set * ways_], &last_use_[set * ways_], set}; }
  ReplacementPolicy& policy() { return *policy_; }
  std::uint8_t byte(unsigned way) const { return bytes_[way]; }

  /// A load; true when it hits.
  bool load(std::uint64_t line) {
    const auto set = static_cast<unsigned>(line % sets_);
    for (unsigned way = 0; way < ways_; ++way)
      if (lines_[set * ways_ + way] == line) {
        last_use_[set * ways_ + way] = ++order_;
        policy_->on_load_hit(ways_of(set), way);
        return true;
      }
    const unsigned way = place(set);
    lines_[set * ways_ + way] = line;
    last_use_[set * ways_ + way] = ++order_;
    policy_->on_insert(ways_of(set), way);
    return false;
  }
  unsigned hits_of_rounds(unsigned rounds, unsigned lines) {
    unsigned hits = 0;
    for (unsigned round = 0; round < rounds; ++round)
      for (unsigned line = 0; line < lines; ++line) hits += load(line) ? 1U : 0U;
    return hits;
  }
  /// The way given up next; the set is full.
  unsigned victim(unsigned set, WayMask candidates) {
    policy_->prepare(ways_of(set), candidates);
    return policy_->next(ways_of(set), candidates);
  }
  WayMask all() const { return (WayMask{1} << ways_) - 1; }

 private:
  static constexpr std::uint64_t kEmpty = ~0ULL;

  unsigned place(unsigned set) {
    for (unsigned way = 0; way < ways_; ++way)
      if (lines_[set * ways_ + way] == kEmpty) return way;
    return victim(set, all());
  }

  unsigned sets_, ways_;
  std::vector<std::uint64_t> lines_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint64_t> last_use_;
  std::unique_ptr<ReplacementPolicy> policy_;
  std::uint64_t order_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(tree_plru_goes_where_the_nodes_point_which_is_not_always_the_least_recently_used) {
  Tags plru(named("tree_plru"), 1, 4), lru(named("lru"), 1, 4);
  for (Tags* tags : {&plru, &lru}) {
    for (unsigned line = 0; line < 4; ++line) tags->load(line);
    tags->load(0);
  }
  BOOST_TEST(lru.victim(0, 0b1111) == 1U);
  BOOST_TEST(plru.victim(0, 0b1111) == 2U);  // the root points away from 0, the node of 2 and 3 away from 3
  BOOST_TEST(plru.victim(0, 0b0011) == 1U);  // nobody in that half: the other one, away from 0
  BOOST_TEST(plru.victim(0, 0b1000) == 3U);
  BOOST_TEST(plru.policy().next(plru.ways_of(0), 0) == kNoWay);
}

BOOST_AUTO_TEST_CASE(tree_plru_never_gives_up_the_way_used_last_and_reaches_every_way_in_as_many_misses) {
  for (const unsigned ways : {2U, 8U, 16U, 64U}) {
    Tags tags(named("tree_plru"), 1, ways);
    for (unsigned line = 0; line < ways; ++line) tags.load(line);
    WayMask reached = 0;
    const WayMask all = ways == 64 ? ~WayMask{0} : (WayMask{1} << ways) - 1;
    for (unsigned miss = 0; miss < ways; ++miss) {
      const unsigned way = tags.victim(0, all);
      BOOST_TEST((reached >> way & 1U) == 0U);
      reached |= WayMask{1} << way;
      tags.policy().on_insert(tags.ways_of(0), way);
      BOOST_TEST(tags.victim(0, all) != way);
    }
  }
}

BOOST_AUTO_TEST_CASE(srrip_inserts_one_below_a_victim_promotes_on_any_hit_and_takes_the_lowest_way) {
  Tags tags(named("srrip"), 1, 4);
  for (unsigned line = 0; line < 4; ++line) tags.load(line);
  for (unsigned way = 0; way < 4; ++way) BOOST_TEST(tags.byte(way) == 2);
  tags.load(0);
  tags.policy().on_store_hit(tags.ways_of(0), 1);
  BOOST_TEST(tags.byte(0) == 0);
  BOOST_TEST(tags.byte(1) == 0);
  BOOST_TEST(tags.victim(0, 0b1111) == 2U);
  BOOST_TEST(tags.byte(0) == 1);  // all were raised by one
}

BOOST_AUTO_TEST_CASE(srrip_keeps_lines_used_twice_through_a_scan_that_lru_loses_them_to) {
  Tags srrip(named("srrip"), 1, 8), lru(named("lru"), 1, 8);
  const auto survivors = [](Tags& tags) {
    for (unsigned round = 0; round < 2; ++round)
      for (unsigned line = 0; line < 4; ++line) tags.load(line);
    for (unsigned line = 100; line < 110; ++line) tags.load(line);  // each once
    unsigned hits = 0;
    for (unsigned line = 0; line < 4; ++line) hits += tags.load(line) ? 1U : 0U;
    return hits;
  };
  BOOST_TEST(survivors(srrip) == 4U);
  BOOST_TEST(survivors(lru) == 0U);
}

BOOST_AUTO_TEST_CASE(brrip_inserts_every_nth_line_long_and_all_others_as_victims) {
  ReplacementSpec spec = named("brrip");
  spec.bimodal_interval = 8;
  Tags tags(spec, 1, 1);
  for (unsigned n = 1; n <= 32; ++n) {
    tags.load(n);
    BOOST_TEST(tags.byte(0) == (n % 8 == 0 ? 2 : 3));
  }
  tags.load(33);
  tags.policy().reset();
  for (unsigned n = 1; n <= 8; ++n) tags.load(100 + n);
  BOOST_TEST(tags.byte(0) == 2);  // counted from the reset
}

BOOST_AUTO_TEST_CASE(brrip_keeps_part_of_a_working_set_that_srrip_and_lru_lose_all_of) {
  Tags brrip(named("brrip"), 1, 8), srrip(named("srrip"), 1, 8), lru(named("lru"), 1, 8);
  BOOST_TEST(lru.hits_of_rounds(100, 12) == 0U);
  BOOST_TEST(srrip.hits_of_rounds(100, 12) == 0U);
  BOOST_TEST(brrip.hits_of_rounds(100, 12) > 400U);  // of 1200; seven of the eight ways could at most give 700
}

BOOST_AUTO_TEST_CASE(drrip_has_as_many_leaders_of_either_team_as_asked_for) {
  for (const auto& [sets, duel_sets] : {std::pair{1024U, 32U}, {64U, 4U}, {16U, 32U}, {2U, 1U}}) {
    ReplacementSpec spec = named("drrip");
    spec.duel_sets = duel_sets;
    const DrripPolicy policy(spec, {sets, 0});
    std::array<unsigned, 3> teams{};
    for (unsigned set = 0; set < sets; ++set) ++teams[static_cast<std::size_t>(policy.team_of(set))];
    BOOST_TEST(teams[1] == std::min(duel_sets, sets / 2));
    BOOST_TEST(teams[2] == teams[1]);
  }
}

BOOST_AUTO_TEST_CASE(drrip_followers_insert_by_the_team_that_brings_in_fewer_lines) {
  ReplacementSpec spec = named("drrip");
  spec.duel_sets = 4;
  spec.duel_bits = 4;
  constexpr unsigned kSets = 64, kWays = 8;
  // Larger than the cache: bimodal insertion loses less.
  Tags drrip(spec, kSets, kWays), brrip(named("brrip"), kSets, kWays), srrip(named("srrip"), kSets, kWays);
  auto& policy = dynamic_cast<DrripPolicy&>(drrip.policy());
  BOOST_TEST(!policy.bimodal_wins());
  const unsigned dynamic = drrip.hits_of_rounds(60, kSets * 12), bimodal = brrip.hits_of_rounds(60, kSets * 12);
  BOOST_TEST(policy.bimodal_wins());
  BOOST_TEST(srrip.hits_of_rounds(60, kSets * 12) == 0U);
  BOOST_TEST(dynamic > bimodal / 2);
  policy.reset();
  BOOST_TEST(!policy.bimodal_wins());
}

BOOST_AUTO_TEST_CASE(drrip_selector_counts_what_leaders_bring_in_and_saturates) {
  ReplacementSpec spec = named("drrip");
  spec.duel_sets = 1;
  spec.duel_bits = 2;  // 0 to 3, from 1
  DrripPolicy policy(spec, {4, 0});
  std::uint8_t bytes[1] = {};
  const std::uint64_t last_use[1] = {};
  const auto insert = [&](DrripPolicy::Team team) {
    for (unsigned set = 0; set < 4; ++set)
      if (policy.team_of(set) == team) return policy.on_insert({1, bytes, last_use, set}, 0);
  };
  insert(DrripPolicy::Team::follower);
  BOOST_TEST(!policy.bimodal_wins());
  insert(DrripPolicy::Team::srrip);
  BOOST_TEST(policy.bimodal_wins());
  for (unsigned n = 0; n < 10; ++n) insert(DrripPolicy::Team::brrip);
  insert(DrripPolicy::Team::srrip);
  BOOST_TEST(!policy.bimodal_wins());  // it stopped at 0
  insert(DrripPolicy::Team::srrip);
  BOOST_TEST(policy.bimodal_wins());
}

BOOST_AUTO_TEST_CASE(random_takes_each_candidate_about_as_often_and_repeats_after_a_reset) {
  Tags tags(named("random"), 1, 16), other(named("random"), 1, 16, 1);
  std::array<unsigned, 16> taken{};
  std::vector<unsigned> first;
  bool differs = false;
  for (unsigned n = 0; n < 16000; ++n) {
    const unsigned way = tags.victim(0, 0xff0f);
    differs = differs || way != other.victim(0, 0xff0f);
    if (n < 100) first.push_back(way);
    ++taken[way];
  }
  BOOST_TEST(differs);  // slices draw for themselves
  for (unsigned way = 0; way < 16; ++way)
    if ((0xff0fU >> way & 1U) == 0)
      BOOST_TEST(taken[way] == 0U);
    else
      BOOST_TEST((taken[way] > 1150U && taken[way] < 1520U));  // 1333, five standard deviations either way
  tags.policy().reset();
  for (const unsigned way : first) BOOST_TEST(tags.victim(0, 0xff0f) == way);
  BOOST_TEST(tags.policy().next(tags.ways_of(0), 0) == kNoWay);
}
