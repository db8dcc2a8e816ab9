// SPDX-License-Identifier: Apache-2.0
//
// Everything random about one run of a litmus test, drawn before it: where its CTAs and locations are, what the L1s
// hold beforehand, when each instruction may issue, and what else the chip is doing. A function of the test's own text,
// the seed and the run's number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/litmus/litmus_test.h"
#include "gputlm/tlm/byte_mask.h"
#include "gputlm/workload/draw.h"

namespace gputlm {

/// How a run's locations lie to each other.
enum class LinePlacement : std::uint8_t {
  anywhere,       ///< Lines drawn over the whole memory of the tests.
  neighbours,     ///< Lines one after the other.
  same_slice,     ///< Lines of one L2 slice.
  same_set,       ///< Lines of one set of one slice.
  separate_pages  ///< Each in a page of its own.
};
const char* name_of(LinePlacement placement);

struct ThreadPlan {
  std::vector<unsigned> warmed;       ///< Locations loaded into L1 (weak) before the run starts.
  std::uint64_t start_cycles = 0;     ///< After the common start.
  std::vector<std::uint32_t> delays;  ///< Per instruction: cycles before the next one may issue.
};

/// Stores to and loads from other lines of one slice by one warp, as fast as it can.
struct NoisePlan {
  unsigned sm = 0;
  std::uint64_t start_cycles = 0;      ///< From the run's first instruction.
  std::vector<std::uint64_t> offsets;  ///< Lines, in order.
};

/// From a run's first instruction to the threads' common start: longer than a warming load that misses everywhere and
/// meets a refresh.
inline constexpr double kLitmusLeadNs = 1200;

/// What a run may do without: each left out in turn, to see whether it still ends as it did.
enum class PlanPart : std::uint8_t { noise, warming, delays, starts };
inline constexpr unsigned kPlanParts = 4;

struct RunPlan {
  LinePlacement placement = LinePlacement::anywhere;
  std::vector<std::uint64_t> offsets;  ///< Per location: byte offset of its word in the memory of the tests.
  std::vector<unsigned> sms;           ///< Per CTA.
  std::vector<ThreadPlan> threads;
  std::vector<NoisePlan> noise;  ///< Other traffic; none: an idle chip.

  void leave_out(PlanPart part);
};

/// Lines of the tests' memory by slice and set, so that runs can be aimed; made once for a card.
class LineCatalogue {
 public:
  /// Lines at `physical` + n * kLineBytes, n below `lines`. `place(address)` is slice * sets + set; `sets` per slice.
  template <class Place>
  LineCatalogue(std::uint64_t physical, std::uint64_t lines, unsigned sets, Place place) : sets_(sets) {
    place_of_.reserve(lines);
    for (std::uint64_t n = 0; n < lines; ++n) add(n, place(physical + n * kLineBytes));
  }

  std::uint64_t lines() const { return place_of_.size(); }
  const std::vector<std::uint32_t>& of_same_set(std::uint64_t line) const { return by_set_[place_of_[line]]; }
  const std::vector<std::uint32_t>& of_same_slice(std::uint64_t line) const {
    return by_slice_[place_of_[line] / sets_];
  }

 private:
  void add(std::uint64_t line, std::uint32_t place);

  unsigned sets_;
  std::vector<std::uint32_t> place_of_;
  std::vector<std::vector<std::uint32_t>> by_set_, by_slice_;
};

/// Draws plans; a line is used by one run only, so every run finds its locations as they were initially.
class Planner {
 public:
  struct Card {
    unsigned sms = 0;
    std::uint64_t page_bytes = 0;
    double cycle_ns = 0;  ///< Core clock.
  };

  Planner(const LitmusTest& test, std::uint64_t seed, const Card& card, const LineCatalogue& lines);

  /// The plan of the next run.
  RunPlan next();

 private:
  std::uint64_t fresh_line(Draw& draw, const std::vector<std::uint64_t>& taken, LinePlacement placement);
  void place_lines(Draw& draw, RunPlan& plan);
  void place_ctas(Draw& draw, RunPlan& plan) const;
  ThreadPlan plan_thread(Draw& draw, const LitmusThread& thread, unsigned eagerness) const;
  void stagger(Draw& draw, RunPlan& plan) const;
  void add_noise(Draw& draw, RunPlan& plan) const;
  NoisePlan plan_noise(Draw& draw, unsigned sm, std::uint64_t line) const;

  const LitmusTest& test_;
  const std::uint64_t key_;
  const Card card_;
  const LineCatalogue& lines_;
  std::vector<bool> used_;
  std::uint64_t run_ = 0;
};

}  // namespace gputlm
