// SPDX-License-Identifier: Apache-2.0
//
// Warp instructions written out lane by lane: addresses, mask and, for stores, data. For experiments on the coalescer
// and on overlapping lanes.
#include <algorithm>
#include <array>
#include <map>

#include "gputlm/config/quantity.h"
#include "gputlm/workload/load_check.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"
#include "gputlm/workload/patterns/patterns.h"

namespace gputlm {

namespace {

using LaneBytes = std::array<unsigned char, kLanes * kMaxLaneBytes>;

/// Given bytes at their addresses, other bytes as before.
struct WrittenAt {
  std::map<std::uint64_t, unsigned char> bytes;

  bool operator()(std::uint64_t address) const { return bytes.count(address) != 0; }
};

class WrittenSource final : public ByteSource {
 public:
  explicit WrittenSource(WrittenAt written) : written_(std::move(written)) {}
  void bytes(std::uint64_t address, std::size_t length, unsigned char* out) const override {
    for (std::size_t i = 0; i < length; ++i) {
      const auto at = written_.bytes.find(address + i);
      out[i] = at == written_.bytes.end() ? 0 : at->second;
    }
  }

 private:
  WrittenAt written_;
};

class Lanes final : public Kernel {
 public:
  Lanes(const KernelSetup& setup, const Buffer& buffer, std::vector<LaneAccess> accesses)
      : Kernel(setup.shape),
        buffer_(buffer),
        seed_(setup.seed),
        accesses_(std::move(accesses)),
        before_(setup.before),
        stores_(std::any_of(accesses_.begin(), accesses_.end(), is_store)),
        followed_(shape().warps() == 1 || !stores_) {
    if (followed_ && before_->determinate(buffer.physical_address, buffer.size)) follow();
  }

  std::unique_ptr<WarpProgram> make_program(std::uint32_t, unsigned warp) override {
    return std::make_unique<Program>(*this, warp);
  }

  std::vector<ExpectedRange> final_state() const override {
    if (!stores_) return {};
    if (!followed_) return {unknown_buffer(buffer_, shape().name + ": several warps store to the same lanes' places")};
    return {partly_written_buffer(buffer_, before_, std::make_shared<WrittenSource>(written_), written_)};
  }

 private:
  static bool is_store(const LaneAccess& a) { return a.operation == Operation::store; }

  void store_data(const LaneAccess& a, unsigned lane, unsigned char* out) const {
    if (a.values.empty()) {
      fill_pattern(buffer_.virtual_address + a.offsets[lane], a.lane_bytes, seed_, out);
      return;
    }
    for (unsigned i = 0; i < a.lane_bytes; ++i)
      out[i] = i < 8 ? static_cast<unsigned char>(a.values[lane] >> (8 * i)) : std::uint8_t{0};
  }

  /// Works out in program order what every load must return and what the stores leave: of lanes that overlap, the
  /// highest one's byte stays.
  void follow() {
    for (const LaneAccess& a : accesses_) {
      LaneBytes data{};
      for (unsigned lane = 0; lane < a.offsets.size(); ++lane) {
        if ((a.active >> lane & 1U) == 0) continue;
        const std::uint64_t address = buffer_.virtual_address + a.offsets[lane];
        unsigned char* const bytes = data.data() + std::size_t{lane} * a.lane_bytes;
        if (is_store(a)) {
          store_data(a, lane, bytes);
          for (unsigned i = 0; i < a.lane_bytes; ++i) written_.bytes[address + i] = bytes[i];
        } else {
          before_->bytes(buffer_.physical(address), a.lane_bytes, bytes);
          for (unsigned i = 0; i < a.lane_bytes; ++i)
            if (written_(address + i)) bytes[i] = written_.bytes[address + i];
        }
      }
      expected_.push_back(data);
    }
  }

  class Program final : public WarpProgram {
   public:
    Program(Lanes& kernel, unsigned warp) : kernel_(kernel), lanes_(lane_mask(kernel.shape().lanes_of(warp))) {}

    WarpInstruction fetch() override {
      const std::uint8_t wait = wait_ ? scoreboard_bit(0) : std::uint8_t{0};
      if (next_ == kernel_.accesses_.size()) return exit_instruction();
      const LaneAccess& a = kernel_.accesses_[next_++];
      wait_ = a.operation == Operation::load && a.wait;
      const AccessOrder order{a.semantics, a.scope, a.eviction};
      if (a.operation == Operation::fence) {
        ++kernel_.counters.fences;
        WarpInstruction fence = fence_instruction(order);
        fence.wait_scoreboards = wait;
        return fence;
      }
      return is_store(a) ? store_instruction(order, wait) : load_instruction(order, 0, scoreboard_bit(0));
    }

    void operands(WarpLanes& lanes, unsigned char* data) override {
      const LaneAccess& a = kernel_.accesses_[next_ - 1];
      lanes.active = a.active & lanes_;
      lanes.lane_bytes = a.lane_bytes;
      for (unsigned i = 0; i < a.offsets.size(); ++i) {
        lanes.address[i] = kernel_.buffer_.virtual_address + a.offsets[i];
        if (is_store(a)) kernel_.store_data(a, i, data + std::size_t{i} * a.lane_bytes);
      }
      const std::uint64_t bytes = static_cast<std::uint64_t>(__builtin_popcount(lanes.active)) * a.lane_bytes;
      if (is_store(a)) {
        ++kernel_.counters.stores;
        kernel_.counters.bytes_stored += bytes;
      } else {
        loading_ = next_ - 1;
        ++kernel_.counters.loads;
        kernel_.counters.bytes_loaded += bytes;
      }
    }

    void returned(const Payload& access) override {
      if (kernel_.expected_.empty()) return;
      const WarpLanes& l = gputlm::lanes_of(access);
      const unsigned char* const expected = kernel_.expected_[loading_].data();
      for (unsigned i = 0; i < kLanes; ++i)
        if ((l.active >> i & 1U) != 0)
          kernel_.checks.compare(l.address[i], expected + std::size_t{i} * l.lane_bytes,
                                 access.get_data_ptr() + std::size_t{i} * l.lane_bytes, l.lane_bytes,
                                 origin_of(access));
    }

   private:
    Lanes& kernel_;
    std::uint32_t lanes_;
    std::size_t next_ = 0, loading_ = 0;
    bool wait_ = false;
  };

  Buffer buffer_;
  std::uint64_t seed_;
  std::vector<LaneAccess> accesses_;
  std::shared_ptr<const ExpectedMemory> before_;
  bool stores_, followed_;
  std::vector<LaneBytes> expected_;  ///< Per access; empty when the loads are not judged here.
  WrittenAt written_;
};

class LanesPattern final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "what the lanes' offsets count from");
    v.accesses("accesses", accesses_,
               "warp instructions in order: operation (load, store, fence), lane_bytes, offsets (one a lane), active "
               "(lane mask), values (store data, one a lane), semantics, scope, eviction, wait (default true: a load "
               "is back before the next instruction)");
  }

  void check(const PatternContext& context, PatternProblems& problems) const override {
    const std::uint64_t size = context.size_of(buffer_);
    for (const LaneAccess& a : accesses_)
      for (const std::uint64_t offset : a.offsets)
        if (size < a.lane_bytes || offset > size - a.lane_bytes || offset % a.lane_bytes != 0)
          problems.add("accesses", "a lane's place is not in buffer " + buffer_ + " or not aligned", format_hex(offset),
                       "a multiple of " + format_bytes(a.lane_bytes) + " within " + format_bytes(size));
  }

  std::vector<std::string> written() const override {
    const bool stores = std::any_of(accesses_.begin(), accesses_.end(),
                                    [](const LaneAccess& a) { return a.operation == Operation::store; });
    return stores ? std::vector<std::string>{buffer_} : std::vector<std::string>{};
  }

  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    std::vector<LaneAccess> accesses = accesses_;
    for (LaneAccess& a : accesses) a.active &= lane_mask(setup.shape.lanes_of(0));
    return std::make_unique<Lanes>(setup, setup.buffer(buffer_), std::move(accesses));
  }

 private:
  std::string buffer_;
  std::vector<LaneAccess> accesses_;
};

}  // namespace

std::unique_ptr<Pattern> make_lanes() {
  return std::make_unique<LanesPattern>();
}

}  // namespace gputlm
