// SPDX-License-Identifier: Apache-2.0
//
// An SM's schedulers in front of a scriptable LSU, with a protocol checker on every arrow.
#pragma once

#include <string>

#include "gputlm/tlm/protocol_checker.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/warp/warp_scheduler.h"
#include "script_program.h"

namespace gputlm::warp_test {

inline constexpr double kClock = 2.6e9;
inline Fs cycles(double n) {
  return cycles_to_fs(n, kClock);
}

inline WarpSpec published_spec() {
  WarpSpec s;
  s.clock_hz = kClock;
  s.sub_partitions = 4;
  s.warps_per_sub_partition = 12;
  s.max_ctas = 24;
  s.scoreboards = 6;
  s.issue_interval = 1;
  s.memory_issue_interval = 4;
  return s;
}

/// Takes every access at once unless told to withhold; answers after a latency per operation.
class ScriptedLsu : public sc_core::sc_module {
 public:
  struct Arrival {
    PayloadRef payload;
    std::size_t port;
    Fs time;
    Operation operation;
    Scope scope;
    Origin origin;
  };

  explicit ScriptedLsu(const sc_core::sc_module_name& name) : sc_module(name), wake_("wake", [this] { run(); }) {
    for (unsigned i = 0; i < 4; ++i)
      sockets.push_back(std::make_unique<TargetSocket<ScriptedLsu>>(("socket_" + std::to_string(i)).c_str(), *this, i));
  }

  std::vector<std::unique_ptr<TargetSocket<ScriptedLsu>>> sockets;
  std::vector<Arrival> arrivals;
  Fs load_latency = from_ns(100), store_latency = from_ns(140), fence_latency = from_ns(50);
  bool withhold = false;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;

  void accept(std::size_t port) {
    const PayloadRef p = std::move(pending_[port]);
    sockets[port]->accept(*p);
  }
  void forget() {
    arrivals.clear();
    due_.clear();
    wake_.cancel();
    for (auto& p : pending_) p.reset();
    for (auto& socket : sockets) socket->reset();
  }

  Admission on_request(std::size_t port, Payload& p, Fs& delay) {
    const Sideband& s = *find_sideband(p);
    arrivals.push_back({PayloadRef(p), port, now() + delay, s.operation, s.scope, s.origin});
    const Fs latency = s.operation == Operation::fence ? fence_latency
                       : p.is_read() || s.is_atomic()  ? load_latency
                                                       : store_latency;
    due_.push(now() + delay + latency, PayloadRef(p));
    wake_.at(due_.next());
    if (!withhold) return Admission::accept;
    pending_[port] = PayloadRef(p);
    return Admission::withhold;
  }
  void on_response_taken(std::size_t, Payload&, Fs) {}
  unsigned on_debug(std::size_t, Payload&) { return 0; }

 private:
  void run() {
    while (due_.next() <= now()) {
      const PayloadRef p = due_.pop();
      const auto port = find_sideband(*p)->origin.warp % 4U;
      p->set_response_status(status);
      if (p->get_command() == tlm::TLM_IGNORE_COMMAND) find_sideband(*p)->executed = true;
      sockets[port]->respond(*p);
    }
    wake_.at(due_.next());
  }
  std::array<PayloadRef, 4> pending_;
  TimedQueue<PayloadRef> due_;
  Wakeup wake_;
};

/// Notes what the schedulers tell.
class Watcher : public WarpObserver {
 public:
  struct Issue {
    unsigned warp;
    std::uint32_t index;
    WarpInstruction::Kind kind;
    Fs time;
  };
  struct Fault {
    unsigned warp;
    std::uint32_t index;
    std::uint64_t address;
    tlm::tlm_response_status status;
  };
  std::vector<Issue> issues;
  std::vector<Fault> faults;
  std::vector<std::pair<std::uint32_t, Fs>> retired;
  std::vector<std::pair<bool, Fs>> throttles;
  std::size_t accesses_done = 0;
  std::function<void()> when_retired;

  void on_issue(unsigned, unsigned warp, std::uint32_t index, const WarpInstruction& i) override {
    issues.push_back({warp, index, i.kind, now()});
  }
  void on_access_done(unsigned, const Payload&) override { ++accesses_done; }
  void on_warp_fault(unsigned, unsigned warp, std::uint32_t index, std::uint64_t address,
                     tlm::tlm_response_status status) override {
    faults.push_back({warp, index, address, status});
  }
  void on_cta_retired(unsigned, std::uint32_t, std::uint32_t cta) override {
    retired.emplace_back(cta, now());
    if (when_retired) when_retired();
  }
  void on_throttled(unsigned, bool throttled) override { throttles.emplace_back(throttled, now()); }

  /// When the warp issued the instruction of that index; kNever: it did not.
  Fs issued(unsigned warp, std::uint32_t index) const {
    for (const Issue& i : issues)
      if (i.warp == warp && i.index == index) return i.time;
    return kNever;
  }
};

inline CtaLaunch cta_of(std::vector<std::vector<Step>> scripts, std::uint32_t number = 0) {
  CtaLaunch cta;
  cta.cta = number;
  for (auto& steps : scripts) cta.warps.push_back(std::make_unique<Script>(std::move(steps)));
  return cta;
}

struct Bench {
  explicit Bench(const WarpSpec& spec = published_spec()) : scheduler("scheduler", spec, 3, pool) {
    scheduler.observer = &watcher;
    for (unsigned i = 0; i < 4; ++i) {
      checkers.push_back(std::make_unique<ProtocolChecker>(("checker_" + std::to_string(i)).c_str(), log));
      checkers.back()->connect(*scheduler.accesses[i], *lsu.sockets[i]);
    }
  }
  void run_until(Fs t) { sc_core::sc_start(to_sc_time(t) - sc_core::sc_time_stamp()); }
  /// Runs until nothing happens any more; everything must be over then.
  void finish() {
    sc_core::sc_start();
    BOOST_TEST(scheduler.idle());
    BOOST_TEST(scheduler.outstanding() == 0U);
    lsu.forget();
    BOOST_TEST(pool.outstanding() == 0U);
    BOOST_TEST(log.total() == 0U);
  }

  PayloadPool pool;
  ViolationLog log;
  Watcher watcher;
  WarpScheduler scheduler;
  ScriptedLsu lsu{"lsu"};
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;
};

}  // namespace gputlm::warp_test
