// SPDX-License-Identifier: Apache-2.0
//
// An LSU between scriptable initiators and a scriptable L1, with a protocol checker on every arrow. The L1 performs
// line requests in the order in which they come and answers after a latency, or when the test says so.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "access_maker.h"
#include "gputlm/lsu/lsu.h"
#include "gputlm/tlm/protocol_checker.h"

namespace gputlm::lsu_test {

inline constexpr double kClock = 2.6e9;
inline Fs cycles(double n) {
  return cycles_to_fs(n, kClock);
}

inline LsuSpec published_spec() {
  LsuSpec s;
  s.clock_hz = kClock;
  s.sub_partitions = 4;
  s.queue_entries = 24;
  s.store_issue_interval = 6.1;
  s.store_issue_interval_8 = 8.3;
  s.store_issue_interval_16 = 12.3;
  s.load_issue_interval = 2;
  s.exit_bytes_per_cycle = 32;
  s.exit_min_store_cycles = 2;
  s.exit_loads_per_cycle = 2;
  s.gpu_fence_round_trip = from_ns(127);
  s.cta_fence_cycles = 3;
  s.sys_fence_sm_share = from_ns(250);
  return s;
}

/// Sends accesses at given times, per port in order and one at a time; remembers when each was accepted and answered.
class Initiators : public sc_core::sc_module {
 public:
  struct Record {
    PayloadRef payload;
    Fs accepted = kNever, done = kNever;
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  };

  Initiators(const sc_core::sc_module_name& name, unsigned ports)
      : sc_module(name), queues_(ports), wake_("wake", [this] { run(); }) {
    for (unsigned i = 0; i < ports; ++i)
      sockets.push_back(
          std::make_unique<InitiatorSocket<Initiators>>(("socket_" + std::to_string(i)).c_str(), *this, i));
  }

  std::vector<std::unique_ptr<InitiatorSocket<Initiators>>> sockets;
  std::function<void(const Payload&)> on_answer;

  void send(Fs at, unsigned port, const PayloadRef& p) {
    records_[p.get()] = {p};
    queues_[port].push(at, p);
    wake_.at(std::max(at, now()));
  }
  const Record& operator[](const PayloadRef& p) const { return records_.at(p.get()); }
  std::size_t answered() const { return answered_; }
  /// Drops the references, as an initiator that is reset does.
  void forget() {
    for (auto& queue : queues_) queue.clear();
    for (auto& socket : sockets) socket->reset();
    records_.clear();
  }

  void on_accepted(std::size_t /*port*/, Payload& p, Fs delay) {
    records_.at(&p).accepted = now() + delay;
    wake_.at(now());
  }
  bool on_response(std::size_t /*port*/, Payload& p, Fs delay) {
    answer(p, now() + delay);
    return true;
  }
  void on_debug_written(std::size_t, std::uint64_t, std::uint64_t) {}

 private:
  void answer(Payload& p, Fs at) {
    const auto found = records_.find(&p);
    if (found == records_.end()) return;
    found->second.done = at;
    found->second.status = p.get_response_status();
    ++answered_;
    if (on_answer) on_answer(p);
  }
  void run() {
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      while (queues_[i].next() <= now() && !sockets[i]->busy()) {
        const PayloadRef p = queues_[i].pop();
        Fs delay = 0;
        const Sent sent = sockets[i]->request(*p, delay);
        if (sent != Sent::withheld) records_.at(p.get()).accepted = now() + delay;
        if (sent == Sent::responded) answer(*p, now() + delay);
      }
      if (!queues_[i].empty() && !sockets[i]->busy()) wake_.at(queues_[i].next());
    }
  }

  std::map<const Payload*, Record> records_;
  std::vector<TimedQueue<PayloadRef>> queues_;
  std::size_t answered_ = 0;
  Wakeup wake_;
};

/// The other end of `line`.
class ScriptedL1 : public sc_core::sc_module {
 public:
  struct Arrival {
    PayloadRef payload;
    Fs time;
    Operation operation;
    std::uint64_t line;
    ByteMask mask;
  };

  explicit ScriptedL1(const sc_core::sc_module_name& name)
      : sc_module(name), socket("socket", *this), wake_("wake", [this] { run(); }) {}

  TargetSocket<ScriptedL1> socket;
  std::vector<Arrival> arrivals;
  Fs latency = from_ns(100);          ///< Of a response; kNever: when respond() is called.
  Fs barrier_latency = from_ns(740);  ///< The same of a system barrier.
  bool withhold = false;              ///< Keep END_REQ back until accept().
  bool execute = true;                ///< Mark TLM_IGNORE operations as executed.
  bool annotate = false;              ///< Answer within the request, with an annotated delay.
  std::function<tlm::tlm_response_status(const Payload&)> status = [](const Payload&) { return tlm::TLM_OK_RESPONSE; };

  std::array<unsigned char, kLineBytes>& line(std::uint64_t address) { return memory_[line_of(address)]; }
  unsigned char byte(std::uint64_t address) { return line(address)[address & kLineOffsetMask]; }
  std::vector<Arrival> of(Operation operation) const {
    std::vector<Arrival> some;
    for (const Arrival& a : arrivals)
      if (a.operation == operation) some.push_back(a);
    return some;
  }
  void accept() {
    const PayloadRef p = std::move(pending_);
    socket.accept(*p);
  }
  void respond(const PayloadRef& p) {
    p->set_response_status(status(*p));
    socket.respond(*p);
  }
  void forget() {
    arrivals.clear();
    due_.clear();
    pending_.reset();
    wake_.cancel();
    socket.reset();
  }

  Admission on_request(std::size_t /*port*/, Payload& p, Fs& delay) {
    const Sideband& s = *find_sideband(p);
    arrivals.push_back({PayloadRef(p), now() + delay, s.operation, p.get_address(), ByteMask::of(p)});
    BOOST_TEST_REQUIRE(p.get_address() % kLineBytes == 0U);
    perform(p);
    if (s.operation == Operation::l1_invalidate) {
      p.set_response_status(status(p));
      return Admission::complete;
    }
    const Fs wait = s.operation == Operation::system_barrier ? barrier_latency : latency;
    if (annotate) {
      delay += wait;
      p.set_response_status(status(p));
      return Admission::complete;
    }
    if (wait != kNever) {
      due_.push(now() + delay + wait, PayloadRef(p));
      wake_.at(due_.next());
    }
    if (!withhold) return Admission::accept;
    pending_ = PayloadRef(p);
    return Admission::withhold;
  }
  void on_response_taken(std::size_t, Payload&, Fs) {}
  unsigned on_debug(std::size_t /*port*/, Payload& p) {
    const unsigned offset = p.get_address() & kLineOffsetMask;
    BOOST_TEST_REQUIRE(offset + p.get_data_length() <= kLineBytes);
    for (unsigned i = 0; i < p.get_data_length(); ++i) {
      const unsigned char* enables = p.get_byte_enable_ptr();
      if (enables != nullptr && enables[i % p.get_byte_enable_length()] == 0) continue;
      unsigned char& stored = line(p.get_address())[offset + i];
      (p.is_read() ? p.get_data_ptr()[i] : stored) = p.is_read() ? stored : p.get_data_ptr()[i];
    }
    return p.get_data_length();
  }

 private:
  void perform(Payload& p) {
    if (p.is_read()) copy_masked(p.get_data_ptr(), line(p.get_address()).data(), ByteMask::of(p));
    if (p.is_write()) copy_masked(line(p.get_address()).data(), p.get_data_ptr(), ByteMask::of(p));
    Sideband& s = *find_sideband(p);
    if (s.is_atomic() && execute) perform_words(p, s);
    s.executed = execute;
  }
  // 32-bit words: add, or compare-and-swap.
  void perform_words(Payload& p, const Sideband& s) {
    const ByteMask mask = ByteMask::of(p);
    for (unsigned at = 0; at < kLineBytes; at += 4) {
      if (!mask.test(at)) continue;
      std::uint32_t old = 0, operand = 0, compared = 0;
      std::memcpy(&old, &line(p.get_address())[at], 4);
      std::memcpy(&operand, p.get_data_ptr() + at, 4);
      std::uint32_t result = old + operand;
      if (s.function == AtomicFunction::compare_and_swap) {
        std::memcpy(&compared, p.get_data_ptr() + kLineBytes + at, 4);
        result = old == compared ? operand : old;
      }
      std::memcpy(&line(p.get_address())[at], &result, 4);
      if (s.operation == Operation::atomic) std::memcpy(p.get_data_ptr() + at, &old, 4);
    }
  }
  void run() {
    while (due_.next() <= now()) respond(due_.pop());
    wake_.at(due_.next());
  }

  std::map<std::uint64_t, std::array<unsigned char, kLineBytes>> memory_;
  PayloadRef pending_;
  TimedQueue<PayloadRef> due_;
  Wakeup wake_;
};

/// Notes what the LSU tells its observer.
class Watcher : public LsuObserver {
 public:
  struct Fault {
    std::uint64_t address;
    tlm::tlm_response_status status;
  };
  std::size_t requests = 0, responses = 0, done = 0;
  std::vector<Fs> invalidated;
  std::vector<Fault> faults;
  void on_line_request(unsigned, const Payload&) override { ++requests; }
  void on_line_response(unsigned, const Payload&) override { ++responses; }
  void on_access_answered(unsigned, const Payload&) override { ++done; }
  void on_invalidate(unsigned) override { invalidated.push_back(now()); }
  void on_fault(unsigned, const Payload&, std::uint64_t address, tlm::tlm_response_status status) override {
    faults.push_back({address, status});
  }
};

/// The bench. Ports 0 to 3 are the sub-partitions', kExternal the plain initiator's.
struct Bench {
  static constexpr unsigned kExternal = 4;

  explicit Bench(const LsuSpec& spec = published_spec()) : lsu("lsu", spec, 7, pool) {
    lsu.observer = &watcher;
    for (unsigned i = 0; i <= kExternal; ++i) {
      checkers.push_back(std::make_unique<ProtocolChecker>(("checker_" + std::to_string(i)).c_str(), log));
      checkers.back()->connect(*initiators.sockets[i], i < kExternal ? *lsu.accesses[i] : lsu.external);
    }
    checkers.push_back(std::make_unique<ProtocolChecker>("checker_line", log));
    checkers.back()->connect(lsu.line, l1.socket);
  }

  /// Runs until nothing happens any more and requires that everything sent was answered and given back.
  void finish(std::size_t expected_answers) {
    sc_core::sc_start();
    BOOST_TEST(initiators.answered() == expected_answers);
    BOOST_TEST(lsu.idle());
    BOOST_TEST(watcher.requests == watcher.responses);
    for (auto& checker : checkers) checker->finish();
    for (const Violation& v : log.violations()) BOOST_ERROR(v.arrow << ": " << v.payload << ": " << v.detail);
    BOOST_TEST(log.total() == 0U);
  }
  void run_until(Fs t) { sc_core::sc_start(to_sc_time(t) - sc_core::sc_time_stamp()); }

  PayloadPool pool;
  ViolationLog log;
  Watcher watcher;
  Lsu lsu;
  Initiators initiators{"initiators", kExternal + 1};
  ScriptedL1 l1{"l1"};
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;
};

}  // namespace gputlm::lsu_test
