// SPDX-License-Identifier: Apache-2.0
#include "gputlm/litmus/run_plan.h"

#include <algorithm>

#include "gputlm/tlm/line_contract.h"

namespace gputlm {
namespace {

std::uint64_t text_key(const LitmusTest& test, std::uint64_t seed) {
  std::uint64_t key = seed;
  for (const std::string* text : {&test.placement, &test.program, &test.condition_text})
    for (const char c : *text) key = mix64(static_cast<unsigned char>(c), key);
  return key;
}

// Every fourth line is kept for the noise, so that no other traffic stores to a test's words.
bool for_noise(std::uint64_t line) {
  return line % 4 == 3;
}

}  // namespace

const char* name_of(LinePlacement placement) {
  switch (placement) {
    case LinePlacement::anywhere:
      return "anywhere";
    case LinePlacement::neighbours:
      return "neighbouring lines";
    case LinePlacement::same_slice:
      return "one slice";
    case LinePlacement::same_set:
      return "one set";
    case LinePlacement::separate_pages:
      return "separate pages";
  }
  return "";
}

void LineCatalogue::add(std::uint64_t line, std::uint32_t place) {
  place_of_.push_back(place);
  if (by_set_.size() <= place) by_set_.resize(std::size_t{place} + 1);
  by_set_[place].push_back(static_cast<std::uint32_t>(line));
  const std::size_t slice = place / sets_;
  if (by_slice_.size() <= slice) by_slice_.resize(slice + 1);
  by_slice_[slice].push_back(static_cast<std::uint32_t>(line));
}

Planner::Planner(const LitmusTest& test, std::uint64_t seed, const Card& card, const LineCatalogue& lines)
    : test_(test), key_(text_key(test, seed)), card_(card), lines_(lines), used_(lines.lines()) {}

RunPlan Planner::next() {
  Draw draw(mix64(run_++, key_));
  RunPlan plan;
  place_lines(draw, plan);
  place_ctas(draw, plan);
  const auto eagerness = static_cast<unsigned>(draw.below(4));
  for (const LitmusThread& thread : test_.threads) plan.threads.push_back(plan_thread(draw, thread, eagerness));
  if (draw.once_in(2)) stagger(draw, plan);
  if (!plan.offsets.empty() && draw.once_in(3)) add_noise(draw, plan);
  return plan;
}

void RunPlan::leave_out(PlanPart part) {
  if (part == PlanPart::noise) noise.clear();
  for (ThreadPlan& t : threads) {
    if (part == PlanPart::warming) t.warmed.clear();
    if (part == PlanPart::delays) std::fill(t.delays.begin(), t.delays.end(), 1);
    if (part == PlanPart::starts) t.start_cycles = 0;
  }
}

// A line no run has used, as `placement` wants it next to those already taken. Crowded corners fall back to anywhere.
std::uint64_t Planner::fresh_line(Draw& draw, const std::vector<std::uint64_t>& taken, LinePlacement placement) {
  constexpr unsigned kTries = 64;
  const std::uint64_t lines_per_page = card_.page_bytes / kLineBytes;
  for (unsigned attempt = 0;; ++attempt) {
    const bool free_choice = taken.empty() || attempt >= kTries;
    std::uint64_t line = draw.below(lines_.lines());
    if (!free_choice && placement == LinePlacement::neighbours) line = (taken.back() + 1 + attempt) % lines_.lines();
    if (!free_choice && placement == LinePlacement::same_slice) {
      const auto& all = lines_.of_same_slice(taken.front());
      line = all[draw.below(all.size())];
    }
    if (!free_choice && placement == LinePlacement::same_set) {
      const auto& all = lines_.of_same_set(taken.front());
      line = all[draw.below(all.size())];
    }
    const bool own_page = std::none_of(taken.begin(), taken.end(), [&](std::uint64_t other) {
      return other / lines_per_page == line / lines_per_page;
    });
    if (!free_choice && placement == LinePlacement::separate_pages && !own_page) continue;
    if (for_noise(line) || (used_[line] && attempt < 4 * kTries)) continue;
    used_[line] = true;
    return line;
  }
}

void Planner::place_lines(Draw& draw, RunPlan& plan) {
  constexpr unsigned kPlacements = 5;
  plan.placement = static_cast<LinePlacement>(draw.below(kPlacements));
  std::vector<std::uint64_t> taken;
  plan.offsets.resize(test_.locations.size());
  for (unsigned i = 0; i < test_.locations.size(); ++i) {
    if (test_.storage_of(i) != i) continue;
    taken.push_back(fresh_line(draw, taken, plan.placement));
    plan.offsets[i] = taken.back() * kLineBytes + 4 * draw.below(kLineBytes / 4);
  }
  for (unsigned i = 0; i < test_.locations.size(); ++i) plan.offsets[i] = plan.offsets[test_.storage_of(i)];
}

void Planner::place_ctas(Draw& draw, RunPlan& plan) const {
  const bool may_share = draw.once_in(8);
  for (std::size_t i = 0; i < test_.ctas.size(); ++i) {
    auto sm = static_cast<unsigned>(draw.below(card_.sms));
    while (!may_share && plan.sms.size() < card_.sms &&
           std::find(plan.sms.begin(), plan.sms.end(), sm) != plan.sms.end())
      sm = (sm + 1) % card_.sms;
    plan.sms.push_back(sm);
  }
}

// Eagerness 0: as fast as the hardware issues; 3: delays beyond every latency on the road.
ThreadPlan Planner::plan_thread(Draw& draw, const LitmusThread& thread, unsigned eagerness) const {
  constexpr std::uint64_t kLongest[] = {1, 16, 400, 2000};
  ThreadPlan plan;
  if (!draw.once_in(8))
    for (unsigned l = 0; l < test_.locations.size(); ++l)
      if (draw.once_in(2)) plan.warmed.push_back(l);
  plan.start_cycles = draw.once_in(2) ? 0 : draw.below(draw.once_in(2) ? 60 : 1600);
  for (std::size_t i = 0; i < thread.instructions.size(); ++i)
    plan.delays.push_back(1 + static_cast<std::uint32_t>(draw.once_in(2) ? 0 : draw.below(kLongest[eagerness])));
  return plan;
}

// The threads one after the other, in any order: what one leaves behind, the next one finds (or finds stale).
void Planner::stagger(Draw& draw, RunPlan& plan) const {
  constexpr std::uint64_t kShortest = 200, kSpread = 1000;
  std::vector<std::size_t> order(plan.threads.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
  std::uint64_t start = 0;
  for (const std::size_t thread : order) {
    plan.threads[thread].start_cycles = start;
    start += kShortest + draw.below(kSpread);
  }
}

// A queue in front of one location's slice while the threads run: from some of the test's SMs and from others.
void Planner::add_noise(Draw& draw, RunPlan& plan) const {
  constexpr unsigned kOthers = 8;
  const std::uint64_t line = plan.offsets[draw.below(plan.offsets.size())] / kLineBytes;
  for (const unsigned sm : plan.sms)
    if (draw.once_in(2)) plan.noise.push_back(plan_noise(draw, sm, line));
  for (std::uint64_t i = draw.below(kOthers); i > 0; --i)
    plan.noise.push_back(plan_noise(draw, static_cast<unsigned>(draw.below(card_.sms)), line));
}

NoisePlan Planner::plan_noise(Draw& draw, unsigned sm, std::uint64_t line) const {
  constexpr std::uint64_t kLines = 32, kEarliest = 200;
  NoisePlan noise;
  noise.sm = sm;
  noise.start_cycles = static_cast<std::uint64_t>(kLitmusLeadNs / card_.cycle_ns) - draw.below(kEarliest);
  const auto& all = lines_.of_same_slice(line);
  for (std::uint64_t i = 0; i < kLines; ++i) {
    std::uint64_t other = all[draw.below(all.size())];
    for (unsigned attempt = 0; attempt < 8 && !for_noise(other); ++attempt) other = all[draw.below(all.size())];
    noise.offsets.push_back((for_noise(other) ? other : other | 3U) * kLineBytes);
  }
  return noise;
}

}  // namespace gputlm
