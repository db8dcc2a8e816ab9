// SPDX-License-Identifier: Apache-2.0
//
// Every byte of one buffer is loaded and stored to the same offset of another.
#include <array>
#include <cstring>

#include "gputlm/config/quantity.h"
#include "gputlm/workload/load_check.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/patterns/patterns.h"
#include "gputlm/workload/walk.h"

namespace gputlm {

namespace {

constexpr unsigned kMaxUnroll = 8;

/// What `from` held before, at the addresses of `to`.
class CopySource final : public ByteSource {
 public:
  CopySource(const Buffer& from, const Buffer& to, std::shared_ptr<const ExpectedMemory> before)
      : shift_(from.physical_address - to.virtual_address), before_(std::move(before)) {}
  void bytes(std::uint64_t address, std::size_t length, unsigned char* out) const override {
    before_->bytes(address + shift_, length, out);
  }

 private:
  std::uint64_t shift_;
  std::shared_ptr<const ExpectedMemory> before_;
};

class Copy final : public Kernel {
 public:
  Copy(const KernelSetup& setup, const Buffer& from, const Buffer& to, const WalkParameters& walk, unsigned unroll,
       AccessOrder order)
      : Kernel(setup.shape),
        from_(from),
        to_(to),
        before_(setup.before),
        check_(from, setup.before, checks),
        lane_bytes_(static_cast<unsigned>(walk.lane_bytes)),
        unroll_(unroll),
        order_(order),
        plan_(walk.plan(setup.shape, from.size)) {}

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override {
    return std::make_unique<Program>(*this, cta, warp);
  }

  std::vector<ExpectedRange> final_state() const override {
    const std::string reason = before_->reason(from_.physical_address, from_.size);
    if (!reason.empty()) return {unknown_buffer(to_, reason)};
    ExpectedRange range = expected_buffer(to_, std::make_shared<CopySource>(from_, to_, before_));
    range.end = range.begin + from_.size;
    return {range};
  }

 private:
  /// Rounds of up to `unroll` loads, then their stores, each as soon as its load is back.
  class Program final : public WarpProgram {
   public:
    Program(Copy& kernel, std::uint32_t cta, unsigned warp)
        : kernel_(kernel),
          walk_(kernel.plan_, kernel.shape(), cta, warp),
          data_(new unsigned char[kernel.unroll_ * slot_bytes()]) {}

    WarpInstruction fetch() override {
      storing_ = storing_ && stored_ < loaded_;
      if (!storing_) {
        if (stored_ == loaded_) stored_ = loaded_ = 0;
        if (loaded_ < kernel_.unroll_ && walk_.next()) {
          element_[loaded_] = walk_.element();
          count_[loaded_] = static_cast<std::uint8_t>(walk_.count());
          current_ = loaded_++;
          return load_instruction(kernel_.order_, current_, scoreboard_bit(current_));
        }
        if (loaded_ == 0) return exit_instruction();
        storing_ = true;
      }
      current_ = stored_++;
      return store_instruction(kernel_.order_, scoreboard_bit(current_));
    }

    void operands(WarpLanes& lanes, unsigned char* data) override {
      const unsigned width = kernel_.lane_bytes_, bytes = count_[current_] * width;
      const Buffer& buffer = storing_ ? kernel_.to_ : kernel_.from_;
      fill_lanes(lanes, buffer.virtual_address + element_[current_] * width, count_[current_], width, width);
      if (storing_) {
        std::memcpy(data, slot(current_), bytes);
        ++kernel_.counters.stores;
        kernel_.counters.bytes_stored += bytes;
      } else {
        ++kernel_.counters.loads;
        kernel_.counters.bytes_loaded += bytes;
      }
    }

    void returned(const Payload& access) override {
      kernel_.check_.contiguous(access);
      const std::uint64_t element = (lanes_of(access).at(0) - kernel_.from_.virtual_address) / kernel_.lane_bytes_;
      for (unsigned s = 0; s < loaded_; ++s)
        if (element_[s] == element) std::memcpy(slot(s), access.get_data_ptr(), count_[s] * kernel_.lane_bytes_);
    }

   private:
    std::size_t slot_bytes() const { return std::size_t{kLanes} * kernel_.lane_bytes_; }
    unsigned char* slot(unsigned s) { return data_.get() + s * slot_bytes(); }

    Copy& kernel_;
    Walk walk_;
    unsigned loaded_ = 0, stored_ = 0, current_ = 0;
    bool storing_ = false;
    std::array<std::uint8_t, kMaxUnroll> count_{};
    std::array<std::uint64_t, kMaxUnroll> element_{};
    std::unique_ptr<unsigned char[]> data_;  // not cleared: only loaded slots are read
  };

  Buffer from_, to_;
  std::shared_ptr<const ExpectedMemory> before_;
  LoadCheck check_;
  unsigned lane_bytes_, unroll_;
  AccessOrder order_;
  WalkPlan plan_;
};

class CopyPattern final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("from", from_, "what is read");
    v.buffer("to", to_, "where it goes; at least as large");
    walk_.visit(v);
    visit_unroll(v, unroll_);
    hint_.visit(v);
  }
  void check(const PatternContext& context, PatternProblems& problems) const override {
    walk_.check(context, "from", from_, problems);
    if (context.size_of(to_) < context.size_of(from_))
      problems.add("to", "is smaller than the buffer it is copied from", format_bytes(context.size_of(to_)),
                   "at least " + format_bytes(context.size_of(from_)));
    if (context.same_memory(from_, to_)) problems.add("to", "is the memory that is copied from", to_, "another buffer");
  }
  std::vector<std::string> written() const override { return {to_}; }
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems& problems) const override {
    if (!check_unroll(unroll_, setup, problems)) return nullptr;
    return std::make_unique<Copy>(setup, setup.buffer(from_), setup.buffer(to_), walk_, static_cast<unsigned>(unroll_),
                                  hint_.order());
  }

 private:
  std::string from_, to_;
  WalkParameters walk_;
  std::uint64_t unroll_ = 4;
  HintParameter hint_;
};

}  // namespace

std::unique_ptr<Pattern> make_copy() {
  return std::make_unique<CopyPattern>();
}

}  // namespace gputlm
