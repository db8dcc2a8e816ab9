// SPDX-License-Identifier: Apache-2.0
//
// One instruction on a warp's state, with registers set before and read after.
#pragma once

#include <cstring>

#include "gputlm/sass/instruction_table.h"
#include "listing_maker.h"
#include "sass_bench.h"

namespace gputlm::sass_test {

class OneInstruction {
 public:
  OneInstruction() : launch_(bench_launch()), cta_(launch_, 0, 5), state(launch_, cta_, 0, 64) {}

  /// Runs it for `lanes`; guards are the scheduler's part and not looked at.
  OneInstruction& run(const char* text, LaneMask lanes = kAllLaneBits) {
    const SassListing listing = make_listing({text});
    const BoundInstruction b = bind_instruction(listing.kernels[0].instructions[0]);
    b.run(state, b.once ? LaneMask{1} << lowest_lane(lanes) : lanes);
    return *this;
  }
  /// The same value in all lanes.
  OneInstruction& set(unsigned r, std::uint32_t value) {
    for (unsigned l = 0; l < 32; ++l) state.reg(r, l) = value;
    return *this;
  }
  OneInstruction& set_pair(unsigned r, std::uint64_t value) {
    return set(r, static_cast<std::uint32_t>(value)).set(r + 1, static_cast<std::uint32_t>(value >> 32U));
  }
  OneInstruction& set_float(unsigned r, float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return set(r, bits);
  }
  OneInstruction& set_double(unsigned r, double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return set_pair(r, bits);
  }
  std::uint32_t get(unsigned r, unsigned lane = 0) const { return state.reg(r, lane); }
  std::uint64_t pair(unsigned r) const { return get(r) | std::uint64_t{get(r + 1)} << 32U; }
  float as_float(unsigned r) const {
    const std::uint32_t bits = get(r);
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  double as_double(unsigned r) const {
    const std::uint64_t bits = pair(r);
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  bool predicate(unsigned p) const { return (state.predicate(p) & 1U) != 0; }
  OneInstruction& set_predicate(unsigned p, bool value) {
    state.set_predicate(p, kAllLaneBits, value ? kAllLaneBits : 0);
    return *this;
  }

 private:
  static SassLaunch bench_launch() {
    SassLaunch l;
    l.spec = bench_spec();
    l.block = {8, 4, 2};
    l.grid = {3, 2, 1};
    l.shared_bytes = 256;
    l.local_bytes = 64;
    l.banks[0] = make_constant_bank(l, (Parameters() << std::uint32_t{7} << std::uint32_t{9} << 2.5).bytes());
    return l;
  }
  SassLaunch launch_;
  CtaState cta_;

 public:
  WarpState state;
};

}  // namespace gputlm::sass_test
