// SPDX-License-Identifier: Apache-2.0
//
// A card with its host: a shipped kernel, found by its name, runs and its result is read back.
#include <gputlm/host.h>
#include <gputlm/launchspec/argument.h>
#include <gputlm/launchspec/parameter_block.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

int sc_main(int, char**) {
  gputlm::HostedGpu machine(gputlm::Config::load("tiny"), {});
  gputlm::HostDriver& driver = machine.driver;
  gputlm::Diagnostics diagnostics;
  const gputlm::SassListing listing = gputlm::read_listing(
      gputlm::find_shipped("kernels.sm_89", gputlm::kListingFolder, gputlm::kListingExtension, {}, diagnostics));
  diagnostics.throw_if_any();

  constexpr std::uint32_t kWords = 256, kFirst = 7;
  const std::uint64_t out = driver.malloc(kWords * sizeof kFirst);
  gputlm::KernelLaunch launch;
  launch.kernel = driver.load(std::make_unique<gputlm::SassCode>(listing, listing.kernel("fill")));
  launch.grid = {2, 1, 1};
  launch.block = {128, 1, 1};
  launch.parameters =
      gputlm::parameter_block({gputlm::parse_argument("out=uint[256]", "out"),
                               gputlm::parse_argument("value=uint:7", "value"), gputlm::parse_argument("n=256", "n")},
                              {out, 0, 0});
  driver.launch(0, launch);
  std::vector<std::uint32_t> words(kWords);
  driver.memcpy(words.data(), out, kWords * sizeof kFirst);
  const bool right = words.front() == kFirst && words.back() == kFirst + kWords - 1;
  std::puts(right ? "card ok" : "card wrong");
  return right && machine.settle_and_audit().empty() ? 0 : 1;
}
