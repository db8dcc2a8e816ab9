// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launch/launch_run.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "gputlm/launchspec/parameter_block.h"
#include "gputlm/system/statistics_tree.h"

namespace gputlm {
namespace {

/// Of the card's memory, for the kernel's code and its constant bank: a listing's kernels are far smaller than a page.
constexpr std::uint64_t kDriversPages = 2;

double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

Dimensions dimensions(const LaunchDimensions& d) {
  return {d.x, d.y, d.z};
}

std::uint64_t sum_of(const Gpu& gpu, const char* statistic, const Unit& (*unit)(const Sm&)) {
  StatisticSum sum({statistic});
  for (const auto& sm : gpu.sms) sum.over(unit(*sm));
  return static_cast<std::uint64_t>(sum.total());
}

const Unit& scheduler_of(const Sm& sm) {
  return sm.scheduler;
}
const Unit& l1_of(const Sm& sm) {
  return sm.l1;
}

void check_parameters(const LaunchSpec& spec, const SassCode& code, Diagnostics& mistakes) {
  const std::uint64_t given = parameter_bytes(spec.arguments);
  if (given < code.parameter_bytes())
    mistakes.add({}, "--arg", "kernel " + spec.kernel + " reads more parameters than were given",
                 fmt::format("{} bytes in {} arguments", given, spec.arguments.size()),
                 fmt::format("at least {} bytes", code.parameter_bytes()));
}

void check_memory(const LaunchSpec& spec, const Config& config, Diagnostics& mistakes) {
  const std::uint64_t page = config.mmu.page_bytes, all = config.memory_bytes();
  const std::uint64_t free = all - std::min(all, kDriversPages * page);
  std::uint64_t wanted = 0;
  for (const LaunchArgument& a : spec.arguments)
    if (a.array) wanted += (a.bytes() + page - 1) / page * page;
  if (wanted > free)
    mistakes.add({}, "--arg", "the arrays do not fit into the card's memory",
                 fmt::format("{} bytes in whole pages", wanted), fmt::format("{} bytes, of {}", free, all));
}

// What the work distributor would refuse, too, in the words of whoever wrote the launch.
void check_block(const LaunchSpec& spec, const SassCode& code, const WorkDistributorSpec& sm, Diagnostics& mistakes) {
  LaunchShape shape;
  shape.grid = {spec.grid.x, spec.grid.y, spec.grid.z};
  shape.block = {spec.block.x, spec.block.y, spec.block.z};
  shape.registers = code.registers();
  shape.shared_bytes = spec.shared_bytes;
  if (shape.threads() > sm.max_threads_per_block)
    mistakes.add({}, "--block", "has too many threads", fmt::format("{}", shape.threads()),
                 fmt::format("{}, see sm.max_threads_per_block", sm.max_threads_per_block));
  else if (shape.registers > sm.max_registers_per_thread)
    mistakes.add({}, "--kernel", "kernel " + spec.kernel + " uses too many registers",
                 fmt::format("{}", shape.registers),
                 fmt::format("{} a thread, see sm.max_registers_per_thread", sm.max_registers_per_thread));
  else if (blocks_per_sm(shape, sm) == 0)
    mistakes.add({}, "--block", std::string("a block asks for more than an SM has of ") + occupancy_limit(shape, sm),
                 fmt::format("{} threads, {} registers each, {} bytes of shared memory", shape.threads(),
                             shape.registers, shape.shared_bytes),
                 fmt::format("{} threads, {} registers in all, {} bytes of shared memory", sm.max_threads, sm.registers,
                             sm.max_shared_per_block));
}

// A scoreboard that an SM does not have would hold nobody up.
void check_scoreboards(const SassCode& code, unsigned scoreboards, Diagnostics& mistakes) {
  for (const SassInstruction& i : code.listing()) {
    const ControlWord& c = i.control;
    const bool sets = c.write_barrier != ControlWord::kNoBarrier && c.write_barrier >= scoreboards;
    const bool reads = c.read_barrier != ControlWord::kNoBarrier && c.read_barrier >= scoreboards;
    if (sets || reads || c.wait_mask >> scoreboards != 0)
      mistakes.add({code.file(), i.line, 1}, code.kernel(), "the code uses more scoreboards than a warp has", i.text,
                   fmt::format("{}, see sm.scoreboards", scoreboards));
  }
}

}  // namespace

std::unique_ptr<SassCode> code_of(const LaunchSpec& spec, const Config& config) {
  const SassListing listing = read_listing(spec.listing);
  auto code = std::make_unique<SassCode>(listing, listing.kernel(spec.kernel));
  Diagnostics mistakes;
  check_parameters(spec, *code, mistakes);
  check_memory(spec, config, mistakes);
  check_block(spec, *code, config.host.distributor, mistakes);
  check_scoreboards(*code, config.warp.scoreboards, mistakes);
  mistakes.throw_if_any();
  return code;
}

LaunchRun::LaunchRun(HostedGpu& machine, const LaunchSpec& spec, std::unique_ptr<SassCode> code)
    : machine_(machine),
      driver_(machine.driver),
      spec_(spec),
      code_(std::move(code)),
      addresses_(spec.arguments.size()) {
  machine.host.blocks.observer = this;
  driver_.on_kernel_end = [this](const LaunchTimes& times) { on_kernel_end(times); };
  result_.kernel = spec.kernel;
}

LaunchResult LaunchRun::run() {
  const auto start = std::chrono::steady_clock::now();
  try {
    allocate();
    upload();
    launch_and_copy();
    driver_.synchronize();
    read_back();
    at_end_ = counts();
    for (std::string& problem : machine_.settle_and_audit()) result_.problems.push_back(std::move(problem));
  } catch (const DriverError& e) {
    result_.problems.emplace_back(e.what());
  } catch (const DriverInterrupted&) {
    result_.complete = false;
  }
  measure();
  result_.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::move(result_);
}

void LaunchRun::allocate() {
  for (std::size_t i = 0; i < spec_.arguments.size(); ++i)
    if (spec_.arguments[i].array) addresses_[i] = driver_.malloc(spec_.arguments[i].bytes());
}

void LaunchRun::upload() {
  std::vector<HostBuffer> staging;
  for (std::size_t i = 0; i < spec_.arguments.size(); ++i) {
    const LaunchArgument& a = spec_.arguments[i];
    if (!a.array || !a.has_contents()) continue;
    const std::vector<unsigned char> bytes = a.initial_bytes(spec_.seed);
    staging.push_back(driver_.host_malloc(bytes.size()));
    driver_.host_write(staging.back(), 0, bytes.data(), bytes.size());
    driver_.memcpy(0, addresses_[i], staging.back().address, bytes.size());
  }
  driver_.synchronize();
  for (const HostBuffer& buffer : staging) driver_.host_free(buffer);
}

// As a profiler does before the kernel that it measures: what is dirty goes to DRAM, then nothing is left in L2.
void LaunchRun::empty_l2() {
  driver_.synchronize(driver_.flush_l2(0));
  machine_.gpu.mem.invalidate_clean();
}

KernelLaunch LaunchRun::kernel_launch(const LoadedKernel& kernel) const {
  return {kernel,
          dimensions(spec_.grid),
          dimensions(spec_.block),
          spec_.shared_bytes,
          spec_.local_bytes,
          parameter_block(spec_.arguments, addresses_)};
}

void LaunchRun::launch_and_copy() {
  const PreparedLaunch prepared = driver_.prepare(kernel_launch(driver_.load(std::move(code_))));
  if (spec_.cache_control) empty_l2();
  kernel_ = driver_.launch(0, prepared);
  for (const std::string& name : spec_.copied_back()) {
    const std::size_t i = spec_.index_of(name);
    const std::uint64_t bytes = spec_.arguments[i].bytes();
    Result r{i, driver_.host_malloc(bytes), {}};
    r.ticket = driver_.memcpy(0, r.buffer.address, addresses_[i], bytes);
    result_.copy_bytes += bytes;
    results_.push_back(r);
  }
}

void LaunchRun::read_back() {
  for (const Result& r : results_) {
    const LaunchArgument& a = spec_.arguments[r.argument];
    std::vector<unsigned char> bytes(a.bytes());
    driver_.host_read(r.buffer, 0, bytes.data(), bytes.size());
    result_.reads.push_back(make_read_back(a, bytes, spec_.find_expectation(a.name)));
  }
}

void LaunchRun::on_first_block(const LaunchShape& shape) {
  before_ = counts();
  const WorkDistributorSpec& sm = machine_.gpu.config().host.distributor;
  result_.blocks_per_sm = blocks_per_sm(shape, sm);
  result_.limited_by = occupancy_limit(shape, sm);
  result_.blocks = shape.blocks();
  result_.warps = shape.blocks() * shape.warps();
  result_.theoretical_occupancy_pct =
      100.0 * result_.blocks_per_sm * shape.warps() / (sm.sub_partitions * sm.warps_per_sub_partition);
}

void LaunchRun::on_kernel_end(const LaunchTimes& times) {
  after_ = at_end_ = counts();
  result_.l2_dirty_bytes_at_kernel_end = machine_.gpu.mem.dirty_bytes();
  LaunchTimeline& t = result_.t;
  t.fetched = times.received;
  t.first_block = times.first_block;
  t.last_block = times.last_retired;
  t.barrier_done = times.barrier_done;
  t.semaphore = times.released;
}

LaunchRun::Counts LaunchRun::counts() const {
  const Gpu& gpu = machine_.gpu;
  Counts c;
  c.dram = gpu.mem.dram_bytes();
  StatisticSum warp_time({"warp_time"});
  for (const auto& sm : gpu.sms) warp_time.over(sm->scheduler);
  c.warp_ns = warp_time.total();
  c.instructions = sum_of(gpu, "instructions", scheduler_of);
  c.l1_loads = sum_of(gpu, "loads", l1_of);
  c.l1_hits = sum_of(gpu, "load_hits", l1_of);
  const L2Totals l2 = gpu.mem.l2_totals();
  c.l2_loads = l2.loads;
  c.l2_load_hits = l2.load_hits;
  c.l2_stores = l2.stores;
  c.l2_store_hits = l2.store_hits;
  return c;
}

void LaunchRun::measure() {
  LaunchTimeline& t = result_.t;
  if (kernel_.value == 0) return;  // it never came to the launch
  t.doorbell = driver_.times(kernel_).doorbell;
  t.done = driver_.times(kernel_).seen;
  if (!results_.empty()) {
    t.copy_start = driver_.times(Ticket{0, kernel_.value + 1}).copy_start;
    t.copy_done = driver_.times(results_.back().ticket).copy_end;
    t.done = driver_.times(results_.back().ticket).seen;
  }
  if (t.done != kNever) result_.launch_to_done_ns = to_ns(t.done - t.doorbell);
  if (t.barrier_done == kNever) return;  // the kernel has not come to its end
  result_.kernel_ns = to_ns(t.last_block - t.first_block);
  result_.barrier_ns = to_ns(t.barrier_done - t.last_block);
  measure_rates(result_.kernel_ns);
}

void LaunchRun::measure_rates(double kernel_ns) {
  const Config& config = machine_.gpu.config();
  const double sm_ns = kernel_ns * config.sms, schedulers = config.warp.sub_partitions;
  constexpr double kPercent = 100;
  result_.instructions = after_.instructions - before_.instructions;
  result_.warps_active_pct =
      kPercent * share(after_.warp_ns - before_.warp_ns, sm_ns * schedulers * config.warp.warps_per_sub_partition);
  result_.issue_active_pct =
      kPercent * share(static_cast<double>(result_.instructions), sm_ns * schedulers * config.warp.clock_hz / 1e9);
  result_.dram_bytes_read = after_.dram.read - before_.dram.read;
  result_.dram_bytes_written = after_.dram.written - before_.dram.written;
  const double peak = kernel_ns * machine_.gpu.mem.peak_bytes_per_ns();
  result_.dram_read_utilisation = share(static_cast<double>(result_.dram_bytes_read), peak);
  result_.dram_write_utilisation = share(static_cast<double>(result_.dram_bytes_written), peak);
  const auto rate = [](std::uint64_t hits, std::uint64_t all) {
    return share(static_cast<double>(hits), static_cast<double>(all));
  };
  result_.l1_hit_rate = rate(after_.l1_hits - before_.l1_hits, after_.l1_loads - before_.l1_loads);
  result_.l2_load_hit_rate = rate(after_.l2_load_hits - before_.l2_load_hits, after_.l2_loads - before_.l2_loads);
  result_.l2_store_hit_rate = rate(after_.l2_store_hits - before_.l2_store_hits, after_.l2_stores - before_.l2_stores);
  result_.copy_dram_bytes_read = at_end_.dram.read - after_.dram.read;
}

}  // namespace gputlm
