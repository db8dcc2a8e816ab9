// SPDX-License-Identifier: Apache-2.0
//
// Runs kernels' programs without a chip: plain memory, one warp instruction at a time, warps in a random order, loads
// returned late. What it leaves in memory is an independent answer to what a kernel does.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "gputlm/test_support/sc_test.h"
#include "gputlm/tlm/payload_pool.h"
#include "gputlm/workload/workload.h"

namespace gputlm::test {

/// A warp access as the machine saw it.
struct Seen {
  WarpInstruction instruction;
  WarpLanes lanes;
  std::vector<unsigned char> data;  ///< Operands, or what a load returned.
  std::uint32_t cta = 0;
  unsigned warp = 0;
};

class FunctionalMachine {
 public:
  explicit FunctionalMachine(const Workload& workload, std::uint64_t memory_bytes, unsigned seed = 1)
      : memory(memory_bytes), workload_(workload), random_(seed) {
    workload.image().fill(0, memory.data(), memory.size());
  }

  /// Runs all phases, one after the other.
  void run(Workload& workload) {
    for (Phase& phase : workload.phases()) run(phase);
  }

  void run(Phase& phase) {
    std::vector<Warp> warps;
    for (auto& kernel : phase.kernels)
      for (std::uint32_t cta = 0; cta < kernel->shape().grid; ++cta)
        for (unsigned w = 0; w < kernel->shape().warps_per_cta(); ++w)
          warps.push_back(Warp{kernel->make_program(cta, w), {}, {}, cta, w, kernel->shape().number});
    for (Warp& w : warps) w.next = w.program->fetch();
    while (!warps.empty()) {
      const std::size_t i = random_() % warps.size();
      if (step(warps[i])) continue;
      std::swap(warps[i], warps.back());
      warps.pop_back();
    }
  }

  MemoryVerdict verdict() const {
    return verify_memory(workload_, [this](std::uint64_t physical, unsigned char* out, std::size_t length) {
      std::memcpy(out, memory.data() + physical, length);
      return true;
    });
  }

  std::vector<unsigned char> memory;  ///< By physical address.
  std::vector<Seen> seen;
  /// Called with the data of every load before they are returned; may spoil them.
  std::function<void(const WarpLanes&, unsigned char*)> on_load;

 private:
  struct Warp {
    std::unique_ptr<WarpProgram> program;
    WarpInstruction next;
    std::vector<std::pair<unsigned, PayloadRef>> in_flight;  ///< Scoreboard and access.
    std::uint32_t cta;
    unsigned warp;
    std::uint32_t kernel;
  };

  /// One instruction; false when the warp has ended.
  bool step(Warp& w) {
    const bool end = w.next.kind == WarpInstruction::Kind::exit;
    while (!w.in_flight.empty() && (end || waits(w) || random_() % 4 == 0)) give_back(w);
    if (end) return false;
    if (w.next.kind == WarpInstruction::Kind::memory) access(w);
    w.next = w.program->fetch();
    return true;
  }

  bool waits(const Warp& w) const {
    return std::any_of(w.in_flight.begin(), w.in_flight.end(),
                       [&w](const auto& access) { return (w.next.wait_scoreboards >> access.first & 1U) != 0; });
  }

  void give_back(Warp& w) {
    const std::size_t i = random_() % w.in_flight.size();
    const PayloadRef access = std::move(w.in_flight[i].second);
    w.in_flight.erase(w.in_flight.begin() + static_cast<std::ptrdiff_t>(i));
    if (on_load) on_load(*find_sideband(*access)->lanes, access->get_data_ptr());
    w.program->returned(*access);
  }

  void access(Warp& w) {
    PayloadRef access = pool_->warp(w.next.operation);
    Sideband& s = *find_sideband(*access);
    s.origin = {0, static_cast<std::uint16_t>(w.warp), 0, w.kernel, w.cta};
    s.function = w.next.function;
    w.program->operands(*s.lanes, access->get_data_ptr());
    const unsigned n = s.lanes->lane_bytes;
    for (unsigned i = 0; i < kLanes; ++i)
      if ((s.lanes->active >> i & 1U) != 0) lane(w.next, s.lanes->at(i), access->get_data_ptr(), i, n);
    finish_warp(*access);
    const unsigned char* data = access->get_data_ptr();
    seen.push_back({w.next, *s.lanes, {data, data + access->get_data_length()}, w.cta, w.warp});
    if (w.next.set_scoreboard != kNoScoreboard) w.in_flight.emplace_back(w.next.set_scoreboard, std::move(access));
  }

  void lane(const WarpInstruction& instruction, std::uint64_t address, unsigned char* data, unsigned i, unsigned n) {
    unsigned char* const place = memory.data() + physical(address, n);
    unsigned char* const operand = data + std::size_t{i} * n;
    if (instruction.operation == Operation::load) {
      std::memcpy(operand, place, n);
    } else if (instruction.operation == Operation::store) {
      std::memcpy(place, operand, n);
    } else if (n == 8) {
      modify<std::uint64_t, std::int64_t>(instruction.function, place, operand, operand + kLanes * 8);
    } else {
      modify<std::uint32_t, std::int32_t>(instruction.function, place, operand, operand + kLanes * 4);
    }
  }

  template <class U, class S>
  static void modify(AtomicFunction function, unsigned char* place, unsigned char* operand, const unsigned char* cmp) {
    U old, in, expected;
    std::memcpy(&old, place, sizeof(U));
    std::memcpy(&in, operand, sizeof(U));
    std::memcpy(&expected, cmp, sizeof(U));
    U out = old;
    switch (function) {
      case AtomicFunction::add:
        out = old + in;
        break;
      case AtomicFunction::min_signed:
        out = static_cast<U>(std::min<S>(static_cast<S>(old), static_cast<S>(in)));
        break;
      case AtomicFunction::max_signed:
        out = static_cast<U>(std::max<S>(static_cast<S>(old), static_cast<S>(in)));
        break;
      case AtomicFunction::min_unsigned:
        out = std::min(old, in);
        break;
      case AtomicFunction::max_unsigned:
        out = std::max(old, in);
        break;
      case AtomicFunction::bit_and:
        out = old & in;
        break;
      case AtomicFunction::bit_or:
        out = old | in;
        break;
      case AtomicFunction::bit_xor:
        out = old ^ in;
        break;
      case AtomicFunction::exchange:
        out = in;
        break;
      case AtomicFunction::compare_and_swap:
        out = old == expected ? in : old;
        break;
      case AtomicFunction::increment:
        out = old >= in ? 0 : old + 1;
        break;
      case AtomicFunction::decrement:
        out = old == 0 || old > in ? in : old - 1;
        break;
      case AtomicFunction::float_add: {
        float a = 0, b = 0;
        std::memcpy(&a, place, 4);
        std::memcpy(&b, operand, 4);
        a += b;
        std::memcpy(&out, &a, 4);
        break;
      }
    }
    std::memcpy(operand, &old, sizeof(U));
    std::memcpy(place, &out, sizeof(U));
  }

  std::uint64_t physical(std::uint64_t address, unsigned n) const {
    for (const Buffer& b : workload_.buffers())
      if (address >= b.virtual_address && address + n <= b.virtual_address + b.size) return b.physical(address);
    BOOST_REQUIRE_MESSAGE(false, "access outside every buffer");
    return 0;
  }

  const Workload& workload_;
  std::unique_ptr<PayloadPool> pool_ = std::make_unique<PayloadPool>();
  std::mt19937 random_;
};

/// Slices and sets by simple arithmetic.
class ModuloOracle final : public AddressOracle {
 public:
  unsigned slice_of(std::uint64_t physical) const override { return static_cast<unsigned>(physical / 256 % 3); }
  unsigned set_of(std::uint64_t physical) const override { return static_cast<unsigned>(physical / 768 % 16); }
};

inline PlatformFacts small_chip(const AddressOracle* oracle = nullptr) {
  return {4, 48, 6, std::uint64_t{64} << 10, std::uint64_t{16} << 20, oracle};
}

inline Workload workload_of(const std::string& yaml, const AddressOracle* oracle = nullptr) {
  return {parse_experiment(yaml, "test.yaml"), small_chip(oracle)};
}

}  // namespace gputlm::test
