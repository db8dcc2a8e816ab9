// SPDX-License-Identifier: Apache-2.0
//
// Seeded random places, in pieces of a lane, a sector or a line; loads and stores in any proportion.
#include <algorithm>

#include "gputlm/config/quantity.h"
#include "gputlm/workload/load_check.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"
#include "gputlm/workload/patterns/patterns.h"

namespace gputlm {

namespace {

struct Shared {
  Buffer buffer;
  std::uint64_t seed;
  std::uint64_t accesses;        ///< Per warp.
  std::uint64_t store_limit;     ///< An access stores when the top 32 bits of its number are below this.
  unsigned lane_bytes, granule;  ///< Bytes.
  unsigned together;             ///< Lanes that share a place.
  unsigned unroll;
  bool vary;
  AccessOrder order;

  std::uint64_t places() const { return buffer.size / granule; }
};

/// The choices of one warp, the same each time they are asked for.
class Choices {
 public:
  Choices(const Shared& shared, std::uint64_t warp) : shared_(shared), key_(mix64(warp, shared.seed)) {}

  bool stores(std::uint64_t access) const { return mix64(access, key_) >> 32 < shared_.store_limit; }
  /// Byte offset of the n-th place of an access.
  std::uint64_t offset(std::uint64_t access, unsigned n) const {
    return mix64(access * kLanes + n, ~key_) % shared_.places() * shared_.granule;
  }
  /// Seed of an access's data.
  std::uint64_t data_seed(std::uint64_t access) const { return shared_.vary ? mix64(access, key_ + 1) : shared_.seed; }

 private:
  const Shared& shared_;
  std::uint64_t key_;
};

class Random final : public Kernel {
 public:
  Random(const KernelSetup& setup, const Shared& shared)
      : Kernel(setup.shape), shared_(shared), before_(setup.before), check_(shared.buffer, setup.before, checks) {}

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override {
    return std::make_unique<Program>(*this, cta, warp);
  }

  std::vector<ExpectedRange> final_state() const override {
    if (shared_.store_limit == 0) return {};
    if (shared_.vary) return {unknown_buffer(shared_.buffer, shape().name + ": random stores of varying data race")};
    const auto written = [places = written_places(), base = shared_.buffer.virtual_address, granule = shared_.granule](
                             std::uint64_t address) { return (*places)[(address - base) / granule]; };
    return {partly_written_buffer(shared_.buffer, before_, std::make_shared<PatternSource>(shared_.seed), written)};
  }

 private:
  class Program final : public WarpProgram {
   public:
    Program(Random& kernel, std::uint32_t cta, unsigned warp)
        : kernel_(kernel),
          choices_(kernel.shared_, std::uint64_t{cta} * kernel.shape().warps_per_cta() + warp),
          lanes_(kernel.shape().lanes_of(warp)) {}

    WarpInstruction fetch() override {
      if (next_ == kernel_.shared_.accesses) return exit_instruction();
      const std::uint64_t access = next_++;
      if (choices_.stores(access)) return store_instruction(kernel_.shared_.order);
      return loads_.next(kernel_.shared_.order, kernel_.shared_.unroll);
    }

    void operands(WarpLanes& lanes, unsigned char* data) override {
      const Shared& s = kernel_.shared_;
      const std::uint64_t access = next_ - 1;
      const unsigned width = s.lane_bytes, together = s.together;
      const bool stores = choices_.stores(access);
      const std::uint64_t seed = choices_.data_seed(access);
      lanes.active = lane_mask(lanes_);
      lanes.lane_bytes = static_cast<std::uint8_t>(width);
      for (unsigned first = 0; first < lanes_; first += together) {
        const std::uint64_t place = s.buffer.virtual_address + choices_.offset(access, first);
        for (unsigned i = 0; i < together; ++i) lanes.address[first + i] = place + i * width;
        if (stores) fill_pattern(place, s.granule, seed, data + first * width);
      }
      const std::uint64_t bytes = std::uint64_t{lanes_} * width;
      if (stores)
        ++kernel_.counters.stores, kernel_.counters.bytes_stored += bytes;
      else
        ++kernel_.counters.loads, kernel_.counters.bytes_loaded += bytes;
    }

    void returned(const Payload& access) override {
      const Shared& s = kernel_.shared_;
      if (s.store_limit == 0)
        kernel_.check_.lanes(access);
      else if (!s.vary)
        kernel_.check_.lanes_or_pattern(access, s.seed);
    }

   private:
    Random& kernel_;
    Choices choices_;
    unsigned lanes_;
    UnrolledLoads loads_;
    std::uint64_t next_ = 0;
  };

  /// Which places some store hits, found by making every warp's choices again.
  std::shared_ptr<const std::vector<bool>> written_places() const {
    auto places = std::make_shared<std::vector<bool>>(shared_.places());
    for (std::uint64_t w = 0; w < shape().warps(); ++w) {
      const Choices choices(shared_, w);
      const unsigned lanes = shape().lanes_of(static_cast<unsigned>(w % shape().warps_per_cta()));
      for (std::uint64_t a = 0; a < shared_.accesses; ++a)
        if (choices.stores(a))
          for (unsigned i = 0; i < lanes; i += shared_.together)
            (*places)[choices.offset(a, i) / shared_.granule] = true;
    }
    return places;
  }

  Shared shared_;
  std::shared_ptr<const ExpectedMemory> before_;
  LoadCheck check_;
};

class RandomPattern final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "where the places lie");
    v.choice("granule", granule_, {"lane", "sector", "line"}, "what is placed at random: a lane's, 32 or 128 bytes");
    visit_lane_bytes(v, lane_bytes_, kMaxLaneBytes);
    v.count("accesses", accesses_, 1, kMaxRounds, "warp accesses per warp");
    v.real("stores", stores_, 0, 1, "share of the accesses that store");
    v.boolean("vary", vary_, "data differ from store to store of one place: left to the scoreboard");
    visit_unroll(v, unroll_);
    order_.visit_both(v);
  }

  void check(const PatternContext& context, PatternProblems& problems) const override {
    if (!check_lane_bytes(lane_bytes_, problems)) return;
    check_work(context.shape.warps(), "accesses", accesses_, problems);
    const std::uint64_t accesses = context.shape.warps() * accesses_;
    if (stores_ > 0 && accesses <= kMaxRounds) check_ahead("accesses", accesses, problems);
    const std::uint64_t size = context.size_of(buffer_);
    if (size % granule_bytes() != 0)
      problems.add("buffer", "the buffer's size is no multiple of the granule", format_bytes(size),
                   "a multiple of " + format_bytes(granule_bytes()));
    const std::uint64_t lanes = granule_bytes() / std::max<std::uint64_t>(lane_bytes_, 1);
    if (lanes > kLanes || context.shape.block % std::max<std::uint64_t>(lanes, 1) != 0)
      problems.add("granule", "the lanes of a warp do not make whole granules", granule_,
                   "block a multiple of granule / lane_bytes, at most 32");
  }

  std::vector<std::string> written() const override {
    return stores_ > 0 ? std::vector<std::string>{buffer_} : std::vector<std::string>{};
  }

  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems& problems) const override {
    if (!check_unroll(unroll_, setup, problems)) return nullptr;
    Shared s{setup.buffer(buffer_), setup.seed, accesses_, 0, 0, 0, 1, 0, vary_, order_.order()};
    s.store_limit = static_cast<std::uint64_t>(stores_ * 4294967296.0);
    s.lane_bytes = static_cast<unsigned>(lane_bytes_);
    s.granule = static_cast<unsigned>(granule_bytes());
    s.together = s.granule / s.lane_bytes;
    s.unroll = static_cast<unsigned>(unroll_);
    return std::make_unique<Random>(setup, s);
  }

 private:
  std::uint64_t granule_bytes() const {
    return granule_ == "lane" ? lane_bytes_ : granule_ == "sector" ? kSectorBytes : kLineBytes;
  }

  std::string buffer_, granule_ = "sector";
  std::uint64_t lane_bytes_ = 4, accesses_ = 64, unroll_ = 4;
  double stores_ = 0.5;
  bool vary_ = false;
  OrderParameters order_;
};

}  // namespace

std::unique_ptr<Pattern> make_random() {
  return std::make_unique<RandomPattern>();
}

}  // namespace gputlm
