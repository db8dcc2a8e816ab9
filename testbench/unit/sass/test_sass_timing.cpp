// SPDX-License-Identifier: Apache-2.0
//
// Machine code on an SM's schedulers: stall counts and scoreboards of the control words make the issue times.
#include "gputlm/test_support/sc_test.h"

#include "../warp/warp_bench.h"
#include "listing_maker.h"
#include "sass_bench.h"

using namespace gputlm;
using namespace gputlm::sass_test;
using warp_test::cycles;

namespace {

/// One CTA of `block` threads of a kernel in front of the scripted LSU.
struct Sm {
  Sm(const SassListing& listing, const std::string& kernel, std::uint32_t block, const Parameters& parameters)
      : code(listing, listing.kernel(kernel)) {
    context.code = &code;
    context.launch.spec = bench_spec();
    context.launch.spec.clock_hz = warp_test::kClock;
    context.launch.block.x = block;
    context.launch.shared_bytes = 1024;
    context.launch.banks[0] = make_constant_bank(context.launch, parameters.bytes());
    context.on_fault = [this](const SassFault& f) { faults.push_back(f); };
    const auto cta = std::make_shared<CtaState>(context.launch, 0, 0);
    CtaLaunch launched;
    for (unsigned w = 0; w < context.launch.warps_per_cta(); ++w)
      launched.warps.push_back(std::make_unique<SassProgram>(context, cta, 0, w));
    bench.scheduler.launch(std::move(launched));
    bench.finish();
    BOOST_TEST(faults.empty());
  }
  Fs issued(std::uint32_t index, unsigned warp = 0) const { return bench.watcher.issued(warp, index); }

  warp_test::Bench bench;
  SassCode code;
  SassContext context;
  std::vector<SassFault> faults;
};

const SassListing& shipped() {
  static const SassListing listing = read_listing(GPUTLM_KERNELS "/kernels.sm_89.sass");
  return listing;
}

constexpr std::uint64_t kA = 0x1000, kB = 0x2000, kC = 0x3000;

}  // namespace

BOOST_AUTO_TEST_CASE(vadd_waits_for_special_registers_loads_and_stall_counts) {
  const Sm sm(shipped(), "vadd", 32, Parameters() << kA << kB << kC << 32);
  const double s2r = bench_spec().special_register_cycles;
  // MOV stalls 2, the first S2R 4; the IMAD waits for the scoreboard of both.
  BOOST_TEST(sm.issued(1) == cycles(2));
  BOOST_TEST(sm.issued(2) == cycles(2) + cycles(4));
  BOOST_TEST(sm.issued(3) == sm.issued(2) + cycles(s2r));
  // The FADD issues when the second load's data are back, the STG 5 cycles later.
  BOOST_TEST(sm.issued(11) - sm.issued(10) == cycles(4));  // memory instructions of one scheduler
  BOOST_TEST(sm.issued(13) == sm.issued(11) + from_ns(100));
  BOOST_TEST(sm.issued(14) == sm.issued(13) + cycles(5));
}

BOOST_AUTO_TEST_CASE(vadd_sends_two_loads_and_one_store_of_a_line_each) {
  Sm sm(shipped(), "vadd", 64, Parameters() << kA << kB << kC << 40);
  std::size_t loads = 0, stores = 0;
  for (const auto& i : sm.bench.watcher.issues) loads += i.kind == WarpInstruction::Kind::memory ? 1 : 0;
  for (const auto& i : sm.bench.watcher.issues)
    stores += i.kind == WarpInstruction::Kind::memory && i.index == 14 ? 1 : 0;
  BOOST_TEST(loads == 6U);  // both warps have threads below n
  BOOST_TEST(stores == 2U);
}

BOOST_AUTO_TEST_CASE(warps_meet_at_the_block_barrier_and_a_fence_blocks_its_warp) {
  const Sm saxpy(shipped(), "saxpy_shared", 256, Parameters() << kA << kB << 2.0F << 256);
  Fs last_arrival = 0, first_behind = kNever;
  const auto& issues = saxpy.bench.watcher.issues;
  for (const auto& issue : issues)
    if (issue.kind == WarpInstruction::Kind::cta_barrier) {
      last_arrival = std::max(last_arrival, issue.time);
      first_behind = std::min(first_behind, saxpy.issued(issue.index + 1, issue.warp));
    }
  BOOST_TEST(last_arrival > 0);
  BOOST_TEST(first_behind >= last_arrival);
}
