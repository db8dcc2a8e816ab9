// SPDX-License-Identifier: Apache-2.0
//
// The two ends of a unit under test, doing what the test says and keeping what they saw.
#pragma once

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "gputlm/tlm/protocol_checker.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm::scripted {

inline constexpr Fs kNs = kFsPerNs;

/// An initiator that sends one request at a time and keeps what came back.
class Initiator : public sc_core::sc_module {
 public:
  struct Answer {
    PayloadRef payload;
    Fs time;
  };

  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket", *this) {}

  InitiatorSocket<Initiator> socket;
  std::vector<Answer> accepted, answers;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> debug_written;

  /// Sends at now + delay, or when the END_REQ before it lets it.
  Sent send(const PayloadRef& p, Fs delay = 0) {
    delay = std::max(delay, free_at_ - now());
    const Sent sent = socket.request(*p, delay);
    if (sent != Sent::withheld) take(p, now() + delay);
    if (sent == Sent::responded) answers.push_back({p, now() + delay});
    return sent;
  }
  bool answered(const PayloadRef& p) const { return time_of(answers, p) != kNever; }
  Fs answered_at(const PayloadRef& p) const { return time_of(answers, p); }
  Fs accepted_at(const PayloadRef& p) const { return time_of(accepted, p); }

  void on_accepted(std::size_t /*port*/, Payload& p, Fs delay) { take(PayloadRef(p), now() + delay); }
  bool on_response(std::size_t /*port*/, Payload& p, Fs delay) {
    answers.push_back({PayloadRef(p), now() + delay});
    return true;
  }
  void on_debug_written(std::size_t /*port*/, std::uint64_t first, std::uint64_t last) {
    debug_written.emplace_back(first, last);
  }

 private:
  void take(const PayloadRef& p, Fs at) {
    accepted.push_back({p, at});
    free_at_ = std::max(free_at_, at);
  }
  static Fs time_of(const std::vector<Answer>& list, const PayloadRef& p) {
    for (const Answer& a : list)
      if (a.payload.get() == p.get()) return a.time;
    return kNever;
  }

  Fs free_at_ = 0;
};

/// A memory that performs requests in the order in which they come, as the slices do.
class Memory : public sc_core::sc_module {
 public:
  using Line = std::array<unsigned char, kLineBytes>;
  struct Arrival {
    PayloadRef payload;
    Fs time;
    std::uint64_t address;
  };

  explicit Memory(const sc_core::sc_module_name& name)
      : sc_module(name), socket("socket", *this), wakeup_("wakeup", [this] { run(); }) {}

  TargetSocket<Memory> socket;
  std::vector<Arrival> arrivals;
  std::set<std::uint64_t> faulty;                   ///< Lines answered with an address error at the door.
  std::map<std::uint64_t, std::uint64_t> alias_of;  ///< Line to the line that holds its bytes.
  bool withhold = false;                            ///< Keep END_REQ back until accept().
  Fs accept_delay = 0;                              ///< Added to a request's time when it is accepted at once.
  Fs latency = kNever;                              ///< Answer so long after arrival; kNever: when respond() is called.
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;

  Line& line(std::uint64_t address) {
    const auto alias = alias_of.find(line_of(address));
    return lines_[alias == alias_of.end() ? line_of(address) : alias->second];
  }
  void accept(Fs delay = 0) {
    const PayloadRef p = std::move(pending_);
    Fs& latest = began_[p.get()];
    latest = std::max(latest, now() + delay);
    socket.accept(*p, latest - now());
  }
  /// Answers at now + delay, not before the request's own time nor the answer's before it; a request that waits for its
  /// END_REQ has it with the answer.
  void respond(const PayloadRef& p, Fs delay = 0) {
    if (pending_.get() == p.get()) pending_.reset();
    p->set_response_status(status);
    answered_ = std::max({answered_, now() + delay, began_[p.get()]});
    socket.respond(*p, answered_ - now());
  }
  void forget_withheld() { pending_.reset(); }
  bool withholds() const { return static_cast<bool>(pending_); }
  const PayloadRef& last() const { return arrivals.back().payload; }

  Admission on_request(std::size_t /*port*/, Payload& p, Fs& delay) {
    arrivals.push_back({PayloadRef(p), now() + delay, p.get_address()});
    began_[&p] = now() + delay;
    if (faulty.count(p.get_address()) != 0) {
      p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return Admission::complete;
    }
    perform(p);
    if (latency != kNever) {
      due_.push(now() + delay + latency, PayloadRef(p));
      wakeup_.at(due_.next());
    }
    if (withhold) {
      pending_ = PayloadRef(p);
      return Admission::withhold;
    }
    delay += accept_delay;
    began_[&p] = now() + delay;
    return Admission::accept;
  }
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t /*port*/, Payload& p) {
    perform(p);
    return p.get_data_length();
  }

 private:
  void perform(Payload& p) {
    const ByteMask mask = ByteMask::of(p);
    Line& l = line(p.get_address());
    if (p.is_read())
      copy_masked(p.get_data_ptr(), l.data(), mask);
    else if (p.is_write())
      copy_masked(l.data(), p.get_data_ptr(), mask);
  }
  void run() {
    while (due_.next() <= now()) respond(due_.pop());
    if (!due_.empty()) wakeup_.at(due_.next());
  }

  std::map<std::uint64_t, Line> lines_;
  std::map<const Payload*, Fs> began_;  ///< Effective time of a request's latest phase.
  Fs answered_ = 0;
  PayloadRef pending_;
  TimedQueue<PayloadRef> due_;
  Wakeup wakeup_;
};

/// Two protocol checkers, one on each side of a unit; what they find fails the test.
class Watch {
 public:
  template <class Upper, class UnitIn, class UnitOut, class Lower>
  Watch(Upper& upper, UnitIn& in, UnitOut& out, Lower& lower) {
    above_.connect(upper, in);
    below_.connect(out, lower);
  }
  ~Watch() {
    BOOST_TEST(log_.total() == 0U);
    log_.print(std::cerr);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  /// After a unit was reset in the middle of traffic; whether its lower neighbour was, too.
  void reset(bool below_too) {
    above_.reset();
    if (below_too) below_.reset();
  }

 private:
  ViolationLog log_;
  ProtocolChecker above_{"above", log_}, below_{"below", log_};
};

/// Reads one counter out of a unit's report.
inline std::uint64_t counter(const Unit& unit, std::string_view wanted) {
  struct Sink : StatisticsSink {
    std::string_view wanted;
    std::uint64_t found = ~std::uint64_t{0};
    void count(std::string_view name, std::string_view, std::string_view, std::uint64_t v) override {
      if (name == wanted) found = v;
    }
    void value(std::string_view name, std::string_view, std::string_view, double v) override {
      if (name == wanted) found = static_cast<std::uint64_t>(v);
    }
    void histogram(std::string_view name, std::string_view, const Histogram& h) override {
      if (name == wanted) found = h.count();
    }
  } sink;
  sink.wanted = wanted;
  unit.report(sink);
  return sink.found;
}

}  // namespace gputlm::scripted
