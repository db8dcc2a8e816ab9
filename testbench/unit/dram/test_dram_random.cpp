// SPDX-License-Identifier: Apache-2.0
//
// Random traffic against a reference: reads return what was accepted before them, the memory ends as the reference,
// every request is answered once, every command and every phase is legal, nothing leaks.
#include "gputlm/test_support/sc_test.h"

#include <array>
#include <map>
#include <random>
#include <sstream>

#include "dram_bench.h"

using namespace gputlm;

namespace {

using Line = std::array<unsigned char, kLineBytes>;

void pattern(std::uint64_t line, unsigned char* data) {
  for (unsigned i = 0; i < kLineBytes; ++i) data[i] = static_cast<unsigned char>((line >> 7) * 31 + i);
}

class RandomTraffic {
 public:
  RandomTraffic(const DramSpec& spec, unsigned seed, std::size_t lines) : b_(spec), random_(seed) {
    b_.memory.set_image(pattern);
    for (const std::uint64_t line : b_.lines(lines / 2)) places_.push_back(line);
    // The other half shares banks with the first, in other rows.
    for (const std::uint64_t line : b_.lines(lines / 2, 4 * 98304)) places_.push_back(line);
  }

  void run(std::size_t requests) {
    for (std::size_t i = 0; i < requests; ++i) {
      step();
      if (random_() % 4 == 0) DramBench::run(static_cast<Fs>(random_() % from_ns(random_() % 50 == 0 ? 3000 : 12)));
    }
    DramBench::drain();
    judge();
  }

 private:
  // A slice sends nothing about a line while a request of that line waits for its END_REQ.
  bool may_touch(std::uint64_t line) const {
    const auto last = last_request_.find(line);
    return last == last_request_.end() || b_.slices.log[last->second].accepted != kNever;
  }
  Line& reference(std::uint64_t line) {
    const auto [entry, fresh] = reference_.try_emplace(line);
    if (fresh) pattern(line, entry->second.data());
    return entry->second;
  }
  ByteMask random_mask() {
    switch (random_() % 4) {
      case 0:
        return ByteMask::full();
      case 1:
        return ByteMask::sectors(static_cast<SectorSet>(1 + random_() % 15));
      case 2:
        return ByteMask::range(static_cast<unsigned>(random_() % 128), static_cast<unsigned>(1 + random_() % 40));
      default:
        return {random_() & random_(), random_() & random_()};
    }
  }
  void step() {
    const std::size_t index = random_() % places_.size();
    const std::uint64_t line = places_[index];
    const auto slice = static_cast<unsigned>(index % 3);
    if (!may_touch(line)) return;
    const ByteMask mask = random_mask();
    if (random_() % 2 == 0) {
      const std::size_t i = last_request_[line] = b_.slices.read(slice, line, mask);
      expected_[i] = {reference(line), mask};
      return;
    }
    Line data;
    for (auto& byte : data) byte = static_cast<unsigned char>(random_());
    last_request_[line] = b_.slices.write(slice, line, data.data(), mask);
    Line& now_there = reference(line);
    for (unsigned i = 0; i < kLineBytes; ++i)
      if (mask.test(i)) now_there[i] = data[i];
  }
  void judge() {
    BOOST_TEST(b_.slices.answered == b_.slices.log.size());
    for (const auto& [i, wanted] : expected_)
      for (unsigned byte = 0; byte < kLineBytes; ++byte) {
        const unsigned char due = wanted.second.test(byte) ? wanted.first[byte] : 0xee;
        BOOST_REQUIRE_MESSAGE(b_.slices.data(i)[byte] == due, "request " << i << " byte " << byte);
      }
    for (const auto& [line, wanted] : reference_) {
      Line there;
      b_.memory.read(line, there.data());
      BOOST_REQUIRE(there == wanted);
    }
    b_.commands.finish();
    for (const std::string& v : b_.commands.violations()) BOOST_ERROR(v);
    std::ostringstream text;
    b_.violations.print(text);
    BOOST_TEST(b_.violations.total() == 0U, text.str());
    BOOST_TEST(b_.controller.idle());
    b_.slices.log.clear();
    BOOST_TEST(b_.pool.outstanding() == 0U);
  }

  DramBench b_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> places_;
  std::map<std::uint64_t, Line> reference_;
  std::map<std::uint64_t, std::size_t> last_request_;
  std::map<std::size_t, std::pair<Line, ByteMask>> expected_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(few_lines_many_hazards) {
  RandomTraffic(rtx4090_dram(), 1, 12).run(6000);
}

BOOST_AUTO_TEST_CASE(many_lines) {
  RandomTraffic(rtx4090_dram(), 2, 2000).run(8000);
}

BOOST_AUTO_TEST_CASE(tiny_queues_and_low_marks) {
  DramSpec s = rtx4090_dram();
  s.read_queue_entries = 2, s.write_queue_entries = 3, s.write_high_mark = 2, s.write_low_mark = 1;
  RandomTraffic(s, 3, 200).run(5000);
}

BOOST_AUTO_TEST_CASE(closed_page_with_codeword_ecc) {
  DramSpec s = rtx4090_dram();
  s.page_policy = "closed";
  s.ecc = "codeword";
  RandomTraffic(s, 4, 200).run(5000);
}

BOOST_AUTO_TEST_CASE(open_page_two_lanes_fcfs) {
  DramSpec s = rtx4090_dram();
  s.page_policy = "open";
  s.scheduler = "fcfs";
  s.timing.commands_per_clock = 2;
  RandomTraffic(s, 5, 200).run(5000);
}

BOOST_AUTO_TEST_CASE(frequent_refresh_and_short_age_cap) {
  DramSpec s = rtx4090_dram();
  s.timing.refresh_interval = from_ns(250);
  s.age_cap = from_ns(100);
  s.timing.tRRDS = 2, s.timing.tRRDL = 4;  // so that the four-activate window binds
  RandomTraffic(s, 6, 400).run(6000);
}

BOOST_AUTO_TEST_CASE(no_look_ahead_and_a_short_idle_timer) {
  DramSpec s = rtx4090_dram();
  s.look_ahead = 0;
  s.idle_close = from_ns(10);
  RandomTraffic(s, 7, 300).run(4000);
}
