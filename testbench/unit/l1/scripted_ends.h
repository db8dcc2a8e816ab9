// SPDX-License-Identifier: Apache-2.0
//
// The two ends of a unit under test, doing what the test says and keeping what they saw.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

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

  Sent send(const PayloadRef& p, Fs delay = 0) {
    const Sent sent = socket.request(*p, delay);
    if (sent != Sent::withheld) accepted.push_back({p, now() + delay});
    if (sent == Sent::responded) answers.push_back({p, now() + delay});
    return sent;
  }
  bool answered(const PayloadRef& p) const { return time_of(answers, p) != kNever; }
  Fs answered_at(const PayloadRef& p) const { return time_of(answers, p); }
  Fs accepted_at(const PayloadRef& p) const { return time_of(accepted, p); }

  void on_accepted(std::size_t /*port*/, Payload& p, Fs delay) { accepted.push_back({PayloadRef(p), now() + delay}); }
  bool on_response(std::size_t /*port*/, Payload& p, Fs delay) {
    answers.push_back({PayloadRef(p), now() + delay});
    return true;
  }
  void on_debug_written(std::size_t /*port*/, std::uint64_t first, std::uint64_t last) {
    debug_written.emplace_back(first, last);
  }

 private:
  static Fs time_of(const std::vector<Answer>& list, const PayloadRef& p) {
    for (const Answer& a : list)
      if (a.payload.get() == p.get()) return a.time;
    return kNever;
  }
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
    socket.accept(*p, delay);
  }
  /// Answers; a request that waits for its END_REQ has it with the answer.
  void respond(const PayloadRef& p, Fs delay = 0) {
    if (pending_.get() == p.get()) pending_.reset();
    p->set_response_status(status);
    socket.respond(*p, delay);
  }
  void forget_withheld() { pending_.reset(); }
  bool withholds() const { return static_cast<bool>(pending_); }
  const PayloadRef& last() const { return arrivals.back().payload; }

  Admission on_request(std::size_t /*port*/, Payload& p, Fs& delay) {
    arrivals.push_back({PayloadRef(p), now() + delay, p.get_address()});
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
  PayloadRef pending_;
  TimedQueue<PayloadRef> due_;
  Wakeup wakeup_;
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
