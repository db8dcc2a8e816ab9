// SPDX-License-Identifier: Apache-2.0
//
// Runs listings without a chip: flat memory, all CTAs resident, one instruction of one warp at a time. A load's data
// are handed over no earlier than an instruction waits for its scoreboard, so a value used without waiting is a stale
// one.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/sass/sass_program.h"
#include "gputlm/test_support/kernel_parameters.h"
#include "gputlm/test_support/sc_test.h"
#include "gputlm/tlm/payload_pool.h"
#include "gputlm/workload/atomic_reference.h"

namespace gputlm::sass_test {

inline SassSpec bench_spec() {
  SassSpec s;
  s.clock_hz = 2.6e9;
  s.shared_cycles = 23;
  s.shuffle_cycles = 24;
  s.special_function_cycles = 18;
  s.double_cycles = 40;
  s.special_register_cycles = 20;
  s.constant_cycles = 8;
  s.local_cycles = 32;
  s.instruction_budget = 100000;
  s.spin_patience = 256;
  s.shared_window = 0x7f0000000000;
  s.local_window = 0x7f0001000000;
  return s;
}

using test::Parameters;

class FlatMachine {
 public:
  static constexpr std::uint64_t kBase = 0x10000000;

  explicit FlatMachine(std::size_t bytes) : memory(bytes) {}

  /// The elements of a buffer at `offset`.
  template <class T>
  std::vector<T> read(std::size_t offset, std::size_t count) const {
    std::vector<T> values(count);
    std::memcpy(values.data(), memory.data() + offset, count * sizeof(T));
    return values;
  }
  template <class T>
  void write(std::size_t offset, const std::vector<T>& values) {
    std::memcpy(memory.data() + offset, values.data(), values.size() * sizeof(T));
  }

  SassLaunch launch;  ///< grid, block, shared and local memory, banks above 0 are the test's to set.

  void run(const SassCode& code, const Parameters& parameters) {
    launch.spec = spec;
    launch.banks[0] = make_constant_bank(launch, parameters.bytes());
    SassContext context{&code, launch, [this](const SassFault& f) { faults.push_back(f); }};
    std::vector<Warp> warps;
    for (std::uint32_t cta = 0; cta < launch.grid.count(); ++cta) {
      auto state = std::make_shared<CtaState>(launch, cta, cta % 4);
      for (unsigned w = 0; w < launch.warps_per_cta(); ++w)
        warps.push_back({std::make_unique<SassProgram>(context, state, cta, w), {}, {}, cta, 0, -1});
    }
    for (bool alive = true; alive;) {
      alive = false;
      for (Warp& w : warps) {
        if (!w.program) continue;
        alive = true;
        if (w.waits_at < 0) step(w);
      }
      release(warps);
    }
  }

  SassSpec spec = bench_spec();
  std::vector<unsigned char> memory;
  std::vector<SassFault> faults;
  std::vector<WarpInstruction> trace;  ///< Everything that was issued.
  std::size_t out_of_range = 0;

 private:
  struct Warp {
    std::unique_ptr<SassProgram> program;
    std::vector<std::pair<std::uint8_t, PayloadRef>> loads;  // by scoreboard
    WarpInstruction last;
    std::uint32_t cta;
    std::uint32_t index;
    int waits_at;
  };

  void step(Warp& w) {
    using Kind = WarpInstruction::Kind;
    const WarpInstruction i = w.program->fetch();
    w.last = i;
    trace.push_back(i);
    if (i.kind == Kind::exit) {
      hand_over(w, 0xff);
      w.program.reset();
      return;
    }
    hand_over(w, i.kind == Kind::fence ? 0xff : i.wait_scoreboards);
    if (i.kind == Kind::memory) access(w, i);
    if (i.kind == Kind::cta_barrier && i.barrier_waits) w.waits_at = i.barrier;
    if (i.kind == Kind::cta_barrier) ++arrived_[{w.cta, i.barrier}];
    ++w.index;
  }

  static void hand_over(Warp& w, std::uint8_t scoreboards) {
    for (auto it = w.loads.begin(); it != w.loads.end();) {
      const bool due = scoreboards == 0xff || (it->first < 8 && (scoreboards >> it->first & 1U) != 0);
      if (due) w.program->returned(*it->second);
      it = due ? w.loads.erase(it) : it + 1;
    }
  }

  void access(Warp& w, const WarpInstruction& i) {
    PayloadRef p = pool_.warp(i.operation);
    Sideband& s = *find_sideband(*p);
    s.origin.instruction = w.index;
    w.program->operands(*s.lanes, p->get_data_ptr());
    const unsigned n = s.lanes->lane_bytes;
    for (unsigned l = 0; l < kLanes; ++l)
      if ((s.lanes->active >> l & 1U) != 0) lane_access(i, s.lanes->address[l], n, p->get_data_ptr() + l * n);
    if (i.operation == Operation::load || i.operation == Operation::atomic)
      w.loads.emplace_back(i.set_scoreboard, std::move(p));
  }

  void lane_access(const WarpInstruction& i, std::uint64_t address, unsigned n, unsigned char* data) {
    const std::uint64_t offset = address - kBase;
    if (offset + n > memory.size() || offset % n != 0) {
      ++out_of_range;
      return;
    }
    unsigned char* at = memory.data() + offset;
    if (i.operation == Operation::load) {
      std::memcpy(data, at, n);
    } else if (i.operation == Operation::store) {
      std::memcpy(at, data, n);
    } else {
      std::uint64_t old = 0, operand = 0, compare = 0;
      std::memcpy(&old, at, n);
      std::memcpy(&operand, data, n);
      if (i.function == AtomicFunction::compare_and_swap) std::memcpy(&compare, data + std::size_t{kLanes} * n, n);
      const std::uint64_t updated = i.function == AtomicFunction::float_add && n == 8
                                        ? double_sum(old, operand)
                                        : atomic_result(i.function, n, old, operand, compare);
      std::memcpy(at, &updated, n);
      std::memcpy(data, &old, n);
    }
  }

  static std::uint64_t double_sum(std::uint64_t a, std::uint64_t b) {
    double x = 0, y = 0;
    std::memcpy(&x, &a, sizeof x);
    std::memcpy(&y, &b, sizeof y);
    x += y;
    std::memcpy(&a, &x, sizeof x);
    return a;
  }

  void release(std::vector<Warp>& warps) {
    std::map<std::uint32_t, unsigned> live;
    for (const Warp& w : warps) live[w.cta] += w.program ? 1 : 0;
    for (auto& [key, count] : arrived_) {
      if (count == 0) continue;
      unsigned expected = live[key.first];
      for (const Warp& w : warps)
        if (w.cta == key.first && w.waits_at == key.second && w.last.barrier_warps != 0)
          expected = w.last.barrier_warps;
      if (count < expected) continue;
      count = 0;
      for (Warp& w : warps)
        if (w.cta == key.first && w.waits_at == key.second) w.waits_at = -1;
    }
  }

  PayloadPool pool_;
  std::map<std::pair<std::uint32_t, int>, unsigned> arrived_;
};

}  // namespace gputlm::sass_test
