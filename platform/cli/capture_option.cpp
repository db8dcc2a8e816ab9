// SPDX-License-Identifier: Apache-2.0
#include "capture_option.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include <fmt/ostream.h>

#include "common_options.h"

namespace gputlm {
namespace {

/// So few that they do not limit occupancy: experiments name none.
constexpr std::uint32_t kRegisters = 32;
constexpr std::uint32_t kBinaryVersion = 89;

TracegHeader header_of(const KernelShape& shape, const SassSpec& windows) {
  TracegHeader h;
  h.kernel = shape.name;
  h.id = shape.number + 1;
  h.grid.x = shape.grid;
  h.block.x = shape.block;
  h.registers = kRegisters;
  h.binary_version = kBinaryVersion;
  h.shared_base = windows.shared_window;
  h.local_base = windows.local_window;
  return h;
}

/// Buffers that the experiment's image fills.
std::vector<ReplayCopy> copies_of(const Workload& workload) {
  std::vector<ReplayCopy> copies;
  const auto& ranges = workload.image().contents().ranges();
  for (const Buffer& b : workload.buffers()) {
    const auto overlaps = [&b](const ExpectedRange& r) {
      return r.begin < b.physical_address + b.size && b.physical_address < r.end;
    };
    if (b.mapped && std::any_of(ranges.begin(), ranges.end(), overlaps)) copies.push_back({b.virtual_address, b.size});
  }
  return copies;
}

}  // namespace

void CaptureOption::add_to(CLI::App& app) {
  const CLI::Validator named = not_empty("PATH");
  app.add_option("--record-traceg", path_,
                 "Write what runs as a trace for gputlm replay: a directory, or a .traceg for a single kernel")
      ->check(named)
      ->group("Recording (docs/replay.md)");
}

void CaptureOption::prepare(const std::vector<std::string>& inputs) {
  if (wanted()) target_ = std::make_unique<CaptureTarget>(path_, inputs);
}

void CaptureOption::attach(JudgedGpu& machine, std::vector<TracegHeader> kernels, std::vector<ReplayCopy> copies) {
  if (wanted()) capture_ = std::make_unique<TracegCapture>(machine, *target_, std::move(kernels), std::move(copies));
}

void CaptureOption::attach(Simulation& simulation) {
  if (!wanted()) return;
  std::vector<TracegHeader> kernels;
  for (const Phase& phase : simulation.workload.phases())
    for (const auto& kernel : phase.kernels)
      kernels.push_back(header_of(kernel->shape(), simulation.gpu.config().sass));
  attach(simulation, std::move(kernels), copies_of(simulation.workload));
}

void CaptureOption::finish(bool complete) {
  if (!capture_) return;
  if (complete)
    capture_->finish();
  else
    fmt::print(std::cerr, "gputlm: no trace is written to {}: the run did not come to its end\n", path_);
  capture_.reset();
}

}  // namespace gputlm
