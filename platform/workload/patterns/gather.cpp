// SPDX-License-Identifier: Apache-2.0
//
// Chosen places, loaded or stored at the rate that the chip allows: lines of some slices, of one controller, of a row.
#include <algorithm>
#include <utility>

#include "gputlm/workload/load_check.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"
#include "gputlm/workload/patterns/patterns.h"
#include "gputlm/workload/places.h"
#include "gputlm/workload/walk.h"

namespace gputlm {

namespace {

struct GatherParameters {
  std::vector<std::uint64_t> places;
  unsigned lane_bytes = 4, width = 4;  ///< Of a lane, and of what a place holds.
  std::uint64_t repeat = 1;
  unsigned unroll = 1;
  bool together = false, store = false;
  AccessOrder order;
};

/// True for bytes of the sorted places.
struct InPlaces {
  std::vector<std::uint64_t> places;
  std::uint64_t width;

  bool operator()(std::uint64_t address) const {
    const auto after = std::upper_bound(places.begin(), places.end(), address);
    return after != places.begin() && address - *(after - 1) < width;
  }
};

class Gather final : public Kernel {
 public:
  Gather(const KernelSetup& setup, const Buffer& buffer, GatherParameters p)
      : Kernel(setup.shape),
        buffer_(buffer),
        seed_(setup.seed),
        p_(std::move(p)),
        before_(setup.before),
        check_(buffer, setup.before, checks),
        plan_(p_.together ? WalkPlan::by_warp(shape(), p_.places.size(), p_.repeat)
                          : WalkPlan::by_lane(shape(), p_.places.size(), false, p_.repeat)) {}

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override {
    return std::make_unique<Program>(*this, cta, warp);
  }

  std::vector<ExpectedRange> final_state() const override {
    if (!p_.store) return {};
    InPlaces written{p_.places, p_.width};
    for (std::uint64_t& place : written.places) place += buffer_.virtual_address;
    std::sort(written.places.begin(), written.places.end());
    return {partly_written_buffer(buffer_, before_, std::make_shared<PatternSource>(seed_), std::move(written))};
  }

 private:
  class Program final : public WarpProgram {
   public:
    Program(Gather& kernel, std::uint32_t cta, unsigned warp)
        : kernel_(kernel), walk_(kernel.plan_, kernel.shape(), cta, warp), lanes_(kernel.shape().lanes_of(warp)) {}

    WarpInstruction fetch() override {
      if (!walk_.next()) return exit_instruction();
      if (kernel_.p_.store) return store_instruction(kernel_.p_.order);
      return loads_.next(kernel_.p_.order, kernel_.p_.unroll);
    }

    void operands(WarpLanes& lanes, unsigned char* data) override {
      const GatherParameters& p = kernel_.p_;
      const unsigned count = p.together ? lanes_ : walk_.count();
      lanes.active = lane_mask(count);
      lanes.lane_bytes = static_cast<std::uint8_t>(p.lane_bytes);
      for (unsigned i = 0; i < count; ++i) {
        const std::uint64_t place = p.places[static_cast<std::size_t>(walk_.element() + (p.together ? 0 : i))];
        lanes.address[i] = kernel_.buffer_.virtual_address + place + (p.together ? i * p.lane_bytes : 0);
        if (p.store) fill_pattern(lanes.address[i], p.lane_bytes, kernel_.seed_, data + std::size_t{i} * p.lane_bytes);
      }
      const std::uint64_t bytes = std::uint64_t{count} * p.lane_bytes;
      ++(p.store ? kernel_.counters.stores : kernel_.counters.loads);
      (p.store ? kernel_.counters.bytes_stored : kernel_.counters.bytes_loaded) += bytes;
    }

    void returned(const Payload& access) override { kernel_.check_.lanes(access); }

   private:
    Gather& kernel_;
    Walk walk_;
    unsigned lanes_;
    UnrolledLoads loads_;
  };

  Buffer buffer_;
  std::uint64_t seed_;
  GatherParameters p_;
  std::shared_ptr<const ExpectedMemory> before_;
  LoadCheck check_;
  WalkPlan plan_;
};

class GatherPattern final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "where the places lie");
    visit_operation(v, operation_);
    places_.visit(v);
    visit_lane_bytes(v, lane_bytes_, kMaxLaneBytes);
    v.boolean("together", together_, "a warp's lanes lie side by side at one place; else each lane has its own");
    visit_repeat(v, repeat_);
    visit_unroll(v, unroll_);
    order_.visit_both(v);
  }

  void check(const PatternContext& context, PatternProblems& problems) const override {
    if (!check_lane_bytes(lane_bytes_, problems)) return;
    const std::uint64_t lanes = std::min<std::uint64_t>(context.shape.block, kLanes);
    places_.check(context, buffer_, together_ ? lanes * lane_bytes_ : lane_bytes_, lane_bytes_, problems);
  }

  std::vector<std::string> written() const override {
    return operation_ == "store" ? std::vector<std::string>{buffer_} : std::vector<std::string>{};
  }

  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems& problems) const override {
    if (operation_ == "load" && !check_unroll(unroll_, setup, problems)) return nullptr;
    const Buffer& buffer = setup.buffer(buffer_);
    GatherParameters p;
    p.lane_bytes = static_cast<unsigned>(lane_bytes_);
    p.width = p.lane_bytes * (together_ ? std::min(setup.shape.block, kLanes) : 1U);
    p.places = places_.make(buffer.size, p.width, setup.seed);
    p.repeat = repeat_;
    p.unroll = static_cast<unsigned>(unroll_);
    p.together = together_;
    p.store = operation_ == "store";
    p.order = order_.order();
    return std::make_unique<Gather>(setup, buffer, std::move(p));
  }

 private:
  std::string buffer_, operation_ = "load";
  PlacesParameters places_;
  std::uint64_t lane_bytes_ = 4, repeat_ = 1, unroll_ = 4;
  bool together_ = false;
  OrderParameters order_;
};

}  // namespace

std::unique_ptr<Pattern> make_gather() {
  return std::make_unique<GatherPattern>();
}

}  // namespace gputlm
