// SPDX-License-Identifier: Apache-2.0
//
// Every line of a buffer is stored under a byte mask, given or drawn anew for each line. A warp takes the units (bytes,
// or the widest aligned words that the mask is made of) of one line, one a lane, lowest first.
#include "gputlm/config/quantity.h"
#include "gputlm/tlm/byte_mask.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"
#include "gputlm/workload/patterns/patterns.h"
#include "gputlm/workload/walk.h"

namespace gputlm {

namespace {

/// The mask of each line.
struct LineMasks {
  bool random = true;
  ByteMask fixed;
  std::uint64_t seed = 0;
  std::uint64_t limit = 0;  ///< Random: a byte is in when 16 bits of its number are below this (of 65,536).

  ByteMask of(std::uint64_t line) const {
    if (!random) return fixed;
    ByteMask mask;
    for (unsigned byte = 0; byte < kLineBytes; byte += 4) {
      const std::uint64_t bits = mix64(line + byte, seed);
      for (unsigned i = 0; i < 4; ++i)
        if ((bits >> (16 * i) & 0xffffU) < limit) mask.set(byte + i);
    }
    return mask;
  }
};

/// The widest register width (at most 4 bytes) of whose aligned words the mask is made.
unsigned unit_of(ByteMask mask) {
  for (const unsigned width : {4U, 2U}) {
    bool whole = true;
    for (unsigned byte = 0; byte < kLineBytes; ++byte)
      whole = whole && mask.test(byte) == mask.test(byte - byte % width);
    if (whole) return width;
  }
  return 1;
}

class ByteMasks final : public Kernel {
 public:
  ByteMasks(const KernelSetup& setup, const Buffer& buffer, const LineMasks& masks, std::uint64_t repeat,
            AccessOrder order)
      : Kernel(setup.shape),
        buffer_(buffer),
        seed_(setup.seed),
        masks_(masks),
        unit_(masks.random ? 1 : unit_of(masks.fixed)),
        order_(order),
        before_(setup.before),
        plan_(WalkPlan::by_warp(setup.shape, buffer.size / kLineBytes, repeat)) {}

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override {
    return std::make_unique<Program>(*this, cta, warp);
  }

  std::vector<ExpectedRange> final_state() const override {
    const auto written = [masks = masks_](std::uint64_t address) {
      return masks.of(line_of(address)).test(static_cast<unsigned>(address & kLineOffsetMask));
    };
    return {partly_written_buffer(buffer_, before_, std::make_shared<PatternSource>(seed_), written)};
  }

 private:
  class Program final : public WarpProgram {
   public:
    Program(ByteMasks& kernel, std::uint32_t cta, unsigned warp)
        : kernel_(kernel), walk_(kernel.plan_, kernel.shape(), cta, warp), lanes_(kernel.shape().lanes_of(warp)) {}

    WarpInstruction fetch() override {
      while (!more_units()) {
        if (!walk_.next()) return exit_instruction();
        mask_ = kernel_.masks_.of(line());
        byte_ = 0;
      }
      return store_instruction(kernel_.order_);
    }

    void operands(WarpLanes& lanes, unsigned char* data) override {
      const unsigned unit = kernel_.unit_;
      unsigned taken = 0;
      for (; taken < lanes_ && more_units(); ++taken, byte_ += unit) {
        lanes.address[taken] = line() + byte_;
        fill_pattern(lanes.address[taken], unit, kernel_.seed_, data + taken * unit);
      }
      lanes.active = lane_mask(taken);
      lanes.lane_bytes = static_cast<std::uint8_t>(unit);
      ++kernel_.counters.stores;
      kernel_.counters.bytes_stored += std::uint64_t{taken} * unit;
    }

    void returned(const Payload&) override {}

   private:
    std::uint64_t line() const { return kernel_.buffer_.virtual_address + walk_.element() * kLineBytes; }
    /// Goes on to the line's next unit in the mask; false at its end.
    bool more_units() {
      while (byte_ < kLineBytes && !mask_.test(byte_)) byte_ += kernel_.unit_;
      return byte_ < kLineBytes;
    }

    ByteMasks& kernel_;
    Walk walk_;
    unsigned lanes_;
    ByteMask mask_;
    unsigned byte_ = kLineBytes;
  };

  Buffer buffer_;
  std::uint64_t seed_;
  LineMasks masks_;
  unsigned unit_;
  AccessOrder order_;
  std::shared_ptr<const ExpectedMemory> before_;
  WalkPlan plan_;
};

/// Hexadecimal text of up to 32 digits after 0x, bit i for byte i of the line; empty mask when it is none.
ByteMask parse_mask(const std::string& text) {
  if (text.size() < 3 || text.size() > 34 || text.compare(0, 2, "0x") != 0) return {};
  const std::string digits = std::string(34 - text.size(), '0') + text.substr(2);
  const auto high = parse_count("0x" + digits.substr(0, 16)), low = parse_count("0x" + digits.substr(16));
  return high && low ? ByteMask(low.value, high.value) : ByteMask();
}

class ByteMasksPattern final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "whose lines are written");
    v.text("mask", mask_, "random, or 32 hexadecimal digits after 0x: bit i for byte i of every line");
    v.real("density", density_, 0.001, 1, "random: share of the bytes that is written");
    visit_repeat(v, repeat_);
    hint_.visit(v);
  }

  void check(const PatternContext& context, PatternProblems& problems) const override {
    const std::uint64_t size = context.size_of(buffer_);
    if (size % kLineBytes != 0)
      problems.add("buffer", "the buffer's size is no multiple of a line", format_bytes(size), "a multiple of 128 B");
    if (mask_ != "random" && parse_mask(mask_).empty())
      problems.add("mask", "is no byte mask", mask_, "random, or 0x and 1 to 32 hexadecimal digits, not all 0");
  }

  std::vector<std::string> written() const override { return {buffer_}; }

  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    LineMasks masks;
    masks.random = mask_ == "random";
    masks.fixed = masks.random ? ByteMask() : parse_mask(mask_);
    masks.seed = ~setup.seed;
    masks.limit = static_cast<std::uint64_t>(density_ * 65536.0);
    return std::make_unique<ByteMasks>(setup, setup.buffer(buffer_), masks, repeat_, hint_.order());
  }

 private:
  std::string buffer_, mask_ = "random";
  double density_ = 0.5;
  std::uint64_t repeat_ = 1;
  HintParameter hint_;
};

}  // namespace

std::unique_ptr<Pattern> make_byte_masks() {
  return std::make_unique<ByteMasksPattern>();
}

}  // namespace gputlm
