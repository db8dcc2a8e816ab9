// SPDX-License-Identifier: Apache-2.0
//
// What memory must look like from outside a slice: every access takes effect at once, in the order the slice says.
#pragma once

#include <unordered_map>

#include "l2_bench.h"

namespace gputlm {

/// Flat memory that follows the slice's calls and compares what loads and atomics return. Also checks that this order
/// is the order in which the crossbar sent the requests.
class L2Reference : public L2Observer {
 public:
  explicit L2Reference(L2Bench& bench) : bench_(bench) { bench.slice.observer = this; }

  void on_store(unsigned slice, const Payload& p) override {
    take_place(slice, p);
    copy_masked(memory(p.get_address()).data(), p.get_data_ptr(), ByteMask::of(p));
  }
  void on_load(unsigned slice, const Payload& p) override {
    take_place(slice, p);
    expected_[number(p)] = memory(p.get_address());
  }
  void on_load_done(unsigned, const Payload& p) override {
    BOOST_REQUIRE(equal_masked(p.get_data_ptr(), expected_[number(p)].data(), ByteMask::of(p)));
    expected_.erase(number(p));
    ++checked;
  }
  void on_atomic(unsigned slice, const Payload& p) override {
    take_place(slice, p);
    LineBytes& line = memory(p.get_address());
    expected_[number(p)] = line;
    const Sideband& s = *find_sideband(p);
    for (unsigned at = 0; at < kLineBytes; at += 4) {
      if (!ByteMask::of(p).test(at)) continue;
      std::uint32_t old = 0, operand = 0;
      std::memcpy(&old, line.data() + at, 4);
      std::memcpy(&operand, p.get_data_ptr() + at, 4);
      const std::uint32_t value = s.function == AtomicFunction::add        ? old + operand
                                  : s.function == AtomicFunction::exchange ? operand
                                                                           : old ^ operand;
      std::memcpy(line.data() + at, &value, 4);
    }
  }
  void on_atomic_done(unsigned, const Payload& p) override {
    if (find_sideband(p)->operation == Operation::atomic)
      BOOST_REQUIRE(equal_masked(p.get_data_ptr(), expected_[number(p)].data(), ByteMask::of(p)));
    BOOST_REQUIRE(find_sideband(p)->executed);
    expected_.erase(number(p));
    ++checked;
  }
  void on_line(unsigned, LineEvent event, unsigned set, unsigned way, std::uint64_t line) override {
    events.push_back({event, set, way, line, now()});
  }
  unsigned count(LineEvent event) const {
    unsigned n = 0;
    for (const Entry& e : events) n += e.event == event ? 1U : 0U;
    return n;
  }

  LineBytes& memory(std::uint64_t line) {
    auto found = memory_.find(line);
    return found != memory_.end() ? found->second : memory_[line] = bench_.controller.memory(line);
  }
  /// What a debug read sees must be the reference, on every line ever touched.
  void check_memory() {
    for (const auto& [line, bytes] : memory_) BOOST_REQUIRE(bench_.debug_line(line) == bytes);
  }

  struct Entry {
    LineEvent event;
    unsigned set, way;
    std::uint64_t line;
    Fs at;
  };
  std::vector<Entry> events;
  std::size_t checked = 0;

 private:
  static std::uint64_t number(const Payload& p) { return find_sideband(p)->cookie; }
  void take_place(unsigned slice, const Payload& p) {
    BOOST_REQUIRE_EQUAL(slice, 5U);
    BOOST_REQUIRE_EQUAL(number(p), next_++);
  }
  L2Bench& bench_;
  std::unordered_map<std::uint64_t, LineBytes> memory_, expected_;
  std::uint64_t next_ = 0;
};

/// A line's 32-bit word as DRAM holds it.
inline std::uint32_t memory_word(L2Bench& b, std::uint64_t line, unsigned word) {
  std::uint32_t value = 0;
  std::memcpy(&value, b.controller.memory(line).data() + 4 * word, 4);
  return value;
}

/// The word that L2Bench::store() with this seed stores there.
inline std::uint32_t stored_word(unsigned seed, unsigned word) {
  std::uint32_t value = 0;
  for (unsigned i = 4; i-- > 0;) value = value << 8 | L2Bench::store_byte(seed, 4 * word + i);
  return value;
}

}  // namespace gputlm
