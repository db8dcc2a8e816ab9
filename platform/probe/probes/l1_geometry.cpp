// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"
#include "gputlm/probe/steps.h"

namespace gputlm::probes {
namespace {

using Places = std::vector<std::uint64_t>;

constexpr std::uint64_t kTarget = 0;

/// Times of the loads of a script; a line of its own, loaded twice before it, tells hits from misses.
class Loads {
 public:
  Loads(ProbeRun& run, Steps steps, std::uint64_t spare) {
    steps.insert(steps.begin(), {load_step(spare), load_step(spare)});
    for (const AccessTimes& a : run.measure({{"steps", steps}}).accesses) times_.push_back(duration_ns(a));
  }
  bool hit(std::size_t load) const { return is_hit(times_.at(load + 2), times_[1], times_[0]); }
  std::size_t count() const { return times_.size() - 2; }
  double hit_share(std::size_t from) const {
    std::size_t hits = 0;
    for (std::size_t i = from; i < count(); ++i) hits += hit(i) ? 1 : 0;
    return static_cast<double>(hits) / static_cast<double>(count() - from);
  }

 private:
  std::vector<double> times_;
};

/// Finds lines that together evict the target, none of them dispensable: the last line of the shortest run of lines
/// that evicts it is one; with it put in front of all others, the shortest run tells the next.
class ConflictSearch {
 public:
  ConflictSearch(ProbeRun& run, std::uint64_t lines) : run_(run), lines_(lines) {}

  Places find() {
    Places members;
    std::uint64_t high = lines_ - 1;
    while (const std::optional<std::uint64_t> last = last_of_shortest(members, high)) {
      if (*last == 0) return members;
      members.push_back(*last * kLineBytes);
      high = *last - 1;
    }
    return {};
  }

 private:
  static constexpr std::uint64_t kTestsPerRun = 8;

  /// Number of lines, from 1 up, that the members need for company to evict the target; none: `high` are not enough.
  std::optional<std::uint64_t> last_of_shortest(const Places& members, std::uint64_t high) const {
    std::uint64_t low = 0;  // fewer do not evict it
    bool evicted_by_high = false;
    while (low < high || !evicted_by_high) {
      const Places lengths = lengths_between(low, high);
      const std::vector<bool> evicted = evictions(members, lengths);
      const auto first = std::find(evicted.begin(), evicted.end(), true) - evicted.begin();
      if (first == static_cast<std::ptrdiff_t>(lengths.size())) return std::nullopt;
      evicted_by_high = true;
      high = lengths[static_cast<std::size_t>(first)];
      if (first > 0) low = lengths[static_cast<std::size_t>(first) - 1] + 1;
    }
    return high;
  }

  static Places lengths_between(std::uint64_t low, std::uint64_t high) {
    Places lengths;
    for (std::uint64_t i = 0; i <= kTestsPerRun; ++i) lengths.push_back(low + (high - low) * i / kTestsPerRun);
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
  }

  /// Whether the target is gone after the members and so many lines.
  std::vector<bool> evictions(const Places& members, const Places& lengths) const {
    Steps steps;
    std::vector<std::size_t> checks;
    std::size_t loads = 0;
    for (const std::uint64_t length : lengths) {
      steps.push_back(load_step(kTarget));
      for (const std::uint64_t place : members) steps.push_back(load_step(place));
      if (length > 0)
        steps.push_back(
            fmt::format("{{load: {0}, lanes: 1, wait: false, count: {1}, every: {0}}}", kLineBytes, length));
      steps.emplace_back("{wait: loads}");
      steps.push_back(load_step(kTarget));
      loads += 2 + members.size() + length;
      checks.push_back(loads - 1);
    }
    const Loads result(run_, std::move(steps), lines_ * kLineBytes);
    std::vector<bool> evicted;
    for (const std::size_t check : checks) evicted.push_back(!result.hit(check));
    return evicted;
  }

  ProbeRun& run_;
  std::uint64_t lines_;
};

/// Share of the lines of a contiguous footprint that a second pass finds.
double share_kept(ProbeRun& run, std::uint64_t lines, std::uint64_t spare) {
  const std::string pass = fmt::format("{{load: 0, lanes: 1, count: {}, every: {}}}", lines, kLineBytes);
  return Loads(run, {pass, pass}, spare).hit_share(lines);
}

/// Lines of the largest contiguous footprint that is kept whole, one of `kept` lines being kept; none: so is the
/// largest that there is.
std::optional<double> largest_kept(ProbeRun& run, std::uint64_t kept, std::uint64_t spare) {
  const std::uint64_t most = spare / kLineBytes;
  std::uint64_t lost = kept;
  do {
    kept = lost;
    lost = std::min(2 * std::max<std::uint64_t>(lost, 1), most);
    if (lost == kept) return std::nullopt;
  } while (share_kept(run, lost, spare) == 1);
  while (lost - kept > 1) {
    const std::uint64_t middle = kept + (lost - kept) / 2;
    (share_kept(run, middle, spare) == 1 ? kept : lost) = middle;
  }
  return static_cast<double>(kept);
}

double cycle_hits(ProbeRun& run, const Places& places, std::uint64_t spare) {
  Steps steps;
  for (std::uint64_t pass = 0; pass < run.count("passes"); ++pass)
    for (const std::uint64_t place : places) steps.push_back(load_step(place));
  return Loads(run, std::move(steps), spare).hit_share(places.size());
}

/// All ways filled, the first line used again, one more line: the second must be gone and the first not.
double oldest_first(ProbeRun& run, const Places& members, std::uint64_t spare) {
  Steps steps;
  for (const std::uint64_t place : members) steps.push_back(load_step(place));
  for (const std::uint64_t place : {members[0], kTarget, members[0], members[1]}) steps.push_back(load_step(place));
  const Loads loads(run, std::move(steps), spare);
  return loads.hit(loads.count() - 2) && !loads.hit(loads.count() - 1) ? 1 : 0;
}

}  // namespace

void l1_geometry(ProbeRun& run) {
  const std::uint64_t spare = run.buffer("lines", {{"steps", "[{load: 0}]"}}).size - kLineBytes;
  std::uint64_t kept = 0;
  for (const std::uint64_t kib : run.counts("footprints_kib")) {
    const std::uint64_t lines = kib * 1024 / kLineBytes;
    const double share = share_kept(run, lines, spare);
    if (share == 1) kept = std::max(kept, lines);
    run.row(fmt::format("contiguous_kib={}", kib), share, "hits per load");
  }
  const Places members = ConflictSearch(run, spare / kLineBytes).find();
  if (members.size() < 2) {
    for (const char* name : {"ways", "sets", "cycle=ways", "cycle=ways+1", "oldest_evicted_first"})
      run.row(name, std::nullopt, "");
    return;
  }
  run.row("ways", static_cast<double>(members.size()), "line");
  const std::optional<double> lines = largest_kept(run, kept, spare);
  run.row("sets", lines ? std::optional(*lines / static_cast<double>(members.size())) : std::nullopt, "set");
  Places more = members;
  more.push_back(kTarget);
  run.row("cycle=ways", cycle_hits(run, members, spare), "hits per load");
  run.row("cycle=ways+1", cycle_hits(run, more, spare), "hits per load");
  run.row("oldest_evicted_first", oldest_first(run, members, spare), "1 or 0");
}

}  // namespace gputlm::probes
