// SPDX-License-Identifier: Apache-2.0
//
// A slice between a scriptable crossbar and a scriptable memory controller, protocol checkers on all three arrows.
#pragma once

#include "gputlm/test_support/sc_test.h"
// (first: Boost.Test and SystemC)

#include <array>
#include <cstring>
#include <deque>
#include <iostream>
#include <map>
#include <vector>

#include "gputlm/l2/l2_slice.h"
#include "gputlm/tlm/protocol_checker.h"

namespace gputlm {

using LineBytes = std::array<unsigned char, kLineBytes>;

/// Round numbers: a clock of 1 GHz, so that cycles are nanoseconds.
inline L2Spec bench_spec() {
  L2Spec s;
  s.clock_hz = 1e9;
  s.sets = 4;
  s.ways = 4;
  s.requests_per_cycle = 1;
  s.store_bytes_per_cycle = 32;
  s.load_bytes_per_cycle = 64;
  s.load_latency = 40 * kFsPerNs;
  s.store_latency = 50 * kFsPerNs;
  s.atomic_latency = 5 * kFsPerNs;
  s.atomic_same_word_cycles = 7;
  s.fetch_entries = 8;
  s.write_back_entries = 4;
  s.fifo_drain_interval = 2;
  s.partial_sector_load = "fetch";
  s.set_index.type = "modulo";
  s.replacement = {"rrip", 3, 1, 0, "keep"};
  s.janitor = {"none", 8, "any_store"};
  return s;
}

/// Address of the n-th line of a set (bench_spec: 4 sets, plain modulo).
inline std::uint64_t line_in_set(unsigned n, unsigned set = 0, unsigned sets = 4) {
  return (std::uint64_t{n} * sets + set) * kLineBytes;
}

/// The crossbar's end: sends what it is given, in order, as fast as END_REQ allows.
class BenchCrossbar : public sc_core::sc_module {
 public:
  explicit BenchCrossbar(const sc_core::sc_module_name& name)
      : sc_module(name), socket("socket", *this), wake_("crossbar_wake", [this] { pump(); }) {}
  InitiatorSocket<BenchCrossbar> socket;

  struct Record {
    PayloadRef payload;
    Fs sent = kNever, accepted = kNever, answered = kNever;
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  };
  std::deque<Record> records;
  std::vector<std::size_t> answer_order;

  std::size_t send(PayloadRef p, Fs not_before = 0) {
    find_sideband(*p)->cookie = records.size();
    records.push_back({std::move(p)});
    not_before_.push_back(not_before);
    wake_.at(std::max(now(), free_));
    return records.size() - 1;
  }
  /// Sends at once, its time annotated; what becomes of it is recorded as with send().
  Sent send_annotated(const PayloadRef& p, Fs delay) {
    find_sideband(*p)->cookie = records.size();
    records.push_back({p});
    not_before_.push_back(0);
    next_ = records.size();
    return socket.request(*p, delay);
  }
  void on_accepted(std::size_t, Payload& p, Fs delay) { accepted(find_sideband(p)->cookie, now() + delay); }
  bool on_response(std::size_t, Payload& p, Fs delay) {
    answer(find_sideband(p)->cookie, now() + delay);
    return true;
  }
  void on_debug_written(std::size_t, std::uint64_t first, std::uint64_t last) { announced.emplace_back(first, last); }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> announced;
  /// Drops the bench's references, so that the pool's balance shows the slice's alone.
  void drop() { records.clear(), not_before_.clear(), next_ = 0, answer_order.clear(); }
  void reset() { drop(), socket.reset(), free_ = 0; }

 private:
  void accepted(std::size_t i, Fs at) {
    records[i].accepted = at;
    free_ = at;
    if (next_ < records.size()) wake_.at(at);
  }
  void answer(std::size_t i, Fs at) {
    BOOST_REQUIRE_EQUAL(records[i].answered, kNever);  // exactly once
    records[i].answered = at;
    records[i].status = records[i].payload->get_response_status();
    answer_order.push_back(i);
  }
  void pump() {
    while (next_ < records.size() && !socket.busy() && now() >= free_) {
      if (now() < not_before_[next_]) return wake_.at(not_before_[next_]);
      const std::size_t i = next_++;
      records[i].sent = now();
      Fs delay = 0;
      const Sent sent = socket.request(*records[i].payload, delay);
      if (sent == Sent::accepted) accepted(i, now() + delay);
      if (sent == Sent::responded) {
        accepted(i, now() + delay);
        answer(i, now() + delay);
      }
    }
    if (next_ < records.size() && !socket.busy()) wake_.at(std::max(free_, now()));
  }
  Wakeup wake_;
  std::deque<Fs> not_before_;
  std::size_t next_ = 0;
  Fs free_ = 0;
};

/// The memory controller's end: memory as a map of lines, fixed times, END_REQ of writes and reads withheld on demand.
class BenchController : public sc_core::sc_module {
 public:
  explicit BenchController(const sc_core::sc_module_name& name)
      : sc_module(name), reads("reads", *this, 0), writes("writes", *this, 1), wake_("mc_wake", [this] { run(); }) {}
  TargetSocket<BenchController> reads, writes;

  Fs read_time = 100 * kFsPerNs, write_time = 30 * kFsPerNs, write_accept_delay = 0, read_accept_delay = 0;
  bool withhold_writes = false, withhold_reads = false, sample_late = false;
  std::uint64_t error_line = ~0ULL;
  struct Write {
    Fs at;
    std::uint64_t line;
    ByteMask mask;
  };
  struct Read {
    Fs at;
    std::uint64_t line;
    ByteMask mask;
  };
  std::vector<Write> writes_seen;
  std::vector<Read> reads_seen;

  LineBytes& memory(std::uint64_t line) {
    auto found = memory_.find(line);
    if (found != memory_.end()) return found->second;
    LineBytes& bytes = memory_[line];
    for (unsigned i = 0; i < kLineBytes; ++i) bytes[i] = static_cast<unsigned char>(line / kLineBytes * 3 + i);
    return bytes;
  }
  /// Accepts the write or read whose END_REQ is withheld.
  void accept_write() {
    BOOST_REQUIRE(held_write_);
    take_write(*held_write_);
    const PayloadRef p = std::move(held_write_);
    writes.accept(*p);
  }
  void accept_read() {
    BOOST_REQUIRE(held_read_);
    take_read(*held_read_);
    const PayloadRef p = std::move(held_read_);
    reads.accept(*p);
  }
  bool write_waits() const { return static_cast<bool>(held_write_); }
  bool read_waits() const { return static_cast<bool>(held_read_); }

  Admission on_request(std::size_t port, Payload& p, Fs& delay) {
    if (port == 1) {
      writes_seen.push_back({now(), p.get_address(), ByteMask::of(p)});
      if (withhold_writes) {
        held_write_ = PayloadRef(p);
        return Admission::withhold;
      }
      take_write(p);
      delay = write_accept_delay;
      return Admission::accept;
    }
    reads_seen.push_back({now(), p.get_address(), ByteMask::of(p)});
    if (withhold_reads) {
      held_read_ = PayloadRef(p);
      return Admission::withhold;
    }
    take_read(p);
    delay = read_accept_delay;
    return Admission::accept;
  }
  void on_response_taken(std::size_t, Payload&, Fs) {}
  unsigned on_debug(std::size_t, Payload& p) {
    unsigned char* bytes = memory(line_of(p.get_address())).data() + (p.get_address() & kLineOffsetMask);
    for (unsigned i = 0; i < p.get_data_length(); ++i) {
      if (p.get_byte_enable_ptr() != nullptr && p.get_byte_enable_ptr()[i % p.get_byte_enable_length()] == 0) continue;
      if (p.is_write())
        bytes[i] = p.get_data_ptr()[i];
      else
        p.get_data_ptr()[i] = bytes[i];
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return p.get_data_length();
  }
  void reset() {
    reads.reset(), writes.reset();
    held_read_.reset(), held_write_.reset();
    answers_.clear();
    wake_.cancel();
  }

 private:
  void take_write(Payload& p) {
    copy_masked(memory(p.get_address()).data(), p.get_data_ptr(), ByteMask::of(p));
    answer(1, p, write_time);
  }
  void take_read(Payload& p) {
    if (!sample_late) copy_masked(p.get_data_ptr(), memory(p.get_address()).data(), ByteMask::of(p));
    answer(0, p, read_time);
  }
  void answer(unsigned port, Payload& p, Fs after) {
    answers_.push(now() + after, {port, PayloadRef(p)});
    wake_.at(answers_.next());
  }
  void run() {
    while (answers_.next() <= now()) {
      const auto [port, p] = answers_.pop();
      const bool error = p->get_address() == error_line;
      if (port == 0) {
        if (sample_late) copy_masked(p->get_data_ptr(), memory(p->get_address()).data(), ByteMask::of(*p));
        if (error) std::memset(p->get_data_ptr(), 0xee, kLineBytes);
      }
      p->set_response_status(error ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
      (port == 0 ? reads : writes).respond(*p);
    }
    if (!answers_.empty()) wake_.at(answers_.next());
  }
  std::map<std::uint64_t, LineBytes> memory_;
  PayloadRef held_write_, held_read_;
  TimedQueue<std::pair<unsigned, PayloadRef>> answers_;
  Wakeup wake_;
};

/// All of it together. Payload makers fill data with bytes derived from `seed`.
struct L2Bench {
  explicit L2Bench(const L2Spec& spec = bench_spec())
      : crossbar("crossbar"), slice("slice", spec, 5, pool), controller("controller"), checkers{log, log, log} {
    checkers.requests.connect(crossbar.socket, slice.requests);
    checkers.reads.connect(slice.reads, controller.reads);
    checkers.writes.connect(slice.writes, controller.writes);
  }
  ~L2Bench() {
    if (log.total() != 0) log.print(std::cerr);
    BOOST_CHECK_EQUAL(log.total(), 0U);
  }

  PayloadRef store(std::uint64_t line, ByteMask mask, unsigned seed) {
    PayloadRef p = pool.line(tlm::TLM_WRITE_COMMAND, line, Operation::store);
    for (unsigned i = 0; i < kLineBytes; ++i) p->get_data_ptr()[i] = store_byte(seed, i);
    set_enables(*p, mask);
    return p;
  }
  static unsigned char store_byte(unsigned seed, unsigned i) {
    return static_cast<unsigned char>(0x80U | (seed * 37 + i * 11));
  }
  PayloadRef load(std::uint64_t line, ByteMask mask = ByteMask::full()) {
    PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, line, Operation::load);
    std::memset(p->get_data_ptr(), 0x55, kLineBytes);
    set_enables(*p, mask);
    return p;
  }
  /// A 32-bit operation on one word.
  PayloadRef atomic(std::uint64_t line, unsigned word, AtomicFunction function, std::uint32_t operand,
                    Operation operation = Operation::atomic) {
    PayloadRef p = pool.line(tlm::TLM_IGNORE_COMMAND, line, operation);
    find_sideband(*p)->function = function;
    std::memset(p->get_data_ptr(), 0, kLineBytes);
    std::memcpy(p->get_data_ptr() + 4 * word, &operand, 4);
    set_enables(*p, ByteMask::range(4 * word, 4));
    return p;
  }
  static std::uint32_t word_of(const Payload& p, unsigned word) {
    std::uint32_t value = 0;
    std::memcpy(&value, p.get_data_ptr() + 4 * word, 4);
    return value;
  }
  const BenchCrossbar::Record& record(std::size_t i) const { return crossbar.records[i]; }
  const Payload& payload(std::size_t i) const { return *crossbar.records[i].payload; }

  /// Runs everything up to time t, what happens at t included (sc_start leaves out its last instant).
  static void run_until(Fs t) { sc_core::sc_start(to_sc_time(t + 1 - now())); }
  static void run_ns(double ns) { sc_core::sc_start(to_sc_time(from_ns(ns))); }
  /// Long enough for anything the bench starts to end.
  static void settle() { run_ns(20000); }

  void debug(tlm::tlm_command command, std::uint64_t address, unsigned char* bytes, unsigned length) {
    Payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(bytes);
    p.set_data_length(length);
    p.set_streaming_width(length);
    BOOST_REQUIRE_EQUAL(crossbar.socket->transport_dbg(p), length);
    BOOST_REQUIRE_EQUAL(p.get_response_status(), tlm::TLM_OK_RESPONSE);
  }
  LineBytes debug_line(std::uint64_t line) {
    LineBytes bytes{};
    debug(tlm::TLM_READ_COMMAND, line, bytes.data(), kLineBytes);
    return bytes;
  }
  /// A clean, fully valid line in a way, for setting up a set.
  void put(unsigned set, unsigned way, std::uint64_t line, unsigned rrpv, std::uint64_t order, ByteMask dirty = {}) {
    L2Way w;
    w.present = true;
    w.line = line;
    w.valid = ByteMask::full();
    w.dirty = dirty;
    w.rrpv = rrpv;
    w.last_use = w.last_store = order;
    slice.set_way(set, way, w, controller.memory(line).data());
  }
  void check_at_rest() {
    BOOST_CHECK(slice.idle());
    crossbar.drop();
    BOOST_CHECK_EQUAL(pool.outstanding(), 0U);
  }

  PayloadPool pool;
  ViolationLog log;
  BenchCrossbar crossbar;
  L2Slice slice;
  BenchController controller;
  struct Checkers {
    Checkers(ViolationLog& a, ViolationLog& b, ViolationLog& c)
        : requests("check_requests", a), reads("check_reads", b), writes("check_writes", c) {}
    ProtocolChecker requests, reads, writes;
  } checkers;
};

}  // namespace gputlm
