// SPDX-License-Identifier: Apache-2.0
//
// An L1 between a scriptable LSU and a scriptable memory. The memory performs requests in the order in which they come,
// as the slices do, and answers when the test says so.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gputlm/l1/l1_cache.h"

namespace gputlm::l1_bench {

inline constexpr Fs kNs = kFsPerNs;
inline constexpr Fs kHit = 15'400'000, kMiss = 10'000'000;
inline constexpr Fs kCycle = 384'615;

inline L1Spec published_spec() {
  L1Spec s;
  s.clock_hz = 2.6e9;
  s.ways = 4;
  s.sets = 256;
  s.index_masks = {0xc3901e00, 0x119a80a00, 0x167041b00, 0xdbc21d80, 0x47810400, 0x1b4e09180, 0xb6405400, 0xdc202c80};
  s.hit_latency = kHit;
  s.miss_latency = kMiss;
  s.hit_bytes_per_cycle = 64;
  s.fill_sectors = 256;
  return s;
}

/// The first `n` lines from `from` upward that share a set with `from`.
inline std::vector<std::uint64_t> lines_of_one_set(const L1Cache& l1, unsigned n, std::uint64_t from = 0) {
  std::vector<std::uint64_t> lines;
  for (std::uint64_t line = from; lines.size() < n; line += kLineBytes)
    if (l1.set_of(line) == l1.set_of(from)) lines.push_back(line);
  return lines;
}

class Lsu : public sc_core::sc_module {
 public:
  struct Answer {
    PayloadRef payload;
    Fs time;
  };

  explicit Lsu(const sc_core::sc_module_name& name) : sc_module(name), socket("socket", *this) {}

  InitiatorSocket<Lsu> socket;
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

class Memory : public sc_core::sc_module {
 public:
  using Line = std::array<unsigned char, kLineBytes>;
  struct Arrival {
    PayloadRef payload;
    Fs time;
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
  void respond(const PayloadRef& p, Fs delay = 0) {
    p->set_response_status(status);
    socket.respond(*p, delay);
  }
  const PayloadRef& last() const { return arrivals.back().payload; }

  Admission on_request(std::size_t /*port*/, Payload& p, Fs& delay) {
    arrivals.push_back({PayloadRef(p), now() + delay});
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

struct Bench {
  explicit Bench(const L1Spec& spec = published_spec()) : l1("l1", spec, 3, pool) {
    lsu.socket.bind(l1.requests);
    l1.misses.bind(memory.socket);
  }

  PayloadPool pool;
  Lsu lsu{"lsu"};
  L1Cache l1;
  Memory memory{"memory"};

  static void run(Fs time) { sc_core::sc_start(to_sc_time(time)); }

  PayloadRef load(std::uint64_t line, ByteMask wanted = ByteMask::full(), Semantics semantics = Semantics::weak,
                  Scope scope = Scope::gpu) {
    PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, line, Operation::load);
    std::memset(p->get_data_ptr(), 0xee, kLineBytes);
    set_enables(*p, wanted);
    find_sideband(*p)->semantics = semantics;
    find_sideband(*p)->scope = scope;
    return p;
  }
  PayloadRef strong_load(std::uint64_t line) { return load(line, ByteMask::full(), Semantics::relaxed, Scope::gpu); }
  PayloadRef store(std::uint64_t line, ByteMask mask, unsigned char value) {
    PayloadRef p = pool.line(tlm::TLM_WRITE_COMMAND, line, Operation::store);
    std::memset(p->get_data_ptr(), value, kLineBytes);
    set_enables(*p, mask);
    find_sideband(*p)->semantics = Semantics::weak;
    return p;
  }
  PayloadRef special(Operation operation, std::uint64_t line = 0) {
    PayloadRef p = pool.line(tlm::TLM_IGNORE_COMMAND, line, operation);
    std::memset(p->get_data_ptr(), 0, kLineBytes);
    set_enables(*p, ByteMask::range(0, 4));
    return p;
  }

  /// Sends a weak load with an answering memory below and runs until it is answered; true when L1 served it alone.
  bool loads_from_l1(std::uint64_t line, ByteMask wanted = ByteMask::full()) {
    return complete(load(line, wanted)) == 0;
  }
  /// Value of one byte as a weak load of its sector finds it now.
  unsigned char loaded(std::uint64_t line, unsigned byte) {
    const PayloadRef p = load(line, ByteMask::sectors(static_cast<SectorSet>(1U << (byte / kSectorBytes))));
    complete(p);
    return p->get_data_ptr()[byte];
  }
  /// Sends a request, lets the memory answer whatever it causes, and tells how many requests reached the memory.
  std::size_t complete(const PayloadRef& p) {
    const std::size_t before = memory.arrivals.size();
    lsu.send(p);
    if (memory.arrivals.size() > before) memory.respond(memory.last());
    run(100 * kNs);
    return memory.arrivals.size() - before;
  }
};

/// Keeps what an L1 tells, in order, as words.
struct Diary : L1Observer {
  std::vector<std::string> entries;
  ByteMask installed, captured;

  std::string all() const {
    std::string text;
    for (const std::string& e : entries) text += (text.empty() ? "" : " ") + e;
    return text;
  }
  void on_allocate(unsigned, unsigned, std::uint64_t) override { entries.emplace_back("allocate"); }
  void on_store(unsigned, unsigned, const Payload&, ByteMask) override { entries.emplace_back("store"); }
  void on_fill(unsigned, unsigned, const Payload&, ByteMask mask) override {
    entries.emplace_back("fill");
    installed = mask;
  }
  void on_hit(unsigned, unsigned, const Payload&, ByteMask) override { entries.emplace_back("hit"); }
  void on_miss_answered(unsigned, const Payload&, ByteMask mask, const Payload&) override {
    entries.emplace_back("answer");
    captured = mask;
  }
  void on_drop(unsigned, unsigned) override { entries.emplace_back("drop"); }
  void on_invalidate_all(unsigned) override { entries.emplace_back("invalidate"); }
  void on_debug_write(unsigned, unsigned, const unsigned char*, ByteMask) override { entries.emplace_back("debug"); }
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

}  // namespace gputlm::l1_bench
