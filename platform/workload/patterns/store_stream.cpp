// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/patterns/store_stream.h"

#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"

namespace gputlm {

class StoreStream::Program final : public WarpProgram {
 public:
  Program(StoreStream& kernel, std::uint32_t cta, unsigned warp)
      : kernel_(kernel), walk_(kernel.plan_, kernel.shape(), cta, warp) {}

  WarpInstruction fetch() override {
    if (kernel_.fences_.every != 0 && since_fence_ == kernel_.fences_.every) {
      since_fence_ = 0;
      ++kernel_.counters.fences;
      return fence_instruction(kernel_.fences_.order);
    }
    if (!walk_.next()) return exit_instruction();
    ++since_fence_;
    return store_instruction(kernel_.order_);
  }

  void operands(WarpLanes& lanes, unsigned char* data) override {
    const unsigned width = kernel_.lane_bytes_;
    const std::uint64_t address = kernel_.buffer_.virtual_address + walk_.element() * width;
    const unsigned length = walk_.count() * width;
    fill_lanes(lanes, address, walk_.count(), width, width);
    fill_pattern(address, length, kernel_.seed_, data);
    ++kernel_.counters.stores;
    kernel_.counters.bytes_stored += length;
  }

  void returned(const Payload&) override {}

 private:
  StoreStream& kernel_;
  Walk walk_;
  std::uint64_t since_fence_ = 0;
};

StoreStream::StoreStream(const KernelSetup& setup, const std::string& buffer, const WalkParameters& walk,
                         AccessOrder order, Fences fences)
    : Kernel(setup.shape),
      buffer_(setup.buffer(buffer)),
      seed_(setup.seed),
      lane_bytes_(static_cast<unsigned>(walk.lane_bytes)),
      plan_(walk.plan(setup.shape, buffer_.size)),
      order_(order),
      fences_(fences) {}

std::unique_ptr<WarpProgram> StoreStream::make_program(std::uint32_t cta, unsigned warp) {
  return std::make_unique<Program>(*this, cta, warp);
}

std::vector<ExpectedRange> StoreStream::final_state() const {
  return {expected_buffer(buffer_, std::make_shared<PatternSource>(seed_))};
}

}  // namespace gputlm
