// SPDX-License-Identifier: Apache-2.0
//
// c[i] = a[i] + b[i] in single precision, one element a thread (or a grid-stride loop where there are more): LDG, LDG,
// FADD, STG, as the compiler emits it for sm_89.
#include <array>
#include <cmath>
#include <cstring>

#include "gputlm/config/quantity.h"
#include "gputlm/workload/load_check.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/patterns/patterns.h"
#include "gputlm/workload/walk.h"

namespace gputlm {

namespace {

/// FADD: IEEE addition; a NaN result is the canonical one, whatever the operands' payloads.
std::uint32_t float_add(const unsigned char* a, const unsigned char* b) {
  float x = 0, y = 0;
  std::memcpy(&x, a, 4);
  std::memcpy(&y, b, 4);
  const float sum = x + y;
  std::uint32_t bits = 0x7fffffffU;
  if (!std::isnan(sum)) std::memcpy(&bits, &sum, 4);
  return bits;
}

/// The sum of what both operands held before, at the addresses of the result.
class SumSource final : public ByteSource {
 public:
  SumSource(const Buffer& a, const Buffer& b, const Buffer& c, std::shared_ptr<const ExpectedMemory> before)
      : a_(a.physical_address - c.virtual_address),
        b_(b.physical_address - c.virtual_address),
        before_(std::move(before)) {}

  void bytes(std::uint64_t address, std::size_t length, unsigned char* out) const override {
    for (std::size_t done = 0; done < length;) {
      const std::uint64_t at = address + done;
      const std::size_t lead = at & 3U, part = std::min<std::size_t>(4 - lead, length - done);
      unsigned char x[4], y[4];
      before_->bytes(at - lead + a_, 4, x);
      before_->bytes(at - lead + b_, 4, y);
      const std::uint32_t sum = float_add(x, y);
      std::memcpy(out + done, reinterpret_cast<const unsigned char*>(&sum) + lead, part);
      done += part;
    }
  }

 private:
  std::uint64_t a_, b_;
  std::shared_ptr<const ExpectedMemory> before_;
};

struct Cycles {
  double prologue, add;
};

class VectorAdd final : public Kernel {
 public:
  VectorAdd(const KernelSetup& setup, const Buffer& a, const Buffer& b, const Buffer& c, Cycles cycles,
            AccessOrder order)
      : Kernel(setup.shape),
        a_(a),
        b_(b),
        c_(c),
        before_(setup.before),
        check_a_(a, setup.before, checks),
        check_b_(b, setup.before, checks),
        plan_(WalkPlan::by_lane(setup.shape, c.size / 4, false, 1)),
        cycles_(cycles),
        order_(order) {}

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override {
    return std::make_unique<Program>(*this, cta, warp);
  }

  std::vector<ExpectedRange> final_state() const override {
    for (const Buffer* operand : {&a_, &b_}) {
      const std::string reason = before_->reason(operand->physical_address, operand->size);
      if (!reason.empty()) return {unknown_buffer(c_, reason)};
    }
    return {expected_buffer(c_, std::make_shared<SumSource>(a_, b_, c_, before_))};
  }

 private:
  class Program final : public WarpProgram {
   public:
    Program(VectorAdd& kernel, std::uint32_t cta, unsigned warp)
        : kernel_(kernel),
          walk_(kernel.plan_, kernel.shape(), cta, warp),
          step_(kernel.cycles_.prologue > 0 ? Step::prologue : Step::load_a) {}

    WarpInstruction fetch() override {
      now_ = step_;
      switch (step_) {
        case Step::prologue:
          step_ = Step::load_a;
          return compute_instruction(kernel_.cycles_.prologue, 0);
        case Step::load_a:
          if (!walk_.next()) return exit_instruction();
          step_ = Step::load_b;
          return load_instruction(kernel_.order_, 0, 0);
        case Step::load_b:
          step_ = Step::add;
          return load_instruction(kernel_.order_, 1, 0);
        case Step::add:
          step_ = Step::store;
          return compute_instruction(kernel_.cycles_.add, scoreboard_bit(0) | scoreboard_bit(1));
        case Step::store:
          step_ = Step::load_a;
          return store_instruction(kernel_.order_);
      }
      return exit_instruction();
    }

    void operands(WarpLanes& lanes, unsigned char* data) override {
      const Buffer& buffer = now_ == Step::load_a ? kernel_.a_ : now_ == Step::load_b ? kernel_.b_ : kernel_.c_;
      const unsigned count = walk_.count();
      fill_lanes(lanes, buffer.virtual_address + walk_.element() * 4, count, 4, 4);
      if (now_ == Step::store) {
        for (unsigned i = 0; i < count; ++i) {
          const std::uint32_t sum = float_add(operand_[0].data() + 4 * i, operand_[1].data() + 4 * i);
          std::memcpy(data + 4 * i, &sum, 4);
        }
        ++kernel_.counters.stores;
        kernel_.counters.bytes_stored += 4ULL * count;
      } else {
        ++kernel_.counters.loads;
        kernel_.counters.bytes_loaded += 4ULL * count;
      }
    }

    void returned(const Payload& access) override {
      const std::uint64_t address = lanes_of(access).at(0);
      const bool is_a = address - kernel_.a_.virtual_address < kernel_.a_.size;
      (is_a ? kernel_.check_a_ : kernel_.check_b_).contiguous(access);
      if (address == kernel_.a_.virtual_address + walk_.element() * 4) keep(0, access);
      if (address == kernel_.b_.virtual_address + walk_.element() * 4) keep(1, access);
    }

   private:
    enum class Step : std::uint8_t { prologue, load_a, load_b, add, store };

    void keep(unsigned operand, const Payload& access) {
      std::memcpy(operand_[operand].data(), access.get_data_ptr(), 4U * walk_.count());
    }

    VectorAdd& kernel_;
    Walk walk_;
    Step step_, now_ = Step::load_a;
    std::array<std::array<unsigned char, 4 * kLanes>, 2> operand_;  // filled by the loads before the store reads it
  };

  Buffer a_, b_, c_;
  std::shared_ptr<const ExpectedMemory> before_;
  LoadCheck check_a_, check_b_;
  WalkPlan plan_;
  Cycles cycles_;
  AccessOrder order_;
};

class VaddPattern final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("a", a_, "first operand, single-precision floats");
    v.buffer("b", b_, "second operand");
    v.buffer("c", c_, "result; as many elements as it holds are added");
    v.real("prologue_cycles", prologue_, 0, 1e6,
           "index arithmetic before the first load, core cycles: the stall counts in the compiler's sm_89 listing");
    v.real("add_cycles", add_, 1, 1e6, "stall count of the FADD before the dependent store, core cycles");
    hint_.visit(v);
  }
  void check(const PatternContext& context, PatternProblems& problems) const override {
    const std::uint64_t size = context.size_of(c_);
    if (size % 4 != 0) problems.add("c", "holds no whole number of floats", format_bytes(size), "a multiple of 4 B");
    for (const auto& [key, name] : {std::pair{"a", &a_}, std::pair{"b", &b_}}) {
      if (context.size_of(*name) < size)
        problems.add(key, "has fewer elements than the result", format_bytes(context.size_of(*name)),
                     "at least " + format_bytes(size));
      if (context.same_memory(*name, c_)) problems.add(key, "is the memory of the result", *name, "another buffer");
    }
  }
  std::vector<std::string> written() const override { return {c_}; }
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems& problems) const override {
    if (!check_unroll(2, setup, problems)) return nullptr;
    return std::make_unique<VectorAdd>(setup, setup.buffer(a_), setup.buffer(b_), setup.buffer(c_),
                                       Cycles{prologue_, add_}, hint_.order());
  }

 private:
  std::string a_, b_, c_;
  double prologue_ = 42, add_ = 5;
  HintParameter hint_;
};

}  // namespace

std::unique_ptr<Pattern> make_vadd() {
  return std::make_unique<VaddPattern>();
}

}  // namespace gputlm
