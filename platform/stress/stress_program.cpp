// SPDX-License-Identifier: Apache-2.0
#include "gputlm/stress/stress_program.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "gputlm/workload/built_pattern.h"
#include "gputlm/workload/instructions.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"

namespace gputlm {
namespace {

constexpr const char* kMemory = "memory";
constexpr const char* kAliases = "aliases";

/// Virtual addresses of the memory and of its second range.
struct Bases {
  std::uint64_t memory = 0, aliases = 0;
};

class StressProgram final : public WarpProgram {
 public:
  StressProgram(const StressWarp& warp, const Bases& bases, std::uint64_t memory, std::uint64_t key)
      : warp_(warp), bases_(bases), memory_(memory), key_(key) {}

  WarpInstruction fetch() override {
    using Kind = StressInstruction::Kind;
    if (next_ == warp_.instructions.size()) return exit_instruction();
    const StressInstruction& i = warp_.instructions[next_++];
    // Each hint in turn: what it does to L2 is nobody's to see but through time.
    const AccessOrder order{i.semantics, i.scope, static_cast<EvictionClass>(next_ % 3)};
    const std::uint8_t wait = i.wait ? std::uint8_t{0x3} : std::uint8_t{0};
    WarpInstruction w = store_instruction(order, wait);
    if (i.kind == Kind::load || i.kind == Kind::atomic) w = load_instruction(order, next_ % 2, wait);
    if (i.kind == Kind::atomic) w.operation = Operation::atomic;
    if (i.kind == Kind::reduction) w.operation = Operation::reduction;
    if (i.kind == Kind::fence) w = fence_instruction(order);
    if (i.kind == Kind::barrier) w.kind = WarpInstruction::Kind::cta_barrier;
    w.function = i.function;
    w.wait_scoreboards = wait;
    w.stall_cycles = i.stall;
    return w;
  }

  void operands(WarpLanes& lanes, unsigned char* data) override {
    const StressInstruction& i = warp_.instructions[next_ - 1];
    const std::uint64_t base = i.alias ? bases_.aliases : bases_.memory;
    lanes.active = i.active;
    lanes.lane_bytes = static_cast<std::uint8_t>(i.lane_bytes);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      lanes.address[lane] = base + (i.at + lane * i.step) % memory_ / i.lane_bytes * i.lane_bytes;
    if (i.kind == StressInstruction::Kind::load) return;
    for (unsigned word = 0; word < kLanes * kMaxLaneBytes / 8; ++word) {
      const std::uint64_t value = mix64(word, mix64(next_, key_));
      std::memcpy(data + std::size_t{8} * word, &value, 8);
    }
  }

  void returned(const Payload&) override {}

 private:
  const StressWarp& warp_;
  const Bases bases_;
  const std::uint64_t memory_, key_;
  std::size_t next_ = 0;
};

using Warps = std::vector<const StressWarp*>;

class StressKernel final : public Kernel {
 public:
  StressKernel(const KernelSetup& setup, Warps warps, std::uint64_t memory)
      : Kernel(setup.shape),
        warps_(std::move(warps)),
        memory_(memory),
        bases_{setup.buffer(kMemory).virtual_address, setup.buffer(kAliases).virtual_address},
        left_{unknown_buffer(setup.buffer(kMemory), "random programs race for it")} {}

  std::unique_ptr<WarpProgram> make_program(std::uint32_t, unsigned warp) override {
    return std::make_unique<StressProgram>(*warps_[warp], bases_, memory_, mix64(warp, shape().number));
  }
  std::vector<ExpectedRange> final_state() const override { return left_; }

 private:
  Warps warps_;
  std::uint64_t memory_;
  Bases bases_;
  std::vector<ExpectedRange> left_;
};

class StressPattern final : public BuiltPattern {
 public:
  StressPattern(Warps warps, std::uint64_t memory) : BuiltPattern(kMemory), warps_(std::move(warps)), memory_(memory) {}
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    return std::make_unique<StressKernel>(setup, warps_, memory_);
  }

 private:
  Warps warps_;
  std::uint64_t memory_;
};

PhaseSpec make_phase(const StressCase& c, std::uint32_t& kernels) {
  std::map<std::pair<unsigned, unsigned>, Warps> ctas;
  for (const StressWarp& w : c.warps) ctas[{w.sm, w.cta}].push_back(&w);
  PhaseSpec phase;
  phase.name = "stress";
  for (const auto& [place, warps] : ctas) {
    KernelSpec k;
    k.shape.name = "SM " + std::to_string(place.first) + " CTA " + std::to_string(place.second);
    k.shape.number = kernels++;
    k.shape.block = static_cast<unsigned>(warps.size()) * kLanes;
    k.sms = {one_sm(place.first)};
    k.pattern = std::make_shared<StressPattern>(warps, c.memory);
    phase.kernels.push_back(std::move(k));
  }
  return phase;
}

}  // namespace

Experiment make_stress_experiment(const std::vector<StressCase>& cases) {
  Experiment e;
  e.name = "stress";
  BufferSpec memory;
  memory.name = kMemory;
  for (const StressCase& c : cases) memory.size = std::max(memory.size, c.memory);
  e.buffers.push_back(memory);
  memory.name = kAliases;
  memory.alias_of = kMemory;
  e.buffers.push_back(memory);
  ImageSpec image;
  image.buffer = kMemory;
  image.kind = ImageSpec::Kind::pattern;
  e.images.push_back(image);
  std::uint32_t kernels = 0;
  for (const StressCase& c : cases) e.phases.push_back(make_phase(c, kernels));
  return e;
}

}  // namespace gputlm
