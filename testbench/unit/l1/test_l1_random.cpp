// SPDX-License-Identifier: Apache-2.0
//
// Random traffic of one SM against the history of every byte. Memory performs requests in the order in which they come
// and answers them in any order; other SMs, debug writes and evictions interfere.
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <random>

#include "l1_bench.h"

using namespace gputlm;
using namespace gputlm::l1_bench;

namespace {

constexpr unsigned kLines = 12;

/// What each byte has been, in the order of memory. Values are positions in it, so a loaded value tells its age.
class History {
 public:
  unsigned newest(unsigned line, unsigned byte) const { return newest_[line][byte]; }
  unsigned char next(unsigned line, unsigned byte) { return static_cast<unsigned char>(++newest_[line][byte]); }
  /// A load that arrives now may return nothing older than this.
  unsigned& floor(unsigned line, unsigned byte) { return floor_[line][byte]; }

 private:
  unsigned newest_[kLines][kLineBytes] = {}, floor_[kLines][kLineBytes] = {};
};

struct Outstanding {
  PayloadRef payload;
  unsigned line;
  ByteMask wanted;
  std::array<unsigned, kLineBytes> floor{}, ceiling{};
  unsigned arrival;
};

class RandomTraffic : public Bench {
 public:
  /// `alone`: nobody else writes, so that a store that memory is given later is still the newest.
  RandomTraffic(unsigned seed, const L1Spec& spec, bool alone) : Bench(spec), random_(seed), alone_(alone) {
    lines_ = lines_of_one_set(l1, 8, 0x40000);
    for (unsigned i = 0; lines_.size() < kLines; ++i) lines_.push_back(0x900000 + i * kLineBytes);
    for (const std::uint64_t line : lines_) memory.line(line).fill(0);
  }

  void run_steps(unsigned steps) {
    for (unsigned i = 0; i < steps; ++i) {
      step();
      run((1 + static_cast<Fs>(pick(8))) * kNs);
      collect();
    }
    lsu_sends_no_more();
    BOOST_TEST(waiting_.empty());
    BOOST_TEST(l1.idle());
    lsu.accepted.clear();
    BOOST_TEST(pool.outstanding() == 0U);
  }
  /// Memory has the newest of every byte once an invalidate has been answered.
  void check_memory() {
    lsu.send(special(Operation::l1_invalidate));
    lsu_sends_no_more();
    for (unsigned line = 0; line < kLines; ++line)
      for (unsigned b = 0; b < kLineBytes; ++b)
        BOOST_TEST_REQUIRE(memory.line(lines_[line])[b] == static_cast<unsigned char>(history_.newest(line, b)));
  }
  unsigned loads_checked = 0, bytes_checked = 0;

 private:
  void lsu_sends_no_more() {
    constexpr unsigned kRounds = 1000;
    memory.withhold = false;
    for (unsigned n = 0; n < kRounds && (n == 0 || !memory.arrivals.empty() || !l1.idle()); ++n) {
      while (!memory.arrivals.empty()) answer_one();
      run(200 * kNs);
    }
    collect();
  }
  unsigned pick(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
  ByteMask some_sectors() { return ByteMask::sectors(static_cast<SectorSet>(1 + pick(15))); }
  ByteMask some_bytes() { return pick(2) == 0 ? some_sectors() : ByteMask::range(pick(120), 1 + pick(40)); }

  void step() {
    const unsigned line = pick(kLines), action = pick(100);
    memory.withhold = pick(4) == 0;
    if (action < 37)
      answer_one();
    else if (action < 40 && memory.withholds())
      memory.accept(static_cast<Fs>(pick(20)) * kNs);
    else if (lsu.socket.busy())
      return;
    else if (action < 62)
      send_load(line, false);
    else if (action < 66)
      send_load(line, true);
    else if (action < 82)
      send_store(line);
    else if (action < 90)
      alone_ ? send_store(line) : remote_store(line);
    else if (action < 93)
      alone_ ? send_load(line, false) : debug_write(line);
    else if (action < 95)
      invalidate();
    else if (action < 97)
      send_reduction(line);
  }

  void send_load(unsigned line, bool strong) {
    Outstanding o;
    o.line = line;
    o.wanted = some_bytes();
    o.arrival = arrivals_++;
    o.ceiling.fill(255);
    o.payload = strong ? load(lines_[line], o.wanted, Semantics::relaxed) : load(lines_[line], o.wanted);
    for (unsigned b = 0; b < kLineBytes; ++b) {
      o.floor[b] = strong ? history_.newest(line, b) : history_.floor(line, b);
      if (strong) o.ceiling[b] = history_.floor(line, b) = history_.newest(line, b);
    }
    waiting_.push_back(o);
    lsu.send(o.payload);
  }
  void send_store(unsigned line) {
    const ByteMask mask = some_bytes();
    const PayloadRef p = store(lines_[line], mask, 0);
    for (unsigned b = 0; b < kLineBytes; ++b)
      if (mask.test(b)) {
        p->get_data_ptr()[b] = history_.next(line, b);
        history_.floor(line, b) = history_.newest(line, b);
      }
    lsu.send(p);
  }
  void send_reduction(unsigned line) {
    for (unsigned b = 0; b < kLineBytes; ++b) history_.floor(line, b) = history_.newest(line, b);
    lsu.send(special(Operation::reduction, lines_[line]));
  }
  void remote_store(unsigned line) {
    const ByteMask mask = some_bytes();
    for (unsigned b = 0; b < kLineBytes; ++b)
      if (mask.test(b)) memory.line(lines_[line])[b] = history_.next(line, b);
  }
  void debug_write(unsigned line) {
    const unsigned first = pick(100), count = 1 + pick(28);
    for (unsigned b = first; b < first + count; ++b) {
      memory.line(lines_[line])[b] = history_.next(line, b);
      history_.floor(line, b) = history_.newest(line, b);
    }
    memory.socket.announce_debug_write(lines_[line] + first, lines_[line] + first + count - 1);
  }
  void invalidate() {
    lsu.send(special(Operation::l1_invalidate));
    lsu.answers.clear();
    for (unsigned line = 0; line < kLines; ++line)
      for (unsigned b = 0; b < kLineBytes; ++b) history_.floor(line, b) = history_.newest(line, b);
  }
  /// Answers any request below, a withheld one after taking it.
  void answer_one() {
    if (memory.arrivals.empty()) return;
    const unsigned i = pick(static_cast<unsigned>(memory.arrivals.size()));
    const PayloadRef p = memory.arrivals[i].payload;
    memory.arrivals.erase(memory.arrivals.begin() + i);
    memory.respond(p, static_cast<Fs>(pick(3)) * kNs);
  }

  void collect() {
    for (const Initiator::Answer& answer : lsu.answers) {
      const auto it = std::find_if(waiting_.begin(), waiting_.end(),
                                   [&](const Outstanding& o) { return o.payload.get() == answer.payload.get(); });
      if (it == waiting_.end()) continue;  // a store's acknowledgement
      check(*it);
      waiting_.erase(it);
    }
    lsu.answers.clear();
  }
  void check(const Outstanding& o) {
    ++loads_checked;
    BOOST_TEST_REQUIRE(o.payload->is_response_ok());
    for (unsigned b = 0; b < kLineBytes; ++b) {
      const unsigned value = o.payload->get_data_ptr()[b];
      if (!o.wanted.test(b)) {
        BOOST_TEST_REQUIRE(value == 0xeeU);
        continue;
      }
      ++bytes_checked;
      const unsigned newest = std::min(o.ceiling[b], history_.newest(o.line, b));
      BOOST_TEST_REQUIRE((value >= o.floor[b] && value <= newest), "line " << o.line << " byte " << b << ": " << value
                                                                           << " is not within " << o.floor[b] << " and "
                                                                           << newest);
    }
  }

  std::mt19937 random_;
  bool alone_;
  std::vector<std::uint64_t> lines_;
  History history_;
  std::vector<Outstanding> waiting_;
  unsigned arrivals_ = 0;
};

void run_seed(unsigned seed, unsigned fill_sectors, unsigned ways, const char* write_policy = "write_through") {
  const bool keeps = std::string_view(write_policy) == "write_back";
  L1Spec spec = published_spec();
  spec.write_policy = write_policy;
  spec.fill_sectors = fill_sectors;
  spec.ways = ways;
  RandomTraffic traffic(seed, spec, keeps);
  traffic.run_steps(4000);
  if (keeps) traffic.check_memory();
  BOOST_TEST(traffic.loads_checked > 500U);
  BOOST_TEST(counter(traffic.l1, "load_hits") > 20U);
  BOOST_TEST(counter(traffic.l1, "fills_poisoned") > 20U);
  BOOST_TEST(counter(traffic.l1, "evictions") > 20U);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_loaded_byte_is_one_the_thread_may_see_four_ways) {
  run_seed(1, 256, 4);
}
BOOST_AUTO_TEST_CASE(every_loaded_byte_is_one_the_thread_may_see_one_way) {
  run_seed(2, 256, 1);
}
BOOST_AUTO_TEST_CASE(every_loaded_byte_is_one_the_thread_may_see_few_fills) {
  run_seed(3, 12, 4);
}
BOOST_AUTO_TEST_CASE(every_loaded_byte_is_one_the_thread_may_see_another_seed) {
  run_seed(4, 64, 2);
}

BOOST_AUTO_TEST_CASE(every_loaded_byte_is_one_the_thread_may_see_when_stores_go_around) {
  run_seed(5, 32, 2, "write_around");
}
BOOST_AUTO_TEST_CASE(every_loaded_byte_is_one_the_thread_may_see_when_stores_stay_four_ways) {
  run_seed(6, 256, 4, "write_back");
}
BOOST_AUTO_TEST_CASE(every_loaded_byte_is_one_the_thread_may_see_when_stores_stay_one_way) {
  run_seed(7, 8, 1, "write_back");
}
