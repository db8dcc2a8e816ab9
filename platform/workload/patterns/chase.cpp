// SPDX-License-Identifier: Apache-2.0
//
// Dependent loads: each issues when the data of the one before are back, as a pointer chase's do.
#include <utility>

#include "gputlm/workload/load_check.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/patterns/patterns.h"
#include "gputlm/workload/places.h"

namespace gputlm {

namespace {

class Chase final : public Kernel {
 public:
  struct Way {
    std::vector<std::uint64_t> places;
    std::uint64_t passes = 1;
    unsigned lanes = 1, lane_bytes = 4;
    bool split = false;
    AccessOrder order;
  };

  Chase(const KernelSetup& setup, const Buffer& buffer, Way way)
      : Kernel(setup.shape), buffer_(buffer), way_(std::move(way)), check_(buffer, setup.before, checks) {}

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override {
    const std::uint64_t number = std::uint64_t{cta} * shape().warps_per_cta() + warp;
    return way_.split ? std::make_unique<Program>(*this, number, shape().warps())
                      : std::make_unique<Program>(*this, 0, 1);
  }

  std::vector<ExpectedRange> final_state() const override { return {}; }

 private:
  class Program final : public WarpProgram {
   public:
    Program(Chase& kernel, std::uint64_t first, std::uint64_t step)
        : kernel_(kernel), first_(first), step_(step), next_(first), passes_left_(kernel.way_.passes) {}

    WarpInstruction fetch() override {
      if (next_ >= kernel_.way_.places.size()) {
        --passes_left_;
        next_ = first_;
      }
      if (passes_left_ == 0 || next_ >= kernel_.way_.places.size()) return exit_instruction();
      place_ = kernel_.way_.places[static_cast<std::size_t>(next_)];
      next_ += step_;
      return load_instruction(kernel_.way_.order, 0, scoreboard_bit(0));
    }

    void operands(WarpLanes& lanes, unsigned char*) override {
      const Way& way = kernel_.way_;
      fill_lanes(lanes, kernel_.buffer_.virtual_address + place_, way.lanes, way.lane_bytes, way.lane_bytes);
      ++kernel_.counters.loads;
      kernel_.counters.bytes_loaded += std::uint64_t{way.lanes} * way.lane_bytes;
    }

    void returned(const Payload& access) override { kernel_.check_.contiguous(access); }

   private:
    Chase& kernel_;
    std::uint64_t first_, step_, next_, passes_left_, place_ = 0;
  };

  Buffer buffer_;
  Way way_;
  LoadCheck check_;
};

class ChasePattern final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "what is loaded");
    places_.visit(v);
    v.count("passes", passes_, 1, kMaxRounds, "times that all places are visited");
    v.count("lanes", lanes_, 1, kLanes, "active lanes, side by side at each place");
    visit_lane_bytes(v, lane_bytes_, kMaxLaneBytes);
    v.boolean("split", split_, "the warps share out the places; else each visits all of them");
    order_.visit_loads(v);
  }

  void check(const PatternContext& context, PatternProblems& problems) const override {
    if (check_lane_bytes(lane_bytes_, problems))
      places_.check(context, buffer_, lanes_ * lane_bytes_, lane_bytes_, problems);
  }

  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    const Buffer& buffer = setup.buffer(buffer_);
    Chase::Way way{places_.make(buffer.size, lanes_ * lane_bytes_, setup.seed),
                   passes_,
                   static_cast<unsigned>(lanes_),
                   static_cast<unsigned>(lane_bytes_),
                   split_,
                   order_.order()};
    return std::make_unique<Chase>(setup, buffer, std::move(way));
  }

 private:
  std::string buffer_;
  PlacesParameters places_;
  std::uint64_t passes_ = 1, lanes_ = 1, lane_bytes_ = 4;
  bool split_ = false;
  OrderParameters order_;
};

}  // namespace

std::unique_ptr<Pattern> make_chase() {
  return std::make_unique<ChasePattern>();
}

}  // namespace gputlm
