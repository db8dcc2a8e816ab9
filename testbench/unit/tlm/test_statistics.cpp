// SPDX-License-Identifier: Apache-2.0
//
// Histogram, StallClock and the time conversions that need no kernel.
#include "gputlm/test_support/sc_test.h"
//
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gputlm/tlm/statistics.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(quantiles_are_known_to_an_eighth) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(0, 43);
  Histogram h;
  std::vector<Fs> values;
  for (unsigned i = 0; i < 20000; ++i) {
    values.push_back(static_cast<Fs>(std::exp2(exponent(random))));
    h.add(values.back());
  }
  std::sort(values.begin(), values.end());
  for (const double share : {0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto exact = values[static_cast<std::size_t>(std::ceil(share * 20000)) - 1];
    const Fs found = h.quantile(share);
    BOOST_TEST(static_cast<double>(found) >= static_cast<double>(exact) / 1.125 - 1);
    BOOST_TEST(static_cast<double>(found) <= static_cast<double>(exact) * 1.125 + 1);
  }
  BOOST_TEST(h.max() == values.back());
  BOOST_TEST(h.quantile(1.0) == values.back());
  BOOST_TEST(h.count() == 20000U);
}

BOOST_AUTO_TEST_CASE(a_histogram_takes_every_duration) {
  Histogram h;
  for (const Fs value : {Fs{0}, Fs{1}, Fs{7}, Fs{8}, kNever}) h.add(value);
  BOOST_TEST(h.quantile(0.2) == 0);
  BOOST_TEST(h.quantile(0.4) == 1);
  BOOST_TEST(h.quantile(0.6) == 7);
  BOOST_TEST(h.quantile(0.8) == 8);
  BOOST_TEST(h.quantile(1.0) == kNever);
}

BOOST_AUTO_TEST_CASE(quantiles_stay_between_the_smallest_and_the_largest_value) {
  Histogram low, h;
  for (const Fs value : {142'000'000, 142'100'000}) low.add(value);
  h.add(142'300'000);
  h.merge(low);
  for (const double share : {0.0, 0.01, 0.5, 0.99, 1.0}) {
    BOOST_TEST(h.quantile(share) >= 142'000'000);
    BOOST_TEST(h.quantile(share) <= 142'300'000);
  }
}

BOOST_AUTO_TEST_CASE(quantiles_of_equal_values_are_that_value) {
  Histogram h;
  for (int i = 0; i < 3; ++i) h.add(14'600'000);
  for (const double share : {0.01, 0.5, 0.99, 1.0}) BOOST_TEST(h.quantile(share) == 14'600'000);
}

BOOST_AUTO_TEST_CASE(quantiles_within_a_bucket_follow_the_share) {
  Histogram h;
  for (Fs value = 1'050'000; value < 1'150'000; value += 1000) h.add(value);  // one bucket: 1,048,576 to 1,179,647
  BOOST_TEST(h.quantile(0.25) < h.quantile(0.5));
  BOOST_TEST(h.quantile(0.5) < h.quantile(0.99));
  BOOST_TEST(h.quantile(0.99) < h.max());
}

BOOST_AUTO_TEST_CASE(merged_histograms_are_the_histogram_of_all_values) {
  std::mt19937_64 random(2);
  Histogram one, other, both;
  for (unsigned i = 0; i < 1000; ++i) {
    const auto value = static_cast<Fs>(random() % 1'000'000'000);
    (i % 3 == 0 ? one : other).add(value);
    both.add(value);
  }
  one.merge(other);
  BOOST_TEST(one.count() == both.count());
  BOOST_TEST(one.max() == both.max());
  BOOST_TEST(std::abs(one.mean_ns() - both.mean_ns()) < 1e-6);
  for (const double share : {0.1, 0.5, 0.99}) BOOST_TEST(one.quantile(share) == both.quantile(share));
}

BOOST_AUTO_TEST_CASE(an_empty_histogram_reads_zero) {
  Histogram h;
  h.add(5 * kFsPerNs);
  h.add(7 * kFsPerNs);
  BOOST_TEST(h.mean_ns() == 6.0);
  h.reset();
  BOOST_TEST(h.count() == 0U);
  BOOST_TEST(h.quantile(0.5) == 0);
  BOOST_TEST(h.mean_ns() == 0.0);
}

BOOST_AUTO_TEST_CASE(a_stall_is_counted_by_cause) {
  enum class Cause { queue, backlog };
  StallClock<Cause, 2> clock;
  clock.end(3);  // nothing to end
  clock.begin(Cause::queue, 10);
  BOOST_TEST(clock.stalled());
  BOOST_TEST(clock.total(Cause::queue, 14) == 4);
  clock.begin(Cause::backlog, 15);
  BOOST_TEST((clock.cause() == Cause::backlog));
  clock.end(18);
  BOOST_TEST(!clock.stalled());
  BOOST_TEST(clock.total(Cause::queue, 100) == 5);
  BOOST_TEST(clock.total(Cause::backlog, 100) == 3);
  BOOST_TEST(clock.count(Cause::queue) == 1U);
  clock.reset();
  BOOST_TEST(clock.total(Cause::queue, 100) == 0);
  BOOST_TEST(clock.count(Cause::backlog) == 0U);
}

BOOST_AUTO_TEST_CASE(nanoseconds_and_cycles_become_femtoseconds) {
  BOOST_TEST(from_ns(4.4) == 4'400'000);
  BOOST_TEST(from_ns(0.0000004) == 0);
  BOOST_TEST(to_ns(1'500'000) == 1.5);
  BOOST_TEST(cycles_to_fs(1, 2.6e9) == 384'615);
  BOOST_TEST(cycles_to_fs(26, 2.6e9) == 10'000'000);
  BOOST_TEST(cycles_to_fs(6.1, 2.6e9) == 2'346'154);
}
