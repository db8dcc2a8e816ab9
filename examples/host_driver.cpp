// SPDX-License-Identifier: Apache-2.0
//
// A testbench in C++: a kernel of the shipped listing on the small card, launched by the driver.
#include <cstdint>
#include <iostream>
#include <memory>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/launch/hosted_gpu.h"
#include "gputlm/launchspec/argument.h"
#include "gputlm/launchspec/parameter_block.h"

using namespace gputlm;

int sc_main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: example_host_driver LISTING\n";
    return 2;
  }
  HostedGpu machine(Config::load("tiny"), {});
  HostDriver& cuda = machine.driver;
  const SassListing listing = read_listing(argv[1]);
  const LoadedKernel fill = cuda.load(std::make_unique<SassCode>(listing, listing.kernel("fill")));

  // fill(uint32_t* out, uint32_t value, int n): out[i] = value + i
  const std::uint64_t out = cuda.malloc(4096);
  const std::vector<LaunchArgument> arguments{parse_argument("out=uint[1024]", "out"),
                                              parse_argument("value=uint:7", "value"), parse_argument("n=1024", "n")};
  KernelLaunch launch;
  launch.kernel = fill;
  launch.grid = {8, 1, 1};
  launch.block = {128, 1, 1};
  launch.parameters = parameter_block(arguments, {out, 0, 0});
  cuda.launch(0, launch);

  std::vector<std::uint32_t> words(1024);
  cuda.memcpy(words.data(), out, 4096);  // queued behind the kernel; runs the simulation
  std::cout << words.front() << ' ' << words.back() << " at " << sc_core::sc_time_stamp() << '\n';
  for (const std::string& problem : machine.settle_and_audit()) std::cerr << problem << '\n';
  return words.front() == 7 && words.back() == 1030 ? 0 : 1;
}
