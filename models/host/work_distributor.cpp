// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/work_distributor.h"

#include <algorithm>

#include "gputlm/host/semaphore.h"
#include "gputlm/hostformats/format_error.h"

namespace gputlm {

WorkDistributor::WorkDistributor(const sc_core::sc_module_name& name, const WorkDistributorSpec& spec,
                                 PayloadPool& pool, const GpuAddressSpace& space)
    : Unit(name),
      dma(pool, space),
      spec_(spec),
      occupancy_(spec.sms),
      wakeup_("wakeup", [this] { hand_out(); }),
      refuse_("refuse", [this] {
        for (const auto& [done, reason] : std::exchange(refusals_, {}))
          done({false, ChannelErrorKind::graphics_exception, reason});
      }) {}

void WorkDistributor::end_of_elaboration() {
  if (sms == nullptr || memory == nullptr)
    SC_REPORT_FATAL(name(), "the work distributor needs SMs and the memory system's operations");
}

void WorkDistributor::launch(std::uint32_t channel, const Qmd& qmd, WorkDone done) {
  try {
    auto kernel = std::make_unique<Kernel>(decode_launch(qmd, spec_), spec_);
    kernel->times.launch = launches_++;
    kernel->times.received = now();
    kernel->channel = channel;
    kernel->done = std::move(done);
    kernels_.push_back(std::move(kernel));
    wakeup_.at(std::max(now() + spec_.launch_latency, next_block_at_));
  } catch (const FormatError& e) {
    ++refused_;
    refusals_.emplace_back(std::move(done), e.what());
    refuse_.at(now());  // the answer has an event of its own
  }
}

// The oldest kernel with blocks left, unless it has only just come.
WorkDistributor::Kernel* WorkDistributor::next_kernel() {
  const auto found =
      std::find_if(kernels_.begin(), kernels_.end(), [](const auto& kernel) { return !kernel->all_out(); });
  return found == kernels_.end() ? nullptr : found->get();
}

void WorkDistributor::hand_out() {
  Kernel* const kernel = next_kernel();
  if (kernel == nullptr) return;
  const Fs from = std::max(kernel->times.received + spec_.launch_latency, next_block_at_);
  if (from > now()) {
    wakeup_.at(from);
    return;
  }
  if (!place(*kernel)) return;  // the next block that retires wakes it
  next_block_at_ = now() + spec_.block_interval;
  wakeup_.at(next_block_at_);
}

bool WorkDistributor::place(Kernel& kernel) {
  for (unsigned i = 0; i < spec_.sms; ++i) {
    const unsigned sm = (next_sm_ + i) % spec_.sms;
    if (!occupancy_[sm].has_room(kernel.needs, spec_)) continue;
    occupancy_[sm].take(kernel.needs);
    next_sm_ = (sm + 1) % spec_.sms;
    BlockStart block;
    block.launch = kernel.times.launch;
    block.number = kernel.handed_out++;
    block.at = kernel.shape.block_at(block.number);
    block.shape = &kernel.shape;
    if (block.number == 0) kernel.times.first_block = now();
    ++blocks_;
    sms->start_block(sm, block);
    return true;
  }
  return false;
}

WorkDistributor::Kernel* WorkDistributor::find(std::uint32_t launch) const {
  const auto found =
      std::find_if(kernels_.begin(), kernels_.end(), [&](const auto& k) { return k->times.launch == launch; });
  return found == kernels_.end() ? nullptr : found->get();
}

void WorkDistributor::retire(unsigned sm, std::uint32_t launch) {
  Kernel& kernel = *find(launch);
  occupancy_[sm].give_back(kernel.needs);
  ++kernel.retired;
  kernel.times.last_retired = now();
  wakeup_.at(std::max(now(), next_block_at_));
  end_if_done(kernel);
}

void WorkDistributor::end_if_done(Kernel& kernel) {
  if (!kernel.all_out() || kernel.retired < kernel.handed_out || kernel.ending) return;
  kernel.ending = true;
  const std::uint32_t launch = kernel.times.launch;
  if (kernel.failed)
    finish(launch, {});
  else
    make_barrier(launch);
}

void WorkDistributor::make_barrier(std::uint32_t launch) {
  const LaunchShape& shape = find(launch)->shape;
  const bool system = shape.membar == CwdMembar::l1_sysmembar || shape.release_membar;
  if (shape.membar == CwdMembar::none && !system) return release(launch);
  memory->membar(system, [this, launch, generation = generation_](const WorkResult& result) {
    if (generation != generation_) return;
    Kernel& kernel = *find(launch);
    if (!result.ok || kernel.failed) return finish(launch, result);
    kernel.times.barrier_done = now();
    release(launch);
  });
}

void WorkDistributor::release(std::uint32_t launch) {
  const LaunchShape& shape = find(launch)->shape;
  if (shape.semaphore == 0) return finish(launch, {});
  dma.write(shape.semaphore, semaphore_bytes(shape.payload, shape.semaphore_words, now()), [this, launch](bool ok) {
    Kernel& kernel = *find(launch);
    kernel.times.released = now();
    finish(launch, {ok, ChannelErrorKind::mmu_fault,
                    "completion semaphore at " + hex_word(kernel.shape.semaphore) + " cannot be written"});
  });
}

void WorkDistributor::finish(std::uint32_t launch, const WorkResult& result) {
  const auto found = std::find_if(kernels_.begin(), kernels_.end(),
                                  [&](const auto& kernel) { return kernel->times.launch == launch; });
  const std::unique_ptr<Kernel> kernel = std::move(*found);
  kernels_.erase(found);
  if (kernel->failed) return;  // its channel knows since it failed
  if (observer != nullptr) observer->on_launch_ended(kernel->times, kernel->shape);
  kernel->done(result);
}

void WorkDistributor::fault(std::uint32_t launch, ChannelErrorKind kind, const std::string& reason) {
  Kernel* const found = find(launch);
  if (found == nullptr || found->failed) return;
  Kernel& kernel = *found;
  ++faulted_;
  kernel.failed = true;
  if (observer != nullptr) observer->on_launch_ended(kernel.times, kernel.shape);
  kernel.done({false, kind, reason});
  wakeup_.at(std::max(now(), next_block_at_));
  end_if_done(kernel);
}

void WorkDistributor::reset() {
  ++generation_;
  dma.reset();
  occupancy_.assign(spec_.sms, {});
  kernels_.clear();
  refusals_.clear();
  wakeup_.cancel();
  refuse_.cancel();
  next_sm_ = launches_ = 0;
  next_block_at_ = 0;
  blocks_ = refused_ = faulted_ = 0;
}

void WorkDistributor::report(StatisticsSink& sink) const {
  sink.count("launches", "kernel", "kernels taken", launches_);
  sink.count("blocks", "block", "blocks handed to SMs", blocks_);
  sink.count("refused", "kernel", "launches whose QMD made no sense or asked for more than an SM has", refused_);
  sink.count("faulted", "kernel", "kernels that could not go on", faulted_);
}

void WorkDistributor::list_waits(WaitList& waits) const {
  for (const auto& kernel : kernels_) {
    const std::uint64_t out = kernel->handed_out, all = kernel->shape.blocks();
    const bool ended = kernel->all_out() && kernel->retired == out;
    waits.add(*this,
              "launch " + std::to_string(kernel->times.launch) + " of channel " + std::to_string(kernel->channel) +
                  ": " + std::to_string(out) + " of " + std::to_string(all) + " blocks handed out, " +
                  std::to_string(kernel->retired) + " retired",
              kernel->times.received, ended ? "its barrier or its semaphore is under way" : "");
  }
  dma.list_waits(*this, waits);
}

}  // namespace gputlm
