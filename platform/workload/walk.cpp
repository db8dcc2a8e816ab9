// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/walk.h"

#include "gputlm/config/quantity.h"
#include "gputlm/workload/parameters.h"

namespace gputlm {

WalkPlan WalkPlan::by_lane(const KernelShape& shape, std::uint64_t elements, bool blocked, std::uint64_t passes) {
  WalkPlan plan;
  plan.elements = elements;
  plan.passes = passes;
  plan.warp_first = kLanes;
  if (blocked) {
    const std::uint64_t rounds = (elements + shape.threads() - 1) / shape.threads();
    plan.cta_first = plan.cta_elements = rounds * shape.block;
    plan.step = shape.block;
  } else {
    plan.cta_first = shape.block;
    plan.step = shape.threads();
  }
  return plan;
}

WalkPlan WalkPlan::by_warp(const KernelShape& shape, std::uint64_t elements, std::uint64_t passes) {
  WalkPlan plan;
  plan.elements = elements;
  plan.passes = passes;
  plan.cta_first = shape.warps_per_cta();
  plan.warp_first = 1;
  plan.step = shape.warps();
  plan.width = 1;
  return plan;
}

void WalkParameters::visit(ParameterVisitor& v) {
  visit_lane_bytes(v, lane_bytes, kMaxLaneBytes);
  visit_walk_order(v, order);
  visit_repeat(v, repeat);
}

void WalkParameters::check(const PatternContext& context, const char* key, const std::string& buffer,
                           PatternProblems& problems) const {
  if (!check_lane_bytes(lane_bytes, problems)) return;
  if (context.size_of(buffer) % lane_bytes != 0)
    problems.add(key, "the buffer's size is no multiple of lane_bytes", format_bytes(context.size_of(buffer)),
                 "a multiple of " + format_bytes(lane_bytes));
}

WalkPlan WalkParameters::plan(const KernelShape& shape, std::uint64_t bytes) const {
  return WalkPlan::by_lane(shape, bytes / lane_bytes, order == "blocked", repeat);
}

}  // namespace gputlm
