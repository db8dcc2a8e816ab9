// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"
#include "gputlm/workload/pattern_data.h"

namespace gputlm::probes {
namespace {

using Places = std::vector<std::uint64_t>;

/// Address changes that stay in a DRAM row (READS): a row has 32 sectors, one for each sum of them.
constexpr std::array<std::uint64_t, 5> kRowDeltas{1U << 5, 1U << 6, 1U << 7, 1U << 9, 1U << 8 ^ 1U << 14};
constexpr unsigned kSectorsPerRow = 32;

std::uint64_t sector_of_row(std::uint64_t start, unsigned sector) {
  for (unsigned i = 0; i < kRowDeltas.size(); ++i)
    if ((sector >> i & 1U) != 0) start ^= kRowDeltas[i];
  return start;
}

/// The same with another line each time, as long as there is one.
std::uint64_t line_of_row(std::uint64_t start, unsigned line) {
  return sector_of_row(start, line * kSectorsPerLine % kSectorsPerRow);
}

/// Durations of loads of one warp, one after the other; each load has a lane for each of its places.
std::vector<double> durations(ProbeRun& run, const std::vector<Places>& loads) {
  std::vector<std::string> accesses;
  for (const Places& places : loads) accesses.push_back("{operation: load, offsets: " + CaseValue(places).text() + "}");
  std::vector<double> times;
  for (const AccessTimes& a : run.measure({{"accesses", accesses}}).accesses)
    times.push_back(ns_between(a.issued, a.answered));
  return times;
}

/// Median duration for each number of places: `loads` holds `repeats` for one place, then for two, and so on.
std::vector<double> medians(ProbeRun& run, const std::vector<Places>& loads, std::size_t repeats) {
  const std::vector<double> times = durations(run, loads);
  std::vector<double> result;
  for (auto at = times.begin(); at != times.end(); at += static_cast<std::ptrdiff_t>(repeats))
    result.push_back(median_of({at, at + static_cast<std::ptrdiff_t>(repeats)}));
  return result;
}

/// What each place costs beyond the first of those that are counted.
double slope(const std::vector<double>& by_count, std::size_t from = 0) {
  return (by_count.back() - by_count[from]) / static_cast<double>(by_count.size() - 1 - from);
}

/// First lines of rows of one controller, at irregular distances, so that they do not take turns over the banks.
Places rows(const ProbeRun& run, std::size_t count) {
  const Buffer buffer = run.buffer("memory", {{"accesses", "[{operation: load, offsets: 0}]"}});
  Places found;
  for (std::uint64_t at = 0; at < buffer.size && found.size() < count; at += kLineBytes) {
    if (run.controller_of(at) != 0) continue;
    found.push_back(at);
    at += run.count("distance") * (1 + mix64(at, 0) % 4);
  }
  return found;
}

/// Times of the pairs of candidates, (1, 0), (2, 0), (2, 1), (3, 0) and so on: the least of several runs, each of which
/// begins at another pair, so that a refresh is not in a pair's way every time.
std::vector<double> pair_times(ProbeRun& run, const Places& candidates) {
  std::vector<Places> loads;
  for (unsigned i = 0; i < candidates.size(); ++i)
    for (unsigned j = 0; j < i; ++j)
      loads.push_back({sector_of_row(candidates[j], i - 1), sector_of_row(candidates[i], j)});
  std::vector<double> least(loads.size(), std::numeric_limits<double>::max());
  const std::size_t runs = run.count("pair_runs");
  for (std::size_t r = 0; r < runs; ++r) {
    const std::size_t first = loads.size() * r / runs;
    std::vector<Places> turned = loads;
    std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(first), turned.end());
    const std::vector<double> times = durations(run, turned);
    for (std::size_t i = 0; i < times.size(); ++i) {
      double& pair = least[(first + i) % loads.size()];
      pair = std::min(pair, times[i]);
    }
  }
  return least;
}

/// The time above which a pair meets in a bank: the middle of the widest gap between the pairs' times, however wide it
/// is. None when there is no gap or when the pairs above it are too many: a bank is one of many.
std::optional<double> conflict_from(std::vector<double> times) {
  constexpr std::size_t kFewestBanks = 4;
  std::sort(times.begin(), times.end());
  std::size_t above = 0;
  double widest = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] - times[i - 1] <= widest) continue;
    widest = times[i] - times[i - 1];
    above = i;
  }
  if (widest == 0 || (times.size() - above) * kFewestBanks > times.size()) return std::nullopt;
  return times[above] - widest / 2;
}

/// The most rows among the candidates that meet in one bank; none when no two do.
Places rows_of_one_bank(ProbeRun& run, const Places& candidates) {
  const std::vector<double> times = pair_times(run, candidates);
  const std::optional<double> limit = conflict_from(times);
  if (!limit) return {};
  const auto conflict = [&](unsigned one, unsigned other) {
    const unsigned low = std::min(one, other), high = std::max(one, other);
    return times[std::size_t{high} * (high - 1) / 2 + low] > *limit;
  };
  // Every two must conflict: to share a bank is mutual.
  std::vector<unsigned> best;
  for (unsigned i = 0; i < candidates.size(); ++i) {
    std::vector<unsigned> bank{i};
    for (unsigned j = i + 1; j < candidates.size(); ++j)
      if (std::all_of(bank.begin(), bank.end(), [&](unsigned member) { return conflict(member, j); }))
        bank.push_back(j);
    if (bank.size() > best.size()) best = bank;
  }
  Places rows;
  for (const unsigned i : best) rows.push_back(candidates[i]);
  return rows;
}

void same_row(ProbeRun& run, const Places& candidates) {
  constexpr unsigned kLinesPerRow = kSectorsPerRow / kSectorsPerLine;
  const std::size_t repeats = candidates.size() / kLinesPerRow;
  std::vector<Places> loads;
  for (unsigned n = 1; n <= kLinesPerRow; ++n)
    for (std::size_t r = 0; r < repeats; ++r) {
      Places& load = loads.emplace_back();
      for (unsigned line = 0; line < n; ++line) load.push_back(line_of_row(candidates[(n - 1) * repeats + r], line));
    }
  run.row("same_row", slope(medians(run, loads, repeats)), "ns");
}

void new_row(ProbeRun& run, const Places& bank) {
  if (bank.size() < 2) return run.row("new_row", std::nullopt, "ns");
  const std::size_t repeats = run.count("repeats");
  std::vector<Places> loads;
  unsigned sector = 0;
  for (std::size_t n = 1; n <= bank.size(); ++n)
    for (std::size_t r = 0; r < repeats; ++r, ++sector) {
      Places& load = loads.emplace_back();
      for (std::size_t i = 0; i < n; ++i) load.push_back(sector_of_row(bank[i], sector));
    }
  // A lone row may still be open from the load before (page policy); of two or more, the first never is.
  run.row("new_row", slope(medians(run, loads, repeats), bank.size() > 2 ? 1 : 0), "ns");
}

/// What the sector at address xor delta costs beside the one at the address.
void delta(ProbeRun& run, const Places& candidates, const std::string& name, std::uint64_t change) {
  const std::size_t repeats = candidates.size() / 2;
  std::vector<Places> loads;
  for (std::size_t i = 0; i < repeats; ++i) loads.push_back({candidates[i]});
  for (std::size_t i = repeats; i < 2 * repeats; ++i) loads.push_back({candidates[i], candidates[i] ^ change});
  run.row("delta=" + name, slope(medians(run, loads, repeats)), "ns");
}

}  // namespace

void dram_rows(ProbeRun& run) {
  const Places candidates = rows(run, run.count("candidates"));
  same_row(run, candidates);
  new_row(run, rows_of_one_bank(run, candidates));
  for (const unsigned bit : {5U, 6U, 7U, 9U, 8U})
    delta(run, candidates, fmt::format("2^{}", bit), std::uint64_t{1} << bit);
  delta(run, candidates, "2^8^2^14", 1U << 8 ^ 1U << 14);
}

}  // namespace gputlm::probes
