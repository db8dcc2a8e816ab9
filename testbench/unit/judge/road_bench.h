// SPDX-License-Identifier: Apache-2.0
//
// A short road made of the real L1s and a real slice, so that their own observer calls are judged: load/store units
// that send random lines, L1s, a joint that stands for MMU and network (virtual addresses are physical ones), a slice,
// a DRAM.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <unordered_map>

#include "gputlm/judge/scoreboard.h"
#include "gputlm/l1/l1_cache.h"
#include "gputlm/l2/l2_slice.h"

namespace gputlm::test {

/// The slice's two arrows end here; contents are made from the image when first touched.
class Dram : public sc_core::sc_module {
 public:
  explicit Dram(const sc_core::sc_module_name& name)
      : sc_module(name), reads("reads", *this, 0), writes("writes", *this, 1), wake_("wake", [this] { run(); }) {}
  TargetSocket<Dram> reads, writes;

  unsigned char* line(std::uint64_t address) { return lines_[address].data(); }
  Admission on_request(std::size_t port, Payload& p, Fs& delay) {
    transfer(p);
    // Writes are slow enough to fill the slice's list.
    answers_.push(now() + delay + (port == 0 ? 90 : 40) * kFsPerNs, {port, PayloadRef(p)});
    wake_.at(answers_.next());
    delay += (port == 0 ? 2 : 15) * kFsPerNs;
    return Admission::accept;
  }
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t /*port*/, Payload& p) {
    transfer(p);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return p.get_data_length();
  }

 private:
  void transfer(Payload& p) {
    unsigned char* bytes = line(line_of(p.get_address())) + (p.get_address() & kLineOffsetMask);
    const unsigned char* enables = p.get_byte_enable_ptr();
    for (unsigned i = 0; i < p.get_data_length(); ++i) {
      if (enables != nullptr && enables[i % p.get_byte_enable_length()] == 0) continue;
      (p.is_write() ? bytes[i] : p.get_data_ptr()[i]) = p.is_write() ? p.get_data_ptr()[i] : bytes[i];
    }
  }
  void run() {
    while (answers_.next() <= now()) {
      const auto [port, p] = answers_.pop();
      p->set_response_status(tlm::TLM_OK_RESPONSE);
      (port == 0 ? reads : writes).respond(*p);
    }
    if (!answers_.empty()) wake_.at(answers_.next());
  }
  std::unordered_map<std::uint64_t, std::array<unsigned char, kLineBytes>> lines_;
  TimedQueue<std::pair<std::size_t, PayloadRef>> answers_;
  Wakeup wake_;
};

/// Brings the L1s' requests to the slice in the order in which they come, and the answers back.
class Joint : public sc_core::sc_module {
 public:
  Joint(const sc_core::sc_module_name& name, unsigned sms) : sc_module(name), down("down", *this) {
    for (unsigned i = 0; i < sms; ++i)
      up.push_back(std::make_unique<TargetSocket<Joint>>(("up" + std::to_string(i)).c_str(), *this, i));
  }
  std::vector<std::unique_ptr<TargetSocket<Joint>>> up;
  InitiatorSocket<Joint> down;

  Admission on_request(std::size_t port, Payload& p, Fs& /*delay*/) {
    find_sideband(p)->ingress = static_cast<std::uint16_t>(port);
    waiting_.push_back(PayloadRef(p));
    pump();
    return Admission::accept;
  }
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t /*port*/, Payload& p) { return down->transport_dbg(p); }
  void on_accepted(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) { pump(); }
  bool on_response(std::size_t /*port*/, Payload& p, Fs delay) {
    up[find_sideband(p)->ingress]->respond(p, delay);
    return true;
  }
  void on_debug_written(std::size_t /*port*/, std::uint64_t first, std::uint64_t last) {
    for (const auto& socket : up) socket->announce_debug_write(first, last);
  }

 private:
  void pump() {
    while (!waiting_.empty() && !down.busy()) {
      const PayloadRef p = waiting_.pop_front();
      Fs delay = 0;
      if (down.request(*p, delay) == Sent::responded) SC_REPORT_FATAL(name(), "the slice refused a line");
    }
  }
  Ring<PayloadRef> waiting_;
};

/// Sends random lines of every kind, a few in flight at a time, and tells the scoreboard what a load/store unit tells.
class RandomSm : public sc_core::sc_module {
 public:
  RandomSm(const sc_core::sc_module_name& name, unsigned sm, unsigned requests, PayloadPool& pool, Scoreboard& board)
      : sc_module(name),
        socket("socket", *this),
        sm_(sm),
        left_(requests),
        pool_(pool),
        board_(board),
        random_(sm + 1),
        wake_("wake", [this] { run(); }) {}
  InitiatorSocket<RandomSm> socket;

  void start() { wake_.at(now()); }
  bool done() const { return left_ == 0 && in_flight_ == 0; }
  void on_accepted(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) { wake_.at(now()); }
  bool on_response(std::size_t /*port*/, Payload& p, Fs /*delay*/) {
    finish(p);
    return true;
  }
  void on_debug_written(std::size_t /*port*/, std::uint64_t /*first*/, std::uint64_t /*last*/) {}

  static constexpr unsigned kLines = 48;

 private:
  static constexpr unsigned kInFlight = 12;
  unsigned pick(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }

  void finish(Payload& p) {
    board_.on_line_response(sm_, p);
    --in_flight_;
    if (left_ > 0) wake_.at(now());
  }
  void run() {
    if (left_ == 0 || socket.busy() || in_flight_ >= kInFlight) return;
    --left_;
    ++in_flight_;
    const PayloadRef p = make();
    board_.on_line_request(sm_, *p);
    Fs delay = 0;
    if (socket.request(*p, delay) == Sent::responded) finish(*p);
    wake_.at(now() + (1 + pick(30)) * kFsPerNs);
  }
  PayloadRef make() {
    const std::uint64_t line = std::uint64_t{pick(kLines)} * kLineBytes;
    const unsigned kind = pick(100);
    PayloadRef p = kind < 40   ? load(line, Semantics::weak)
                   : kind < 50 ? load(line, Semantics::relaxed)
                   : kind < 82 ? store(line)
                   : kind < 97 ? atomic(line)
                               : pool_.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::l1_invalidate);
    find_sideband(*p)->origin.sm = static_cast<std::uint16_t>(sm_);
    return p;
  }
  ByteMask some_bytes() {
    return pick(2) == 0 ? ByteMask::sectors(static_cast<SectorSet>(1 + pick(15)))
                        : ByteMask::range(pick(120), 1 + pick(40));
  }
  PayloadRef load(std::uint64_t line, Semantics semantics) {
    PayloadRef p = pool_.line(tlm::TLM_READ_COMMAND, line, Operation::load);
    set_enables(*p, ByteMask::sectors(some_bytes().touched_sectors()));
    find_sideband(*p)->semantics = semantics;
    return p;
  }
  PayloadRef store(std::uint64_t line) {
    PayloadRef p = pool_.line(tlm::TLM_WRITE_COMMAND, line, Operation::store);
    set_enables(*p, some_bytes());
    fill(*p, kLineBytes);
    return p;
  }
  PayloadRef atomic(std::uint64_t line) {
    static constexpr AtomicFunction functions[] = {AtomicFunction::add,          AtomicFunction::min_signed,
                                                   AtomicFunction::max_unsigned, AtomicFunction::bit_xor,
                                                   AtomicFunction::exchange,     AtomicFunction::increment,
                                                   AtomicFunction::decrement,    AtomicFunction::compare_and_swap};
    const AtomicFunction function = functions[pick(8)];
    const bool compares = function == AtomicFunction::compare_and_swap;
    PayloadRef p =
        compares ? pool_.compare_line(line)
                 : pool_.line(tlm::TLM_IGNORE_COMMAND, line, pick(2) == 0 ? Operation::atomic : Operation::reduction);
    Sideband& s = *find_sideband(*p);
    s.function = function;
    s.word_bytes = pick(2) == 0 ? 4 : 8;
    set_enables(*p, ByteMask::range(s.word_bytes * pick(kLineBytes / s.word_bytes), s.word_bytes * (1 + pick(3))));
    fill(*p, p->get_data_length());
    return p;
  }
  void fill(Payload& p, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) p.get_data_ptr()[i] = static_cast<unsigned char>(random_());
  }

  const unsigned sm_;
  unsigned left_, in_flight_ = 0;
  PayloadPool& pool_;
  Scoreboard& board_;
  std::mt19937 random_;
  Wakeup wake_;
};

/// All of it. The caches are so small that lines are evicted all the time.
struct Road {
  static constexpr unsigned kSms = 3;

  explicit Road(unsigned requests)
      : board(
            1ULL << 20, [](std::uint64_t, unsigned char* line) { std::memset(line, 0, kLineBytes); },
            [this](std::uint64_t line, unsigned char* bytes) {
              debug(tlm::TLM_READ_COMMAND, line, bytes, kLineBytes);
            }),
        joint("joint", kSms),
        slice("slice", l2_spec(), 0, pool),
        dram("dram") {
    for (unsigned i = 0; i < kSms; ++i) {
      sms.push_back(std::make_unique<RandomSm>(("sm" + std::to_string(i)).c_str(), i, requests, pool, board));
      l1s.push_back(std::make_unique<L1Cache>(("l1_" + std::to_string(i)).c_str(), l1_spec(), i, pool));
      sms[i]->socket.bind(l1s[i]->requests);
      l1s[i]->misses.bind(*joint.up[i]);
      l1s[i]->observer = &board;
    }
    joint.down.bind(slice.requests);
    slice.reads.bind(dram.reads);
    slice.writes.bind(dram.writes);
    slice.observer = &board;
  }
  static L1Spec l1_spec() {
    L1Spec s;
    s.clock_hz = 1e9;
    s.ways = 2;
    s.sets = 4;
    s.index_masks = {0x080, 0x100};
    s.hit_latency = 12 * kFsPerNs;
    s.miss_latency = 9 * kFsPerNs;
    s.hit_bytes_per_cycle = 64;
    s.fill_sectors = 16;
    return s;
  }
  static L2Spec l2_spec() {
    L2Spec s;
    s.clock_hz = 1e9;
    s.sets = 2;
    s.ways = 4;
    s.requests_per_cycle = 1;
    s.store_bytes_per_cycle = 32;
    s.load_bytes_per_cycle = 64;
    s.load_latency = 40 * kFsPerNs;
    s.store_latency = 50 * kFsPerNs;
    s.atomic_latency = 5 * kFsPerNs;
    s.atomic_same_word_cycles = 2;
    s.fetch_entries = 8;
    s.write_back_entries = 4;
    s.fifo_drain_interval = 2;
    s.partial_sector_load = "fetch";
    s.set_index.type = "modulo";
    s.replacement = {"rrip", 3, 1, 0, "keep"};
    s.janitor = {"threshold", 2, "any_store"};
    return s;
  }
  void debug(tlm::tlm_command command, std::uint64_t address, unsigned char* bytes, unsigned length) {
    Payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(bytes);
    p.set_data_length(length);
    p.set_streaming_width(length);
    joint.down->transport_dbg(p);
  }
  bool done() const {
    return slice.idle() && std::all_of(sms.begin(), sms.end(), [](const auto& sm) { return sm->done(); });
  }

  PayloadPool pool;
  Scoreboard board;
  Joint joint;
  L2Slice slice;
  Dram dram;
  std::vector<std::unique_ptr<RandomSm>> sms;
  std::vector<std::unique_ptr<L1Cache>> l1s;
};

}  // namespace gputlm::test
