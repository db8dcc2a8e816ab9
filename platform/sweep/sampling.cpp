// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/sampling.h"

#include <numeric>
#include <utility>

#include "gputlm/workload/draw.h"

namespace gputlm {

namespace {

/// 0 to below 1, all 53 bits.
double uniform(Draw& draw) {
  constexpr unsigned kDropped = 11;
  return static_cast<double>(draw.next() >> kDropped) * 0x1p-53;
}

/// The middle of one of `count` equal parts: whatever way a share is turned into an index, it is that part's.
double middle(std::size_t part, std::size_t count) {
  constexpr double kHalf = 0.5;
  return (static_cast<double>(part) + kHalf) / static_cast<double>(count);
}

/// 0 to count - 1 in an order drawn (Fisher and Yates).
std::vector<std::size_t> shuffled(std::size_t count, Draw& draw) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = count; left > 1; --left) std::swap(order[left - 1], order[draw.below(left)]);
  return order;
}

}  // namespace

std::vector<SweepShares> grid_shares(const std::vector<std::size_t>& counts) {
  std::vector<SweepShares> points{{}};
  for (const std::size_t count : counts) {
    std::vector<SweepShares> longer;
    for (const SweepShares& point : points)
      for (std::size_t i = 0; i < count; ++i) {
        longer.push_back(point);
        longer.back().push_back(middle(i, count));
      }
    points = std::move(longer);
  }
  return points;
}

std::vector<SweepShares> list_shares(std::size_t parameters, std::size_t count) {
  std::vector<SweepShares> points;
  for (std::size_t i = 0; i < count; ++i) points.emplace_back(parameters, middle(i, count));
  return points;
}

std::vector<SweepShares> random_shares(std::size_t parameters, std::size_t count, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<SweepShares> points(count, SweepShares(parameters));
  for (SweepShares& point : points)
    for (double& share : point) share = uniform(draw);
  return points;
}

std::vector<SweepShares> latin_hypercube_shares(std::size_t parameters, std::size_t count, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<SweepShares> points(count, SweepShares(parameters));
  for (std::size_t p = 0; p < parameters; ++p) {
    const std::vector<std::size_t> parts = shuffled(count, draw);
    for (std::size_t i = 0; i < count; ++i)
      points[i][p] = (static_cast<double>(parts[i]) + uniform(draw)) / static_cast<double>(count);
  }
  return points;
}

}  // namespace gputlm
