// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/trace_sampler.h"

#include <utility>

namespace gputlm {
namespace {

constexpr double kBytesPerKib = 1024;

/// Sum over the elements of a list of what `read` says of each.
template <class List, class Read>
double sum(const List& list, Read read) {
  double total = 0;
  for (const auto& element : list) total += static_cast<double>(read(*element));
  return total;
}

}  // namespace

TraceSampler::TraceSampler(const Gpu& gpu) : gpu_(gpu) {
  add_queues();
  add_stalls();
  add_bandwidth();
}

void TraceSampler::state(const char* name, const char* unit, std::function<double()> read) {
  counters_.push_back({{name, unit}, std::move(read), false, 0});
}

void TraceSampler::rate(const char* name, const char* unit, std::function<double()> read) {
  counters_.push_back({{name, unit}, std::move(read), true, 0});
}

void TraceSampler::add_queues() {
  const MemorySystem& mem = gpu_.mem;
  state("LSU queues", "instructions", [this] {
    return sum(gpu_.sms, [](const Sm& sm) {
      std::size_t n = 0;
      for (unsigned i = 0; i < sm.lsu.accesses.size(); ++i) n += sm.lsu.queued(i);
      return n;
    });
  });
  state("crossbar queues", "requests", [&mem] {
    std::size_t n = 0;
    for (unsigned i = 0; i < mem.slices.size(); ++i) n += mem.crossbar.waiting_for(i);
    return static_cast<double>(n);
  });
  state("L2 dirty", "KiB", [&mem] { return static_cast<double>(mem.dirty_bytes()) / kBytesPerKib; });
  state("write backlogs", "lines",
        [&mem] { return sum(mem.controllers, [](const MemoryController& c) { return c.write_backlog(); }); });
  state("read queues", "lines",
        [&mem] { return sum(mem.controllers, [](const MemoryController& c) { return c.read_backlog(); }); });
}

// Time lost by a cause, per time: how many places stood still for it on average.
void TraceSampler::add_stalls() {
  const auto warps = [this](const char* name, WarpScheduler::Stall cause) {
    rate(name, "warps",
         [this, cause] { return sum(gpu_.sms, [cause](const Sm& sm) { return sm.scheduler.stall_ns(cause); }); });
  };
  warps("stalled: LSU queue full", WarpScheduler::Stall::queue_full);
  warps("stalled: data not back", WarpScheduler::Stall::scoreboard);
  warps("stalled: fence", WarpScheduler::Stall::fence);
  warps("stalled: CTA barrier", WarpScheduler::Stall::barrier);
  rate("stalled: LSU exit, back-pressure", "SMs", [this] {
    return sum(gpu_.sms, [](const Sm& sm) { return sm.lsu.exit_stall_ns(Lsu::ExitStall::back_pressure); });
  });
  rate("stalled: LSU exit, busy", "SMs",
       [this] { return sum(gpu_.sms, [](const Sm& sm) { return sm.lsu.exit_stall_ns(Lsu::ExitStall::exit_busy); }); });
  const auto controllers = [this](const char* name, const char* unit, ControllerStall cause) {
    rate(name, unit, [this, cause] {
      return sum(gpu_.mem.controllers, [cause](const MemoryController& c) { return to_ns(c.stall_time(cause)); });
    });
  };
  controllers("stalled: write backlog full", "doors", ControllerStall::write_backlog_full);
  controllers("stalled: read queue full", "doors", ControllerStall::read_queue_full);
  controllers("stalled: channel busy", "channels", ControllerStall::channel);
}

// Bytes per nanosecond are GB/s.
void TraceSampler::add_bandwidth() {
  rate("DRAM read", "GB/s", [this] { return static_cast<double>(gpu_.mem.dram_bytes().read); });
  rate("DRAM written", "GB/s", [this] { return static_cast<double>(gpu_.mem.dram_bytes().written); });
}

std::vector<TraceSeries> TraceSampler::series() const {
  std::vector<TraceSeries> all;
  for (const Counter& c : counters_) all.push_back(c.series);
  return all;
}

TraceSample TraceSampler::sample() {
  TraceSample s;
  s.time = now();
  const double since_ns = to_ns(s.time - last_);
  for (Counter& c : counters_) {
    const double value = c.read(), grown = value - std::exchange(c.last, value);
    s.values.push_back(!c.rate ? value : since_ns > 0 ? grown / since_ns : 0);
  }
  last_ = s.time;
  return s;
}

}  // namespace gputlm
