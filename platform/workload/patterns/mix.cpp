// SPDX-License-Identifier: Apache-2.0
//
// Loads of one buffer and stores to another in a fixed proportion, both contiguous, until both have been walked
// through.
#include "gputlm/config/quantity.h"
#include "gputlm/workload/load_check.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"
#include "gputlm/workload/patterns/patterns.h"
#include "gputlm/workload/walk.h"

namespace gputlm {

namespace {

struct Proportion {
  std::uint64_t loads, stores;
};

class Mix final : public Kernel {
 public:
  Mix(const KernelSetup& setup, const Buffer& input, const Buffer& output, const WalkParameters& walk, Proportion each,
      unsigned unroll, AccessOrder order)
      : Kernel(setup.shape),
        input_(input),
        output_(output),
        seed_(setup.seed),
        check_(input, setup.before, checks),
        lane_bytes_(static_cast<unsigned>(walk.lane_bytes)),
        unroll_(unroll),
        each_(each),
        order_(order),
        input_plan_(walk.plan(setup.shape, input.size)),
        output_plan_(walk.plan(setup.shape, output.size)) {}

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override {
    return std::make_unique<Program>(*this, cta, warp);
  }
  std::vector<ExpectedRange> final_state() const override {
    return {expected_buffer(output_, std::make_shared<PatternSource>(seed_))};
  }

 private:
  class Program final : public WarpProgram {
   public:
    Program(Mix& kernel, std::uint32_t cta, unsigned warp)
        : kernel_(kernel),
          loads_(kernel.input_plan_, kernel.shape(), cta, warp),
          stores_(kernel.output_plan_, kernel.shape(), cta, warp) {}

    WarpInstruction fetch() override {
      const std::uint64_t round = kernel_.each_.loads + kernel_.each_.stores;
      bool more_loads = true, more_stores = true;
      while (more_loads || more_stores) {
        storing_ = place_ >= kernel_.each_.loads;
        place_ = place_ + 1 == round ? 0 : place_ + 1;
        bool& more = storing_ ? more_stores : more_loads;
        more = more && (storing_ ? stores_ : loads_).next();
        if (more) return storing_ ? store_instruction(kernel_.order_) : rotation_.next(kernel_.order_, kernel_.unroll_);
      }
      return exit_instruction();
    }

    void operands(WarpLanes& lanes, unsigned char* data) override {
      const Walk& walk = storing_ ? stores_ : loads_;
      const unsigned width = kernel_.lane_bytes_, bytes = walk.count() * width;
      const std::uint64_t base = (storing_ ? kernel_.output_ : kernel_.input_).virtual_address;
      const std::uint64_t address = base + walk.element() * width;
      fill_lanes(lanes, address, walk.count(), width, width);
      if (storing_) {
        fill_pattern(address, bytes, kernel_.seed_, data);
        ++kernel_.counters.stores;
        kernel_.counters.bytes_stored += bytes;
      } else {
        ++kernel_.counters.loads;
        kernel_.counters.bytes_loaded += bytes;
      }
    }

    void returned(const Payload& access) override { kernel_.check_.contiguous(access); }

   private:
    Mix& kernel_;
    Walk loads_, stores_;
    std::uint64_t place_ = 0;
    UnrolledLoads rotation_;
    bool storing_ = false;
  };

  Buffer input_, output_;
  std::uint64_t seed_;
  LoadCheck check_;
  unsigned lane_bytes_, unroll_;
  Proportion each_;
  AccessOrder order_;
  WalkPlan input_plan_, output_plan_;
};

class MixPattern final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("input", input_, "what is read");
    v.buffer("output", output_, "what is written; sizes in the proportion of loads and stores keep it to the end");
    v.count("loads", loads_, 1, 1024, "loads of a warp in a row");
    v.count("stores", stores_, 1, 1024, "stores of a warp in a row");
    walk_.visit(v);
    visit_unroll(v, unroll_);
    hint_.visit(v);
  }
  void check(const PatternContext& context, PatternProblems& problems) const override {
    if (!check_lane_bytes(walk_.lane_bytes, problems)) return;
    walk_.check(context, "input", input_, problems);
    walk_.check(context, "output", output_, problems);
    if (context.same_memory(input_, output_))
      problems.add("output", "is the memory that is read", output_, "another buffer");
  }
  std::vector<std::string> written() const override { return {output_}; }
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems& problems) const override {
    if (!check_unroll(unroll_, setup, problems)) return nullptr;
    return std::make_unique<Mix>(setup, setup.buffer(input_), setup.buffer(output_), walk_, Proportion{loads_, stores_},
                                 static_cast<unsigned>(unroll_), hint_.order());
  }

 private:
  std::string input_, output_;
  std::uint64_t loads_ = 1, stores_ = 1, unroll_ = 4;
  WalkParameters walk_;
  HintParameter hint_;
};

}  // namespace

std::unique_ptr<Pattern> make_mix() {
  return std::make_unique<MixPattern>();
}

}  // namespace gputlm
