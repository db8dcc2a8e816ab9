// SPDX-License-Identifier: Apache-2.0
//
// Life in one L2 set: full-line stores to lines that all fall into it, then loads of others, one access at a time.
#include "gputlm/config/quantity.h"
#include "gputlm/workload/load_check.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"
#include "gputlm/workload/patterns/patterns.h"

namespace gputlm {

namespace {

class OneSet final : public Kernel {
 public:
  /// `lines`: virtual addresses, the first `stores` of them to be stored, the others loaded.
  OneSet(const KernelSetup& setup, const Buffer& buffer, std::vector<std::uint64_t> lines, std::size_t stores,
         AccessOrder order)
      : Kernel(setup.shape),
        buffer_(buffer),
        seed_(setup.seed),
        lines_(std::move(lines)),
        stores_(stores),
        order_(order),
        before_(setup.before),
        check_(buffer, setup.before, checks) {}

  std::unique_ptr<WarpProgram> make_program(std::uint32_t, unsigned) override {
    return std::make_unique<Program>(*this);
  }

  std::vector<ExpectedRange> final_state() const override {
    const auto written =
        [stored = std::vector<std::uint64_t>(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(stores_))](
            std::uint64_t address) { return std::binary_search(stored.begin(), stored.end(), line_of(address)); };
    return {partly_written_buffer(buffer_, before_, std::make_shared<PatternSource>(seed_), written)};
  }

 private:
  class Program final : public WarpProgram {
   public:
    explicit Program(OneSet& kernel) : kernel_(kernel) {}

    WarpInstruction fetch() override {
      // A fence of the GPU's scope waits for the store's acknowledgement.
      if (fence_due_) {
        fence_due_ = false;
        ++kernel_.counters.fences;
        return fence_instruction({Semantics::seq_cst, Scope::gpu});
      }
      if (next_ == kernel_.lines_.size()) return exit_instruction();
      fence_due_ = next_++ < kernel_.stores_;
      return fence_due_ ? store_instruction(kernel_.order_) : load_instruction(kernel_.order_, 0, scoreboard_bit(0));
    }

    void operands(WarpLanes& lanes, unsigned char* data) override {
      const std::uint64_t line = kernel_.lines_[next_ - 1];
      fill_lanes(lanes, line, kLanes, 4, 4);
      if (next_ <= kernel_.stores_) {
        fill_pattern(line, kLineBytes, kernel_.seed_, data);
        ++kernel_.counters.stores;
        kernel_.counters.bytes_stored += kLineBytes;
      } else {
        ++kernel_.counters.loads;
        kernel_.counters.bytes_loaded += kLineBytes;
      }
    }

    void returned(const Payload& access) override { kernel_.check_.contiguous(access); }

   private:
    OneSet& kernel_;
    std::size_t next_ = 0;
    bool fence_due_ = false;
  };

  Buffer buffer_;
  std::uint64_t seed_;
  std::vector<std::uint64_t> lines_;
  std::size_t stores_;
  AccessOrder order_;
  std::shared_ptr<const ExpectedMemory> before_;
  LoadCheck check_;
};

class OneSetPattern final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "searched for lines of the set; about 4.5 MiB a line on a 4090");
    v.count("slice", slice_, 0, 1U << 16, "L2 slice");
    v.count("set", set_, 0, 1U << 30, "set within the slice");
    v.count("stores", stores_, 1, 4096, "lines stored first");
    v.count("loads", loads_, 0, 4096, "other lines loaded after them");
    hint_.visit(v);
  }

  void check(const PatternContext& context, PatternProblems& problems) const override {
    check_one_warp(context, problems);
    if (context.shape.block != kLanes)
      problems.add("block", "a line takes a whole warp", format_count(context.shape.block), "32");
  }

  std::vector<std::string> written() const override { return {buffer_}; }

  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems& problems) const override {
    const Buffer& buffer = setup.buffer(buffer_);
    std::vector<std::uint64_t> lines;
    for (std::uint64_t o = 0; setup.oracle != nullptr && o + kLineBytes <= buffer.size; o += kLineBytes) {
      const std::uint64_t physical = buffer.physical_address + o;
      if (setup.oracle->slice_of(physical) == slice_ && setup.oracle->set_of(physical) == set_)
        lines.push_back(buffer.virtual_address + o);
      if (lines.size() == stores_ + loads_)
        return std::make_unique<OneSet>(setup, buffer, std::move(lines), stores_, hint_.order());
    }
    problems.add("buffer", "holds too few lines of slice " + format_count(slice_) + ", set " + format_count(set_),
                 format_count(lines.size()) + " in " + format_bytes(buffer.size), format_count(stores_ + loads_));
    return nullptr;
  }

 private:
  std::string buffer_;
  std::uint64_t slice_ = 0, set_ = 0, stores_ = 16, loads_ = 32;
  HintParameter hint_;
};

}  // namespace

std::unique_ptr<Pattern> make_one_set() {
  return std::make_unique<OneSetPattern>();
}

}  // namespace gputlm
