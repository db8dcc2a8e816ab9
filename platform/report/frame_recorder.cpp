// SPDX-License-Identifier: Apache-2.0
#include "gputlm/report/frame_recorder.h"

#include <utility>

namespace gputlm {
namespace {

/// Refreshes follow their calendar whatever the traffic.
bool refreshes_at(const DramTiming& timing, Fs time) {
  if (!timing.refreshes()) return false;
  const Ck at = timing.at_or_after(time), first = at - timing.refresh_cycles();
  for (unsigned pair = 0; pair < timing.pairs(); ++pair)
    if (timing.refresh_start(timing.next_refresh(pair, first + 1)) <= at) return true;
  return false;
}

}  // namespace

Frame FrameRecorder::frame(Fs at) const {
  Frame f;
  f.time = at;
  add_sms(f);
  add_slices(f);
  add_memory(f);
  return f;
}

void FrameRecorder::add_sms(Frame& f) const {
  for (unsigned i = 0; i < gpu_.sms.size(); ++i) {
    const WarpScheduler& scheduler = gpu_.sms[i]->scheduler;
    f.warps.push_back(scheduler.warps_resident());
    f.accesses.push_back(static_cast<unsigned>(scheduler.outstanding()));
    if (scheduler.throttled()) f.throttled.push_back(i);
  }
}

void FrameRecorder::add_slices(Frame& f) const {
  const MemorySystem& mem = gpu_.mem;
  const unsigned sets = gpu_.config().l2.sets;
  for (unsigned i = 0; i < mem.slices.size(); ++i) {
    const L2Slice& slice = *mem.slices[i];
    f.queued.push_back(mem.crossbar.waiting_for(i));
    f.requests.push_back(slice.counters().requests);
    SetCounts counts(sets);
    for (unsigned set = 0; set < sets; ++set) counts[set] = static_cast<std::uint8_t>(slice.dirty_lines(set));
    f.dirty.push_back(std::move(counts));
  }
}

void FrameRecorder::add_memory(Frame& f) const {
  const MemorySystem& mem = gpu_.mem;
  for (const auto& controller : mem.controllers) {
    f.writes.push_back(controller->write_backlog());
    f.reads.push_back(controller->read_backlog());
    f.turns.push_back(controller->statistics().mode_switches);
  }
  for (unsigned i = 0; i < mem.channels.size(); ++i) {
    const BankStatistics& banks = mem.channels[i]->bank_statistics();
    f.read_columns.push_back(banks.columns_read);
    f.write_columns.push_back(banks.columns_written);
    if (refreshes_at(mem.channels[i]->timing(), f.time)) f.refreshing.push_back(i);
  }
}

}  // namespace gputlm
