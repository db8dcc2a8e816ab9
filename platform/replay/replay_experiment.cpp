// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/replay_experiment.h"

#include <fmt/format.h>

#include "gputlm/host/carve_out.h"
#include "gputlm/host/occupancy.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"

namespace gputlm {
namespace {

class ReplayPattern final : public Pattern {
 public:
  ReplayPattern(const ReplayTrace& trace, const ReplayedKernel& kernel, const SassSpec& instructions,
                ReplayState& state, std::vector<std::string> written)
      : trace_(trace), kernel_(kernel), instructions_(instructions), state_(state), written_(std::move(written)) {}

  void parameters(ParameterVisitor&) override {}
  void check(const PatternContext&, PatternProblems&) const override {}
  std::vector<std::string> written() const override { return written_; }

  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    std::vector<ExpectedRange> ranges;
    ranges.reserve(written_.size());
    for (const std::string& name : written_)
      ranges.push_back(unknown_buffer(setup.buffer(name), "the trace stores there, and the scoreboard judges it"));
    return std::make_unique<ReplayKernel>(setup.shape, kernel_, trace_.lenient, instructions_, setup.scoreboards,
                                          setup.seed, state_, std::move(ranges));
  }

 private:
  const ReplayTrace& trace_;
  const ReplayedKernel& kernel_;
  const SassSpec& instructions_;
  ReplayState& state_;
  std::vector<std::string> written_;
};

/// Pages next to each other of which the same is known, as buffers; the names of those that are stored to.
std::vector<std::string> add_buffers(const ReplayTrace& trace, Experiment& e) {
  std::vector<std::string> stored;
  for (auto p = trace.pages.begin(); p != trace.pages.end();) {
    const std::uint64_t first = p->first;
    const PageUse use = p->second;
    std::uint64_t end = first;
    for (;
         p != trace.pages.end() && p->first == end && p->second.stored == use.stored && p->second.copied == use.copied;
         ++p)
      ++end;
    BufferSpec buffer;
    buffer.name = buffer.path = fmt::format("pages from {:#x}", first * trace.page_bytes);
    buffer.at = first * trace.page_bytes;
    buffer.size = (end - first) * trace.page_bytes;
    buffer.place = {trace.kernels.front().file, 0, 0};
    if (use.copied) {
      ImageSpec image;
      image.buffer = buffer.name;
      image.kind = ImageSpec::Kind::pattern;
      e.images.push_back(image);
    }
    if (use.stored) stored.push_back(buffer.name);
    e.buffers.push_back(std::move(buffer));
  }
  return stored;
}

LaunchShape launch_shape(const TracegHeader& h) {
  LaunchShape shape;
  shape.grid = {h.grid.x, h.grid.y, h.grid.z};
  shape.block = {h.block.x, h.block.y, h.block.z};
  shape.registers = h.registers;
  shape.shared_bytes = h.shared_bytes;
  return shape;
}

KernelShape shape_of(const ReplayedKernel& k, std::uint32_t number, const Config& config, Diagnostics& mistakes) {
  const LaunchShape launch = launch_shape(k.header);
  const WorkDistributorSpec& sm = config.host.distributor;
  KernelShape shape;
  shape.name = k.header.kernel;
  shape.number = number;
  shape.grid = static_cast<std::uint32_t>(k.blocks);
  shape.block = static_cast<unsigned>(k.header.block.count());
  shape.ctas_per_sm = blocks_per_sm(launch, sm);
  if (shape.ctas_per_sm == 0) {
    mistakes.add({k.file, 0, 0}, {},
                 std::string("a block asks for more than an SM has of ") + occupancy_limit(launch, sm),
                 fmt::format("{} threads, {} registers each, {} bytes of shared memory", shape.block,
                             k.header.registers, k.header.shared_bytes),
                 fmt::format("{} threads, {} registers in all, {} bytes of shared memory", sm.max_threads, sm.registers,
                             sm.max_shared_per_block));
    return shape;
  }
  const std::uint64_t needed =
      k.header.shared_bytes == 0 ? 0 : std::uint64_t{shape.ctas_per_sm} * BlockNeeds(launch, sm).shared_bytes;
  const L1Spec& l1 = config.l1;
  shape.l1_ways = l1_ways_left(carve_out(sm, needed), l1.ways * l1.sets * kLineBytes, l1.ways);
  return shape;
}

}  // namespace

Experiment make_replay_experiment(const ReplayTrace& trace, const Config& config, std::uint64_t seed,
                                  ReplayState& state) {
  Diagnostics mistakes;
  Experiment e;
  e.name = "replay";
  e.seed = seed;
  // What is written at all, once: the time to keep account of it by kernels would grow with their product.
  std::vector<std::string> written = add_buffers(trace, e);
  for (const ReplayedKernel& kernel : trace.kernels) {
    const auto number = static_cast<std::uint32_t>(e.phases.size());
    KernelSpec k;
    k.shape = shape_of(kernel, number, config, mistakes);
    k.seed = number;
    k.place = {kernel.file, 0, 0};
    k.path = kernel.header.kernel;
    k.pattern_name = "replay";
    k.pattern = std::make_shared<ReplayPattern>(trace, kernel, config.sass, state, std::exchange(written, {}));
    e.phases.push_back({kernel.header.kernel, {}});
    e.phases.back().kernels.push_back(std::move(k));
  }
  mistakes.throw_if_any();
  return e;
}

}  // namespace gputlm
