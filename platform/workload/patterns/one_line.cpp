// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/patterns/one_line.h"

#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"

namespace gputlm {

class OneLine::Program final : public WarpProgram {
 public:
  Program(OneLine& kernel, unsigned lanes) : kernel_(kernel), lanes_(lanes) {}

  WarpInstruction fetch() override {
    if (done_ == kernel_.p_.count) return exit_instruction();
    ++done_;
    return kernel_.p_.store ? store_instruction(kernel_.p_.order)
                            : load_instruction(kernel_.p_.order, 0, scoreboard_bit(0));
  }

  void operands(WarpLanes& lanes, unsigned char* data) override {
    const unsigned width = kernel_.p_.lane_bytes, bytes = lanes_ * width;
    fill_lanes(lanes, kernel_.first(), lanes_, width, width);
    if (kernel_.p_.store) {
      fill_pattern(kernel_.first(), bytes, kernel_.data_seed(done_ - 1), data);
      ++kernel_.counters.stores;
      kernel_.counters.bytes_stored += bytes;
    } else {
      ++kernel_.counters.loads;
      kernel_.counters.bytes_loaded += bytes;
    }
  }

  void returned(const Payload& access) override { kernel_.check_.contiguous(access); }

 private:
  OneLine& kernel_;
  unsigned lanes_;
  std::uint64_t done_ = 0;
};

OneLine::OneLine(const KernelSetup& setup, const Buffer& buffer, const OneLineParameters& parameters)
    : Kernel(setup.shape),
      p_(parameters),
      buffer_(buffer),
      seed_(setup.seed),
      before_(setup.before),
      check_(buffer, setup.before, checks) {}

std::uint64_t OneLine::data_seed(std::uint64_t access) const {
  return p_.vary ? mix64(access, seed_) : seed_;
}

std::unique_ptr<WarpProgram> OneLine::make_program(std::uint32_t, unsigned warp) {
  return std::make_unique<Program>(*this, shape().lanes_of(warp));
}

std::vector<ExpectedRange> OneLine::final_state() const {
  if (!p_.store) return {};
  if (p_.vary && shape().warps() > 1)
    return {unknown_buffer(buffer_, shape().name + ": the last of several warps' stores is open")};
  const std::uint64_t end = first() + std::uint64_t{shape().lanes_of(0)} * p_.lane_bytes;
  const auto written = [begin = first(), end](std::uint64_t address) { return address >= begin && address < end; };
  return {partly_written_buffer(buffer_, before_, std::make_shared<PatternSource>(data_seed(p_.count - 1)), written)};
}

}  // namespace gputlm
