// SPDX-License-Identifier: Apache-2.0
//
// What a slice does under the policies that the hardware has not: other cleaning, eviction classes, stores that fetch.
#include "gputlm/test_support/sc_test.h"
// (first: Boost.Test and SystemC)
#include "l2_reference.h"

using namespace gputlm;

namespace {

constexpr auto kHalfSector = [] { return ByteMask::range(0, 16); };

PayloadRef hinted(PayloadRef p, EvictionClass eviction) {
  find_sideband(*p)->eviction = eviction;
  return p;
}

bool holds(const L2Slice& slice, std::uint64_t line) {
  for (const L2Way& way : slice.view_set(slice.set_of(line)))
    if (way.present && way.line == line) return true;
  return false;
}

L2Spec cleaning_by(const char* policy, unsigned threshold = 2) {
  L2Spec s = bench_spec();
  s.janitor = {policy, threshold, "any_store"};
  s.janitor.idle_time = 100 * kFsPerNs;
  return s;
}

L2Spec with_classes(const char* replacement = "lru") {
  L2Spec s = bench_spec();
  s.replacement.policy = replacement;
  s.replacement.eviction_classes = "honour";
  return s;
}

}  // namespace

BOOST_AUTO_TEST_CASE(eager_cleaning_writes_every_dirty_line_back_once_memory_is_idle_and_keeps_it) {
  L2Bench b(cleaning_by("eager"));
  for (unsigned n = 0; n < 6; ++n) b.crossbar.send(b.store(line_in_set(n / 2, n % 4), ByteMask::full(), n));
  L2Bench::run_ns(90);
  BOOST_TEST(b.controller.writes_seen.empty());
  L2Bench::settle();
  BOOST_TEST(b.controller.writes_seen.size() == 6U);
  BOOST_TEST(b.slice.dirty_bytes() == 0U);
  BOOST_TEST(b.slice.counters().janitor_cleans == 6U);
  for (unsigned n = 0; n < 6; ++n) BOOST_TEST(holds(b.slice, line_in_set(n / 2, n % 4)));
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(eager_cleaning_leaves_memory_alone_while_the_controller_has_work) {
  L2Bench b(cleaning_by("eager"));
  bool idle = false;
  b.slice.set_memory_view({{}, [&idle] { return idle; }});
  b.crossbar.send(b.store(line_in_set(0), ByteMask::full(), 1));
  L2Bench::run_ns(5000);
  BOOST_TEST(b.controller.writes_seen.empty());
  idle = true;
  L2Bench::run_ns(200);
  BOOST_TEST(b.controller.writes_seen.size() == 1U);
  L2Bench::settle();
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(eager_cleaning_waits_for_the_slices_own_fetches) {
  L2Bench b(cleaning_by("eager"));
  b.controller.read_time = 2000 * kFsPerNs;
  b.crossbar.send(b.store(line_in_set(0), ByteMask::full(), 1));
  b.crossbar.send(b.load(line_in_set(1)));
  L2Bench::run_ns(1900);
  BOOST_TEST(b.controller.writes_seen.empty());
  L2Bench::settle();
  BOOST_TEST(b.controller.writes_seen.size() == 1U);
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(row_aware_cleaning_takes_the_rows_other_dirty_lines_along) {
  L2Bench b(cleaning_by("row_aware"));
  b.slice.set_memory_view({[](std::uint64_t line) { return line / (4 * kLineBytes); }, {}});  // line n of all four sets
  // Row 0 in sets 0, 1, 2; another row in set 0: the second dirty line of the set.
  for (unsigned set = 0; set < 3; ++set) b.crossbar.send(b.store(line_in_set(0, set), ByteMask::full(), set));
  b.crossbar.send(b.store(line_in_set(1, 0), ByteMask::full(), 5));
  L2Bench::settle();
  BOOST_TEST(b.controller.writes_seen.empty());
  b.crossbar.send(b.store(line_in_set(2, 0), ByteMask::full(), 6));  // set 0 has two: its oldest goes, and its row
  L2Bench::settle();
  BOOST_TEST_REQUIRE(b.controller.writes_seen.size() == 3U);
  for (unsigned set = 0; set < 3; ++set) BOOST_TEST(b.controller.writes_seen[set].line == line_in_set(0, set));
  BOOST_TEST(b.slice.counters().janitor_cleans == 3U);
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(row_aware_cleaning_leaves_the_line_that_is_about_to_be_stored) {
  L2Bench b(cleaning_by("row_aware"));
  b.slice.set_memory_view({[](std::uint64_t line) { return line / (8 * kLineBytes); }, {}});  // two lines of each set
  b.crossbar.send(b.store(line_in_set(0), ByteMask::full(), 1));
  b.crossbar.send(b.store(line_in_set(1), ByteMask::full(), 2));
  b.crossbar.send(b.store(line_in_set(1), ByteMask::range(0, 4), 3));
  L2Bench::settle();
  BOOST_TEST_REQUIRE(b.controller.writes_seen.size() == 1U);
  BOOST_TEST(b.controller.writes_seen[0].line == line_in_set(0));
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(row_aware_cleaning_goes_by_rows_when_a_dirty_victim_leaves_too) {
  L2Bench b(cleaning_by("row_aware", 4));
  b.slice.set_memory_view({[](std::uint64_t line) { return line / (4 * kLineBytes); }, {}});
  b.crossbar.send(b.store(line_in_set(0, 0), ByteMask::full(), 1));
  b.crossbar.send(b.store(line_in_set(0, 1), ByteMask::full(), 2));
  for (unsigned n = 1; n < 5; ++n) b.crossbar.send(b.load(line_in_set(n, 0)));
  L2Bench::settle();
  BOOST_TEST_REQUIRE(b.controller.writes_seen.size() == 2U);
  BOOST_TEST(b.controller.writes_seen[1].line == line_in_set(0, 1));
  BOOST_TEST(holds(b.slice, line_in_set(0, 1)));
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(threshold_cleaning_goes_by_sets_whatever_the_rows) {
  L2Bench b(cleaning_by("threshold"));
  b.slice.set_memory_view({[](std::uint64_t line) { return line / (4 * kLineBytes); }, {}});
  for (unsigned set = 0; set < 3; ++set) b.crossbar.send(b.store(line_in_set(0, set), ByteMask::full(), set));
  for (unsigned n = 1; n < 3; ++n) b.crossbar.send(b.store(line_in_set(n, 0), ByteMask::full(), n));
  L2Bench::settle();
  BOOST_TEST(b.controller.writes_seen.size() == 1U);
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(write_allocate_with_fetch_brings_what_a_store_leaves_out_of_its_sectors) {
  L2Spec spec = bench_spec();
  spec.write_allocate = "fetch";
  L2Bench b(spec);
  L2Reference reference(b);
  const std::uint64_t line = line_in_set(0);
  b.crossbar.send(b.store(line, kHalfSector() | ByteMask::range(32, 32), 1));  // half of sector 0, all of sector 1
  L2Bench::settle();
  BOOST_TEST_REQUIRE(b.controller.reads_seen.size() == 1U);
  BOOST_TEST((b.controller.reads_seen[0].mask == ByteMask::sectors(0x1)));
  BOOST_TEST(b.slice.counters().store_fetches == 1U);
  b.crossbar.send(b.load(line, ByteMask::sectors(0x3)));
  b.crossbar.send(b.store(line, ByteMask::range(4, 4), 2));  // a hit on a whole sector fetches nothing
  L2Bench::settle();
  BOOST_TEST(b.slice.counters().load_hits == 1U);
  BOOST_TEST(b.controller.reads_seen.size() == 1U);
  reference.check_memory();
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(write_allocate_with_fetch_acknowledges_the_store_without_waiting_for_the_fetch) {
  L2Spec spec = bench_spec();
  spec.write_allocate = "fetch";
  spec.fetch_entries = 1;
  L2Bench b(spec);
  b.controller.read_time = 1000 * kFsPerNs;
  const auto first = b.crossbar.send(b.store(line_in_set(0), kHalfSector(), 1));
  const auto second = b.crossbar.send(b.store(line_in_set(1), kHalfSector(), 2));  // no fetch entry is left
  L2Bench::settle();
  BOOST_TEST(b.record(first).answered == b.record(first).sent + 50 * kFsPerNs);
  BOOST_TEST(b.record(second).answered > 1000 * kFsPerNs);
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(without_fetch_a_store_brings_nothing) {
  L2Bench b;
  b.crossbar.send(b.store(line_in_set(0), kHalfSector(), 1));
  L2Bench::settle();
  BOOST_TEST(b.controller.reads_seen.empty());
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(lines_hinted_evict_first_go_before_older_ones_and_evict_last_behind_younger_ones) {
  L2Bench b(with_classes());
  b.crossbar.send(hinted(b.load(line_in_set(0)), EvictionClass::last));
  b.crossbar.send(b.load(line_in_set(1)));
  b.crossbar.send(hinted(b.load(line_in_set(2)), EvictionClass::first));
  b.crossbar.send(b.load(line_in_set(3)));
  L2Bench::settle();
  const auto lost = [&b](unsigned newcomer, unsigned victim) {
    b.crossbar.send(b.load(line_in_set(newcomer)));
    L2Bench::settle();
    BOOST_TEST(!holds(b.slice, line_in_set(victim)));
  };
  lost(4, 2);
  lost(5, 1);
  lost(6, 3);
  lost(7, 4);
  BOOST_TEST(holds(b.slice, line_in_set(0)));  // the oldest of all
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(a_set_of_evict_last_lines_gives_up_one_of_them) {
  L2Bench b(with_classes("rrip"));
  for (unsigned n = 0; n < 5; ++n) b.crossbar.send(hinted(b.load(line_in_set(n)), EvictionClass::last));
  L2Bench::settle();
  BOOST_TEST(!holds(b.slice, line_in_set(0)));
  BOOST_TEST(holds(b.slice, line_in_set(4)));
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(a_later_hint_changes_a_lines_class_and_an_access_without_one_does_not) {
  L2Bench b(with_classes());
  const std::uint64_t line = line_in_set(0);
  const auto class_after = [&](const PayloadRef& p) {
    b.crossbar.send(p);
    L2Bench::settle();
    return b.slice.way(0, 0).eviction;
  };
  BOOST_TEST((class_after(hinted(b.store(line, ByteMask::full(), 1), EvictionClass::first)) == EvictionClass::first));
  BOOST_TEST((class_after(b.load(line)) == EvictionClass::first));
  BOOST_TEST(
      (class_after(hinted(b.atomic(line, 0, AtomicFunction::add, 1), EvictionClass::last)) == EvictionClass::last));
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(ignored_classes_change_nothing) {
  L2Spec spec = with_classes();
  spec.replacement.eviction_classes = "ignore";
  L2Bench b(spec);
  b.crossbar.send(hinted(b.load(line_in_set(0)), EvictionClass::last));
  for (unsigned n = 1; n < 5; ++n) b.crossbar.send(hinted(b.load(line_in_set(n)), EvictionClass::first));
  L2Bench::settle();
  BOOST_TEST(!holds(b.slice, line_in_set(0)));
  BOOST_TEST((b.slice.way(0, 1).eviction == EvictionClass::normal));
  b.check_at_rest();
}
