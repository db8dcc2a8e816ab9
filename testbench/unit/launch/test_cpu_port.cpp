// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>

#include "gputlm/host/system_memory.h"
#include "gputlm/launch/cpu_port.h"
#include "gputlm/test_support/script_units.h"

using namespace gputlm;

namespace {

constexpr Fs ns = kFsPerNs;

std::vector<unsigned char> bytes_from(unsigned first, std::size_t count) {
  std::vector<unsigned char> bytes(count);
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(first));
  return bytes;
}

/// The CPU before memory.
struct Memory {
  Memory() : cpu("cpu", pool), memory("memory", {1 << 20, 90 * ns}) {
    cpu.out.bind(memory.requests);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  std::vector<unsigned char> contents(std::uint64_t address, std::size_t bytes) const {
    std::vector<unsigned char> data(bytes);
    memory.read(address, data.data(), bytes);
    return data;
  }

  PayloadPool pool;
  CpuPort cpu;
  SystemMemory memory;
};

/// The CPU before a target that does what the test says.
struct Scripted {
  Scripted() : cpu("cpu", pool), target("target") {
    cpu.out.bind(target.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  PayloadPool pool;
  CpuPort cpu;
  ScriptTarget target;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_write_of_any_size_and_offset_changes_these_bytes_and_no_others) {
  Memory m;
  std::vector<unsigned char> expected(2048);
  unsigned first = 1;
  for (const auto& [address, bytes] : {std::pair{0U, 1U}, {127U, 2U}, {200U, 56U}, {256U, 128U}, {500U, 700U}}) {
    const auto data = bytes_from(first += 13, bytes);
    m.cpu.write(address, data.data(), bytes);
    std::copy(data.begin(), data.end(), expected.begin() + address);
  }
  run_until(1000 * ns);
  BOOST_TEST((m.contents(0, 2048) == expected));
  BOOST_TEST(m.cpu.idle());
}

BOOST_AUTO_TEST_CASE(a_read_gives_exactly_the_bytes_asked_for) {
  Memory m;
  const auto data = bytes_from(0, 1024);
  m.memory.write(0, data.data(), data.size());
  std::map<std::size_t, std::vector<unsigned char>> results;
  for (const auto& [address, bytes] : {std::pair{0U, 1U}, {127U, 2U}, {100U, 400U}, {128U, 128U}, {255U, 1U}})
    m.cpu.read(address, bytes, [&, at = address](bool ok, const std::vector<unsigned char>& read) {
      BOOST_TEST(ok);
      results[at] = read;
    });
  run_until(1000 * ns);
  BOOST_TEST_REQUIRE(results.size() == 5U);
  for (const auto& [address, read] : results)
    BOOST_TEST(std::equal(read.begin(), read.end(), data.begin() + static_cast<long>(address)), "at " << address);
  BOOST_TEST(results[100].size() == 400U);
  BOOST_TEST(m.cpu.idle());
}

BOOST_AUTO_TEST_CASE(a_read_that_is_refused_in_part_is_refused) {
  Memory m;
  bool called = false, good = true;
  m.cpu.read((1 << 20) - 64, 128, [&](bool ok, const std::vector<unsigned char>&) {
    called = true;
    good = ok;
  });
  run_until(1000 * ns);
  BOOST_TEST(called);
  BOOST_TEST(!good);
  BOOST_TEST(m.cpu.idle());
}

BOOST_AUTO_TEST_CASE(accesses_leave_in_the_order_in_which_they_were_made_however_slow_the_target_is) {
  Scripted s;
  s.target.admission = Admission::withhold;
  const auto data = bytes_from(0, 256);
  s.cpu.write(0x100, data.data(), 256);
  s.cpu.read(0x1000, 4, [](bool, const std::vector<unsigned char>&) {});
  s.cpu.write(0x300, data.data(), 4);
  for (int n = 1; n <= 4; ++n) {
    run_until(10 * n * ns);
    BOOST_TEST(s.target.log.size() == static_cast<std::size_t>(n));
    s.target.accept();
  }
  run_until(50 * ns);
  BOOST_TEST_REQUIRE(s.target.log.size() == 4U);
  const char* const addresses[] = {"request 100 ", "request 180 ", "request 1000 ", "request 300 "};
  for (std::size_t n = 0; n < 4; ++n) BOOST_TEST(s.target.log[n].rfind(addresses[n], 0) == 0U, s.target.log[n]);
}

BOOST_AUTO_TEST_CASE(answers_may_come_late_and_in_the_meantime_the_port_says_what_it_waits_for) {
  Scripted s;
  bool done = false;
  s.cpu.read(0x1000, 200, [&](bool ok, const std::vector<unsigned char>& read) { done = ok && read.size() == 200; });
  run_until(10 * ns);
  BOOST_TEST(!s.cpu.idle());
  std::ostringstream text;
  s.cpu.explain(text);
  BOOST_TEST(text.str().find("of the CPU is not answered") != std::string::npos, text.str());
  s.target.respond();
  run_until(20 * ns);
  BOOST_TEST(!done);
  s.target.respond();
  run_until(30 * ns);
  BOOST_TEST(done);
  BOOST_TEST(s.cpu.idle());
}

BOOST_AUTO_TEST_CASE(a_callback_may_read_again) {
  Memory m;
  int reads = 0;
  CpuPort::ReadDone again = [&](bool, const std::vector<unsigned char>&) {
    if (++reads < 3) m.cpu.read(static_cast<std::uint64_t>(reads) * 300, 200, again);
  };
  m.cpu.read(0, 200, again);
  run_until(1000 * ns);
  BOOST_TEST(reads == 3);
}

BOOST_AUTO_TEST_CASE(reset_forgets_what_is_under_way) {
  Scripted s;
  bool called = false;
  s.cpu.read(0x1000, 4, [&](bool, const std::vector<unsigned char>&) { called = true; });
  run_until(10 * ns);
  s.cpu.reset();
  s.target.reset();
  BOOST_TEST(s.cpu.idle());
  run_until(100 * ns);
  BOOST_TEST(!called);
}
