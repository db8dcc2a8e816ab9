// SPDX-License-Identifier: Apache-2.0
//
// An L1 between a scripted LSU and a scripted memory.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "gputlm/l1/l1_cache.h"
#include "scripted_ends.h"

namespace gputlm::l1_bench {

using namespace scripted;

inline constexpr Fs kHit = 15'400'000, kMiss = 10'000'000;

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

inline L1Spec spec_of(const char* write_policy, unsigned ways = 4) {
  L1Spec s = published_spec();
  s.write_policy = write_policy;
  s.ways = ways;
  return s;
}

/// The first `n` lines from `from` upward that share a set with `from`.
inline std::vector<std::uint64_t> lines_of_one_set(const L1Cache& l1, unsigned n, std::uint64_t from = 0) {
  std::vector<std::uint64_t> lines;
  for (std::uint64_t line = from; lines.size() < n; line += kLineBytes)
    if (l1.set_of(line) == l1.set_of(from)) lines.push_back(line);
  return lines;
}

struct Bench {
  explicit Bench(const L1Spec& spec = published_spec()) : l1("l1", spec, 3, pool) {}

  PayloadPool pool;
  Initiator lsu{"lsu"};
  L1Cache l1;
  Memory memory{"memory"};
  Watch watch{lsu.socket, l1.requests, l1.misses, memory.socket};

  /// Runs what happens before now + time; what happens exactly then is left to the next call.
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
  void on_store_update(unsigned, unsigned, const Payload&, ByteMask) override { entries.emplace_back("store"); }
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

}  // namespace gputlm::l1_bench
