// SPDX-License-Identifier: Apache-2.0
//
// How the threads of a grid share out the elements of a buffer, each to exactly one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "gputlm/workload/kernel.h"
#include "gputlm/workload/pattern.h"

namespace gputlm {

/// Elements and their distribution.
struct WalkPlan {
  std::uint64_t elements = 0;
  std::uint64_t passes = 1;        ///< Times that every element is visited.
  std::uint64_t cta_first = 0;     ///< CTA c starts at c * cta_first,
  std::uint64_t warp_first = 0;    ///< its warp w at w * warp_first from there,
  std::uint64_t step = 0;          ///< and moves on by `step`.
  std::uint64_t cta_elements = 0;  ///< Elements of one CTA when each has a range of its own; 0: up to the last element.
  unsigned width = kLanes;         ///< Elements per warp access (fewer in a short last warp).

  /// One element per lane: thread t takes t, t + threads, ...; or, when `blocked`, each CTA a contiguous range.
  static WalkPlan by_lane(const KernelShape& shape, std::uint64_t elements, bool blocked, std::uint64_t passes);
  /// One element per warp access.
  static WalkPlan by_warp(const KernelShape& shape, std::uint64_t elements, std::uint64_t passes);
};

/// One warp's way through a WalkPlan.
class Walk {
 public:
  Walk(const WalkPlan& plan, const KernelShape& shape, std::uint32_t cta, unsigned warp)
      : first_(cta * plan.cta_first + warp * plan.warp_first),
        next_(first_),
        end_(plan.cta_elements == 0 ? plan.elements
                                    : std::min(plan.elements, (cta + std::uint64_t{1}) * plan.cta_elements)),
        step_(plan.step),
        passes_left_(plan.passes - 1),
        width_(std::min(plan.width, shape.lanes_of(warp))) {}

  /// Goes to the warp's next access; false when there is none.
  bool next() {
    if (next_ >= end_) {
      if (passes_left_ == 0 || first_ >= end_) return false;
      --passes_left_;
      next_ = first_;
    }
    element_ = next_;
    next_ += step_;
    return true;
  }

  /// First element of the access.
  std::uint64_t element() const { return element_; }
  /// Elements of the access.
  unsigned count() const { return static_cast<unsigned>(std::min<std::uint64_t>(width_, end_ - element_)); }

 private:
  std::uint64_t first_, next_, end_, step_, passes_left_, element_ = 0;
  unsigned width_;
};

/// Parameters of the patterns that walk through a buffer element by element.
struct WalkParameters {
  std::uint64_t lane_bytes = 4;
  std::string order = "grid_stride";
  std::uint64_t repeat = 1;

  void visit(ParameterVisitor& v);
  /// Reports a lane width that is no power of two, and a buffer that is no multiple of it.
  void check(const PatternContext& context, const char* key, const std::string& buffer,
             PatternProblems& problems) const;
  WalkPlan plan(const KernelShape& shape, std::uint64_t bytes) const;
};

}  // namespace gputlm
