// SPDX-License-Identifier: Apache-2.0
//
// Where the points of a sweep lie, as shares (0 to below 1) of each parameter's list or range. The same numbers
// everywhere: nothing here depends on the machine or its library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gputlm {

/// One share a parameter.
using SweepShares = std::vector<double>;

/// Every combination of so many values of each parameter; the last one changes fastest.
std::vector<SweepShares> grid_shares(const std::vector<std::size_t>& counts);
/// The first value of every parameter, the second of every one, ...
std::vector<SweepShares> list_shares(std::size_t parameters, std::size_t count);
/// Independent uniform draws.
std::vector<SweepShares> random_shares(std::size_t parameters, std::size_t count, std::uint64_t seed);
/// Latin hypercube (McKay, Beckman and Conover 1979): of each parameter's range, cut into `count` equal parts, every
/// part holds exactly one draw; which parts of two parameters go together is drawn, too.
std::vector<SweepShares> latin_hypercube_shares(std::size_t parameters, std::size_t count, std::uint64_t seed);

}  // namespace gputlm
