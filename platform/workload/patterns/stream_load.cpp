// SPDX-License-Identifier: Apache-2.0
//
// Every byte of a buffer is loaded, contiguous across the lanes, several loads of a warp in flight.
#include "gputlm/workload/load_check.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/patterns/patterns.h"
#include "gputlm/workload/walk.h"

namespace gputlm {

namespace {

class LoadStream final : public Kernel {
 public:
  LoadStream(const KernelSetup& setup, const std::string& buffer, const WalkParameters& walk, AccessOrder order,
             unsigned unroll)
      : Kernel(setup.shape),
        base_(setup.buffer(buffer).virtual_address),
        check_(setup.buffer(buffer), setup.before, checks),
        lane_bytes_(static_cast<unsigned>(walk.lane_bytes)),
        unroll_(unroll),
        plan_(walk.plan(setup.shape, setup.buffer(buffer).size)),
        order_(order) {}

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override {
    return std::make_unique<Program>(*this, cta, warp);
  }
  std::vector<ExpectedRange> final_state() const override { return {}; }

 private:
  class Program final : public WarpProgram {
   public:
    Program(LoadStream& kernel, std::uint32_t cta, unsigned warp)
        : kernel_(kernel), walk_(kernel.plan_, kernel.shape(), cta, warp) {}

    WarpInstruction fetch() override {
      if (!walk_.next()) return exit_instruction();
      return loads_.next(kernel_.order_, kernel_.unroll_);
    }
    void operands(WarpLanes& lanes, unsigned char*) override {
      const unsigned width = kernel_.lane_bytes_;
      fill_lanes(lanes, kernel_.base_ + walk_.element() * width, walk_.count(), width, width);
      ++kernel_.counters.loads;
      kernel_.counters.bytes_loaded += std::uint64_t{walk_.count()} * width;
    }
    void returned(const Payload& access) override { kernel_.check_.contiguous(access); }

   private:
    LoadStream& kernel_;
    Walk walk_;
    UnrolledLoads loads_;
  };

  std::uint64_t base_;
  LoadCheck check_;
  unsigned lane_bytes_, unroll_;
  WalkPlan plan_;
  AccessOrder order_;
};

class StreamLoad final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "what is read");
    walk_.visit(v);
    visit_unroll(v, unroll_);
    order_.visit_loads(v);
  }
  void check(const PatternContext& context, PatternProblems& problems) const override {
    walk_.check(context, "buffer", buffer_, problems);
  }
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems& problems) const override {
    if (!check_unroll(unroll_, setup, problems)) return nullptr;
    return std::make_unique<LoadStream>(setup, buffer_, walk_, order_.order(), static_cast<unsigned>(unroll_));
  }

 private:
  std::string buffer_;
  WalkParameters walk_;
  std::uint64_t unroll_ = 4;
  OrderParameters order_;
};

}  // namespace

std::unique_ptr<Pattern> make_stream_load() {
  return std::make_unique<StreamLoad>();
}

}  // namespace gputlm
