// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <random>

#include "gputlm/host/copy_engine.h"
#include "gputlm/host/system_memory.h"
#include "link_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr Fs ns = kFsPerNs;
constexpr std::uint64_t kCard = 1 << 20, kHostVa = std::uint64_t{1} << 36;

struct Space : GpuAddressSpace {
  std::optional<GpuLocation> locate(std::uint64_t va) const override {
    if (va < kCard) return GpuLocation{false, va};
    if (va >= kHostVa) return GpuLocation{true, va - kHostVa};
    return {};
  }
  std::uint64_t device_bytes() const override { return kCard; }
};

struct Bench : MemoryOperations {
  Bench()
      : host("host", host_spec().memory),
        card("card", {kCard, 270 * ns}),
        link("link", host_spec(), 1, pool),
        engine("engine", {256, 128, 50 * ns}, pool, space),
        cpu("cpu"),
        aperture("aperture") {
    engine.dma.host.bind(*link.device[0]);
    engine.dma.device.bind(card.requests);
    link.to_host.bind(host.requests);
    link.to_device.bind(aperture.socket);
    cpu.out.bind(link.host);
    engine.memory = this;
    std::mt19937 random(4);
    for (auto& byte : image) byte = static_cast<unsigned char>(random());
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  void membar(bool system, WorkDone done) override {
    barriers.push_back(system);
    barrier_done.push_back(std::move(done));
  }
  void flush_l2(WorkDone) override {}

  void copy(const CopyRequest& request) {
    engine.copy(1, request, [this](const WorkResult& r) {
      results.push_back(r);
      ended.push_back(now());
    });
  }
  void settle() { run_until(now() + 1'000'000 * ns); }
  static std::vector<unsigned char> contents(const SystemMemory& memory, std::uint64_t address, std::size_t bytes) {
    std::vector<unsigned char> data(bytes);
    memory.read(address, data.data(), bytes);
    return data;
  }

  PayloadPool pool;
  Space space;
  SystemMemory host, card;
  PcieLink link;
  CopyEngine engine;
  Requester cpu;
  ScriptTarget aperture;
  std::vector<unsigned char> image = std::vector<unsigned char>(200'000);
  std::vector<bool> barriers;
  std::vector<WorkDone> barrier_done;
  std::vector<WorkResult> results;
  std::vector<Fs> ended;
};

CopyRequest linear(std::uint64_t source, std::uint64_t destination, std::uint32_t bytes) {
  CopyRequest r;
  r.source = source;
  r.destination = destination;
  r.line_length = bytes;
  return r;
}

}  // namespace

BOOST_AUTO_TEST_CASE(bytes_reach_the_host_and_come_back_wherever_they_start) {
  Bench b;
  for (const std::uint64_t shift : {0, 1, 100, 127}) {
    b.card.write(0x1000 + shift, b.image.data(), 5000);
    b.copy(linear(0x1000 + shift, kHostVa + 0x20003, 5000));
    b.copy(linear(kHostVa + 0x20003, 0x80007, 5000));
    b.settle();
    const std::vector<unsigned char> expected(b.image.begin(), b.image.begin() + 5000);
    BOOST_TEST((Bench::contents(b.host, 0x20003, 5000) == expected));
    BOOST_TEST((Bench::contents(b.card, 0x80007, 5000) == expected));
    BOOST_TEST((Bench::contents(b.card, 0x80000, 7) == std::vector<unsigned char>(7)));
    BOOST_TEST((Bench::contents(b.card, 0x80007 + 5000, 9) == std::vector<unsigned char>(9)));
  }
  BOOST_TEST(b.results.size() == 8U);
  BOOST_TEST(b.engine.idle());
  BOOST_TEST(b.pool.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(lines_of_a_rectangle_follow_their_pitches_also_upside_down) {
  Bench b;
  b.card.write(0, b.image.data(), 10'000);
  CopyRequest r = linear(9 * 1000, kHostVa + 0x1000, 300);
  r.line_count = 10;
  r.pitch_in = -1000;
  r.pitch_out = 512;
  b.copy(r);
  b.settle();
  for (unsigned line = 0; line < 10; ++line) {
    const auto from = b.image.begin() + (9 - line) * 1000;
    BOOST_TEST((Bench::contents(b.host, 0x1000 + 512 * line, 300) == std::vector<unsigned char>(from, from + 300)));
    BOOST_TEST((Bench::contents(b.host, 0x1000 + 512 * line + 300, 212) == std::vector<unsigned char>(212)));
  }
}

BOOST_AUTO_TEST_CASE(a_long_copy_to_the_host_and_from_it_runs_at_the_links_rate) {
  Bench b;
  b.card.write(0, b.image.data(), b.image.size());
  const auto bytes = static_cast<std::uint32_t>(b.image.size());
  const double full = bytes / b.link.stream_bytes_per_ns();
  b.copy(linear(0, kHostVa, bytes));
  b.settle();
  const double to_host = to_ns(b.ended[0]);
  BOOST_TEST(to_host > 0.95 * full);
  BOOST_TEST(to_host < 1.10 * full + 400);
  const Fs start = now();
  b.copy(linear(kHostVa, 0x80000, bytes));
  b.settle();
  const double from_host = to_ns(b.ended[1] - start);
  BOOST_TEST(from_host > full);
  BOOST_TEST(from_host < 1.10 * full + 1400);
}

BOOST_AUTO_TEST_CASE(the_semaphore_follows_the_data_and_copies_take_turns) {
  Bench b;
  struct LastWrite : SystemMemoryObserver {
    std::vector<std::uint64_t> lines;
    void on_device_write(std::uint64_t line, ByteMask) override { lines.push_back(line); }
  } writes;
  b.host.observer = &writes;
  CopyRequest r = linear(0, kHostVa + 0x1000, 1024);
  r.semaphore_words = 1;
  r.semaphore = kHostVa + 0x8004;
  r.payload = 5;
  b.copy(r);
  r.destination = kHostVa + 0x4000;
  r.semaphore = kHostVa + 0x9000;
  r.semaphore_words = 4;
  b.copy(r);
  b.settle();
  BOOST_TEST_REQUIRE(writes.lines.size() == 18U);
  BOOST_TEST(writes.lines[8] == 0x8000U);
  BOOST_TEST(writes.lines[17] == 0x9000U);
  BOOST_TEST(Bench::contents(b.host, 0x8004, 1)[0] == 5);
  BOOST_TEST(Bench::contents(b.host, 0x9000, 1)[0] == 5);
  BOOST_TEST(Bench::contents(b.host, 0x9008, 8) != std::vector<unsigned char>(8));
}

BOOST_AUTO_TEST_CASE(a_flush_comes_between_data_and_semaphore) {
  Bench b;
  CopyRequest r = linear(kHostVa, 0x1000, 1024);
  r.flush = true;
  r.flush_system = false;
  r.semaphore_words = 1;
  r.semaphore = kHostVa + 0x8000;
  r.payload = 1;
  b.copy(r);
  b.settle();
  BOOST_TEST((b.barriers == std::vector<bool>{false}));
  BOOST_TEST(Bench::contents(b.host, 0x8000, 1)[0] == 0);
  b.barrier_done[0]({});
  b.settle();
  BOOST_TEST(Bench::contents(b.host, 0x8000, 1)[0] == 1);
  BOOST_TEST(b.results.size() == 1U);
}

BOOST_AUTO_TEST_CASE(physical_addresses_are_the_cards_and_nothing_at_all_may_be_copied) {
  Bench b;
  b.card.write(0x2000, b.image.data(), 64);
  CopyRequest r = linear(0x2000, 0x3000, 64);
  r.source_physical = r.destination_physical = true;
  b.copy(r);
  r.transfer = false;
  r.destination = 0x4000;
  b.copy(r);
  b.copy(linear(0x2000, 0x5000, 0));
  b.settle();
  BOOST_TEST(
      (Bench::contents(b.card, 0x3000, 64) == std::vector<unsigned char>(b.image.begin(), b.image.begin() + 64)));
  BOOST_TEST(Bench::contents(b.card, 0x4000, 1)[0] == 0);
  BOOST_TEST(b.results.size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_copy_out_of_range_names_the_address_writes_no_semaphore_and_the_next_copy_runs) {
  Bench b;
  CopyRequest r = linear(kCard - 512, kHostVa + 0x1000, 1024);
  r.semaphore_words = 1;
  r.semaphore = kHostVa + 0x8000;
  r.payload = 1;
  b.copy(r);
  b.copy(linear(0, kCard - 256, 512));
  CopyRequest physical = linear(0, kCard, 128);
  physical.destination_physical = true;
  b.copy(physical);
  b.copy(linear(0, 0x100, 16));
  b.settle();
  BOOST_TEST_REQUIRE(b.results.size() == 4U);
  BOOST_TEST(b.results[0].reason == "copy: 0x100000 cannot be read: not mapped, or refused");
  BOOST_TEST((b.results[0].kind == ChannelErrorKind::mmu_fault));
  BOOST_TEST(b.results[1].reason == "copy: 0x100000 cannot be written: not mapped, or refused");
  BOOST_TEST(b.results[2].reason == "copy: 0x100000 cannot be written: not mapped, or refused");
  BOOST_TEST(b.results[3].ok);
  BOOST_TEST(Bench::contents(b.host, 0x8000, 1)[0] == 0);
  BOOST_TEST(b.engine.idle());
}

// The second line is the last of all addresses.
BOOST_AUTO_TEST_CASE(a_negative_pitch_that_leads_below_address_0_is_out_of_range) {
  Bench b;
  CopyRequest r = linear(0x100, kHostVa, 256);
  r.line_count = 2;
  r.pitch_in = -0x200;
  r.pitch_out = 256;
  b.copy(r);
  b.copy(linear(0, 0x100, 16));
  b.settle();
  BOOST_TEST_REQUIRE(b.results.size() == 2U);
  BOOST_TEST(b.results[0].reason == "copy: 0xffffffffffffff00 cannot be read: not mapped, or refused");
  BOOST_TEST(b.results[1].ok);
  BOOST_TEST(b.engine.idle());
}

BOOST_AUTO_TEST_CASE(reset_forgets_copies_under_way) {
  Bench b;
  b.copy(linear(0, kHostVa, 100'000));
  b.copy(linear(0, kHostVa, 100'000));
  run_until(500 * ns);
  BOOST_TEST(!b.engine.idle());
  b.engine.reset();
  b.card.reset();
  b.link.reset();
  b.host.reset();
  BOOST_TEST(b.engine.idle());
  b.settle();
  BOOST_TEST(b.results.empty());
  BOOST_TEST(b.pool.outstanding() == 0U);
}
