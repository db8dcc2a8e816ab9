// SPDX-License-Identifier: Apache-2.0
//
// A card with its host and the shipped kernels; a test process makes one.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gputlm/launch/hosted_gpu.h"
#include "gputlm/test_support/kernel_parameters.h"

namespace gputlm::test {

struct HostedBench {
  /// `check_protocol`: the checkers on every arrow and channel, and the judge of fences.
  explicit HostedBench(const std::string& config, const std::vector<std::string>& overrides = {},
                       bool check_protocol = true)
      : machine(Config::load(config, overrides), options(check_protocol)), cuda(machine.driver) {}

  /// The kernel's code on the card, loaded when first asked for.
  const LoadedKernel& kernel(const std::string& name) {
    const auto found = loaded_.find(name);
    if (found != loaded_.end()) return found->second;
    return loaded_[name] = cuda.load(std::make_unique<SassCode>(listing_, listing_.kernel(name)));
  }
  KernelLaunch launch_of(const std::string& name, std::uint32_t grid, std::uint32_t block, const Parameters& parameters,
                         std::uint32_t shared_bytes = 0) {
    KernelLaunch launch;
    launch.kernel = kernel(name);
    launch.grid.x = grid;
    launch.block.x = block;
    launch.shared_bytes = shared_bytes;
    launch.parameters = parameters.bytes();
    return launch;
  }
  /// On stream 0, to its end.
  Ticket run(const std::string& name, std::uint32_t grid, std::uint32_t block, const Parameters& parameters,
             std::uint32_t shared_bytes = 0) {
    const Ticket ticket = cuda.launch(0, launch_of(name, grid, block, parameters, shared_bytes));
    cuda.synchronize(ticket);
    return ticket;
  }

  /// A buffer on the card that holds them.
  template <class T>
  std::uint64_t upload(const std::vector<T>& values) {
    const std::uint64_t address = cuda.malloc(values.size() * sizeof(T));
    cuda.memcpy(address, values.data(), values.size() * sizeof(T));
    return address;
  }
  template <class T>
  std::vector<T> download(std::uint64_t address, std::size_t count) {
    std::vector<T> values(count);
    cuda.memcpy(values.data(), address, count * sizeof(T));
    return values;
  }
  /// The same for pinned memory of the host; takes no simulated time.
  template <class T>
  HostBuffer pin(const std::vector<T>& values) {
    const HostBuffer buffer = cuda.host_malloc(values.size() * sizeof(T));
    cuda.host_write(buffer, 0, values.data(), buffer.bytes);
    return buffer;
  }
  template <class T>
  std::vector<T> pinned(const HostBuffer& buffer) const {
    std::vector<T> values(buffer.bytes / sizeof(T));
    cuda.host_read(buffer, 0, values.data(), buffer.bytes);
    return values;
  }

  /// What is wrong when nothing moves any more, as one text; empty: nothing.
  std::string problems() {
    std::string all;
    for (const std::string& problem : machine.settle_and_audit()) all += problem + "\n";
    return all;
  }

  HostedGpu machine;
  HostDriver& cuda;

 private:
  static BuildOptions options(bool check_protocol) {
    BuildOptions o;
    o.check_protocol = check_protocol;
    return o;
  }

  SassListing listing_ = read_listing(GPUTLM_KERNELS "/kernels.sm_89.sass");
  std::map<std::string, LoadedKernel> loaded_;
};

/// Numbers whose sums show in which order they were added.
inline std::vector<float> some_floats(std::size_t count, float step) {
  std::vector<float> values(count);
  for (std::size_t n = 0; n < count; ++n) values[n] = step * static_cast<float>(n % 97) - 3.0F;
  return values;
}

}  // namespace gputlm::test
