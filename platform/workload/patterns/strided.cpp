// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/patterns/strided.h"

#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"

namespace gputlm {

class Strided::Program final : public WarpProgram {
 public:
  Program(Strided& kernel, std::uint32_t cta, unsigned warp)
      : kernel_(kernel), walk_(kernel.plan_, kernel.shape(), cta, warp) {}

  WarpInstruction fetch() override {
    if (!walk_.next()) return exit_instruction();
    if (kernel_.p_.store) return store_instruction(kernel_.p_.order);
    return loads_.next(kernel_.p_.order, kernel_.p_.unroll);
  }

  void operands(WarpLanes& lanes, unsigned char* data) override {
    const StridedParameters& p = kernel_.p_;
    const std::uint64_t address = kernel_.buffer_.virtual_address + p.offset + walk_.element() * p.stride;
    fill_lanes(lanes, address, walk_.count(), p.lane_bytes, p.stride);
    const std::uint64_t bytes = std::uint64_t{walk_.count()} * p.lane_bytes;
    if (p.store) {
      fill_pattern_lanes(address, p.stride, walk_.count(), p.lane_bytes, kernel_.seed_, data);
      ++kernel_.counters.stores;
      kernel_.counters.bytes_stored += bytes;
    } else {
      ++kernel_.counters.loads;
      kernel_.counters.bytes_loaded += bytes;
    }
  }

  void returned(const Payload& access) override { kernel_.check_.lanes(access); }

 private:
  Strided& kernel_;
  Walk walk_;
  UnrolledLoads loads_;
};

Strided::Strided(const KernelSetup& setup, const StridedParameters& parameters)
    : Kernel(setup.shape),
      p_(parameters),
      buffer_(setup.buffer(parameters.buffer)),
      seed_(setup.seed),
      before_(setup.before),
      check_(buffer_, setup.before, checks),
      plan_(WalkPlan::by_lane(setup.shape, parameters.elements(buffer_.size), parameters.blocked, parameters.repeat)) {}

std::unique_ptr<WarpProgram> Strided::make_program(std::uint32_t cta, unsigned warp) {
  return std::make_unique<Program>(*this, cta, warp);
}

std::vector<ExpectedRange> Strided::final_state() const {
  if (!p_.store) return {};
  const std::uint64_t first = buffer_.virtual_address + p_.offset;
  const std::uint64_t end = first + (plan_.elements - 1) * p_.stride + p_.lane_bytes;
  const auto written = [first, end, stride = p_.stride, width = p_.lane_bytes](std::uint64_t address) {
    return address >= first && address < end && (address - first) % stride < width;
  };
  return {partly_written_buffer(buffer_, before_, std::make_shared<PatternSource>(seed_), written)};
}

}  // namespace gputlm
