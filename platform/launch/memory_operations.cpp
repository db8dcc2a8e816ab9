// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launch/memory_operations.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gputlm {
namespace {

/// Between two looks at a flush: short against the microseconds that write-backs take.
constexpr Fs kFlushLook = 100 * kFsPerNs;

}  // namespace

HostMemoryOperations::HostMemoryOperations(const sc_core::sc_module_name& name, Gpu& gpu)
    : Unit(name),
      barriers("barriers", *this),
      gpu_(gpu),
      wakeup_("wakeup", [this] { run(); }),
      flush_look_("flush_look", [this] { look_at_flush(); }) {}

void HostMemoryOperations::on_issue(unsigned sm, unsigned warp, std::uint32_t index,
                                    const WarpInstruction& instruction) {
  if (instruction.kind != WarpInstruction::Kind::memory || instruction.operation == Operation::load) return;
  const auto at = gpu_.sms[sm]->scheduler.view(warp);
  under_way_.emplace(
      Origin{static_cast<std::uint16_t>(sm), static_cast<std::uint16_t>(warp), index, at->kernel, at->cta},
      membar_count_);
}

void HostMemoryOperations::on_access_done(unsigned, const Payload& access) {
  const auto store = under_way_.find(Store(find_sideband(access)->origin));
  if (store == under_way_.end()) return;  // a load or a fence
  for (Membar& m : membars_)
    if (store->second < m.number && --m.stores == 0) wakeup_.at(now());
  under_way_.erase(store);
}

void HostMemoryOperations::membar(bool system, WorkDone done) {
  membars_.push_back({system, std::move(done), now(), ++membar_count_, under_way_.size()});
  wakeup_.at(now());
}

void HostMemoryOperations::run() {
  for (Membar& m : membars_) {
    if (m.stores > 0) continue;
    if (m.system)
      to_send_.push_back(m);
    else
      done_.push(now(), m.done);
  }
  membars_.erase(std::remove_if(membars_.begin(), membars_.end(), [](const Membar& m) { return m.stores == 0; }),
                 membars_.end());
  send();
  while (done_.next() <= now()) done_.pop()({});
  if (!done_.empty()) wakeup_.at(done_.next());
}

void HostMemoryOperations::send() {
  while (!to_send_.empty() && !barriers.busy()) {
    Membar membar = to_send_.pop_front();
    PayloadRef p = gpu_.mem.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::system_barrier);
    Sideband& s = *find_sideband(*p);
    s.creator = this;
    s.scope = Scope::sys;
    crossing_.push_back({p, std::move(membar.done), membar.since});
    Fs delay = 0;
    if (barriers.request(*p, delay) == Sent::responded) on_response(0, *p, delay);
  }
}

void HostMemoryOperations::on_accepted(std::size_t, Payload&, Fs delay) {
  wakeup_.at(now() + delay);
}

bool HostMemoryOperations::on_response(std::size_t, Payload& p, Fs delay) {
  const auto crossing =
      std::find_if(crossing_.begin(), crossing_.end(), [&](const Crossing& c) { return c.barrier.get() == &p; });
  done_.push(now() + delay, std::move(crossing->done));
  crossing_.erase(crossing);
  wakeup_.at(done_.next());
  return true;
}

void HostMemoryOperations::flush_l2(WorkDone done) {
  ++flush_count_;
  flushes_.push_back(std::move(done));
  gpu_.mem.flush();
  flush_look_.at(now() + kFlushLook);
}

void HostMemoryOperations::look_at_flush() {
  if (gpu_.mem.flushing()) {
    flush_look_.at(now() + kFlushLook);
    return;
  }
  for (const WorkDone& done : std::exchange(flushes_, {})) done({});
}

void HostMemoryOperations::reset() {
  under_way_.clear();
  membars_.clear();
  to_send_.clear();
  crossing_.clear();
  flushes_.clear();
  done_.clear();
  wakeup_.cancel();
  flush_look_.cancel();
  barriers.reset();
  membar_count_ = flush_count_ = 0;
}

void HostMemoryOperations::report(StatisticsSink& sink) const {
  sink.count("membars", "barrier", "barriers that the host's units asked for", membar_count_);
  sink.count("flushes", "flush", "write-backs of all of L2 that the host's units asked for", flush_count_);
}

void HostMemoryOperations::list_waits(WaitList& waits) const {
  for (const Membar& m : membars_)
    waits.add(*this, std::string(m.system ? "system" : "GPU") + " membar", m.since,
              std::to_string(m.stores) + " stores before it are not acknowledged");
  for (const Crossing& c : crossing_)
    waits.add(*this, "system membar", c.since, "its barrier is on the link and not answered");
  if (!flushes_.empty())
    waits.add(*this, std::to_string(flushes_.size()) + " flushes wait until nothing in L2 is dirty");
}

}  // namespace gputlm
