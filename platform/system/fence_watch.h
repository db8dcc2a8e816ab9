// SPDX-License-Identifier: Apache-2.0
//
// Brings the fence judge to a card: what it needs to see besides the observers' calls are two kinds of arrows.
#pragma once

#include <memory>
#include <vector>

#include "gputlm/judge/fence_judge.h"
#include "gputlm/system/gpu.h"

namespace gputlm {

/// A fence judge and its ears on the arrows into the load/store units. Whoever owns it adds `judge` to the observers of
/// schedulers, load/store units and L1s, and shows it the arrow on which the host answers.
class FenceWatch {
 public:
  explicit FenceWatch(Gpu& gpu);
  /// The arrow from the crossbar's system port.
  void watch_host(ArrowPort& arrow) { arrow.bind(host_); }

  FenceJudge judge;

 private:
  /// Hears one SM's warp accesses.
  struct Door : tlm::tlm_analysis_if<ArrowEvent> {
    Door(FenceJudge& judge, unsigned sm) : judge(judge), sm(sm) {}
    void write(const ArrowEvent& event) override {
      if (event.phase == ArrowEvent::Phase::begin_req) judge.on_access(sm, *event.payload);
    }
    FenceJudge& judge;
    const unsigned sm;
  };
  /// Hears the host's answers.
  struct HostAnswers : tlm::tlm_analysis_if<ArrowEvent> {
    explicit HostAnswers(FenceJudge& judge) : judge(judge) {}
    void write(const ArrowEvent& event) override {
      const bool barrier = find_sideband(*event.payload)->operation == Operation::system_barrier;
      if (barrier && event.phase == ArrowEvent::Phase::begin_resp) judge.on_barrier_answered(*event.payload);
    }
    FenceJudge& judge;
  };

  std::vector<std::unique_ptr<Door>> doors_;
  HostAnswers host_;
};

}  // namespace gputlm
