// SPDX-License-Identifier: Apache-2.0
//
// Random traffic of every kind through a link with few credits, tags and queue entries, and copies beside it: the base
// protocol holds on every arrow, every byte arrives, nothing is left over.
#include "gputlm/test_support/sc_test.h"

#include <random>
#include <sstream>

#include "gputlm/host/copy_engine.h"
#include "gputlm/tlm/protocol_checker.h"
#include "link_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr Fs ns = kFsPerNs;
constexpr std::uint64_t kCardBytes = 1 << 20, kHostVa = std::uint64_t{1} << 36, kCopied = 0x400000;

struct Space : GpuAddressSpace {
  std::optional<GpuLocation> locate(std::uint64_t va) const override {
    if (va < kCardBytes) return GpuLocation{false, va};
    return GpuLocation{true, va - kHostVa};
  }
  std::uint64_t device_bytes() const override { return kCardBytes; }
};

struct NoOperations : MemoryOperations {
  void membar(bool, WorkDone) override {}
  void flush_l2(WorkDone) override {}
};

HostSpec scarce(unsigned seed) {
  HostSpec spec = host_spec();
  spec.pcie.queue_lines = 1 + seed % 3;
  spec.pcie.posted_credits = 1 + seed % 5;
  spec.pcie.non_posted_credits = 1 + seed % 4;
  spec.pcie.read_tags = 1 + seed % 7;
  return spec;
}

struct Bench {
  explicit Bench(unsigned seed)
      : memory("memory", host_spec().memory),
        bar("bar", {kCardBytes, 200 * ns}),
        card("card", {kCardBytes, 200 * ns}),
        link("link", scarce(seed), 3, pool),
        copies("copies", {256, 16, 50 * ns}, pool, space),
        a("a"),
        b("b"),
        cpu("cpu") {
    connect(a.out, *link.device[0]);
    connect(b.out, *link.device[1]);
    connect(copies.dma.host, *link.device[2]);
    connect(copies.dma.device, card.requests);
    connect(cpu.out, link.host);
    connect(link.to_host, memory.requests);
    connect(link.to_device, bar.requests);
    copies.memory = &operations;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  template <class From, class To>
  void connect(From& from, To& to) {
    checkers.push_back(std::make_unique<ProtocolChecker>(("check" + std::to_string(checkers.size())).c_str(), log));
    checkers.back()->connect(from, to);
  }

  PayloadPool pool;
  Space space;
  NoOperations operations;
  ViolationLog log;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;
  SystemMemory memory, bar, card;
  PcieLink link;
  CopyEngine copies;
  Requester a, b, cpu;
};

/// A requester's random stores and reads of its own lines; what its memory must hold in the end, and what each read
/// must have returned, follows from program order.
struct Traffic {
  std::map<std::uint64_t, unsigned char> last;
  std::vector<std::pair<PayloadRef, unsigned char>> reads;

  void make(std::mt19937& random, PayloadPool& pool, Requester& requester, std::uint64_t base) {
    Fs at = 0;
    for (int i = 0; i < 300; ++i) {
      if (random() % 8 == 0) at += static_cast<Fs>(random() % 2000) * ns;  // bursts, then a pause
      const std::uint64_t line = base + kLineBytes * (random() % 24);
      switch (random() % 5) {
        case 0:
        case 1: {
          PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, line, Operation::load);
          set_enables(*p, ByteMask::full());
          reads.emplace_back(p, last[line]);
          requester.queue(p, at);
          break;
        }
        case 2:
          requester.queue(pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::system_barrier), at);
          break;
        default: {
          PayloadRef p = pool.line(tlm::TLM_WRITE_COMMAND, line, Operation::store);
          last[line] = static_cast<unsigned char>(random());
          std::fill_n(p->get_data_ptr(), kLineBytes, last[line]);
          set_enables(*p, ByteMask::full());
          requester.queue(p, at);
        }
      }
    }
  }
  bool reads_right() const {
    return std::all_of(reads.begin(), reads.end(), [](const auto& r) {
      return r.first->is_response_ok() && r.first->get_data_ptr()[0] == r.second &&
             r.first->get_data_ptr()[kLineBytes - 1] == r.second;
    });
  }
  bool memory_right(const SystemMemory& memory) const {
    return std::all_of(last.begin(), last.end(), [&](const auto& line) {
      unsigned char value = 0;
      memory.read(line.first, &value, 1);
      return value == line.second;
    });
  }
};

void runs_clean(unsigned seed) {
  Bench b(seed);
  std::mt19937 random(seed);
  Traffic of_a, of_b, of_cpu;
  of_a.make(random, b.pool, b.a, 0);
  of_b.make(random, b.pool, b.b, 0x100000);
  of_cpu.make(random, b.pool, b.cpu, 0x1000);
  std::vector<unsigned char> image(20'000);
  for (auto& byte : image) byte = static_cast<unsigned char>(random());
  b.card.write(100, image.data(), image.size());
  CopyRequest out;
  out.source = 100;
  out.destination = kHostVa + kCopied + random() % 500;
  out.line_length = static_cast<std::uint32_t>(image.size());
  CopyRequest back = out;
  back.source = out.destination;
  back.destination = 0x80000 + random() % 500;
  unsigned copied = 0;
  for (const CopyRequest& r : {out, back}) b.copies.copy(0, r, [&](const WorkResult& w) { copied += w.ok ? 1 : 0; });
  sc_core::sc_start(10'000'000, sc_core::SC_NS);
  for (const auto& checker : b.checkers) checker->finish();
  std::ostringstream text;
  b.log.print(text);
  BOOST_TEST(b.log.total() == 0U, text.str());
  BOOST_TEST(copied == 2U);
  std::vector<unsigned char> returned(image.size());
  b.card.read(back.destination, returned.data(), returned.size());
  BOOST_TEST((returned == image));
  for (const Traffic* t : {&of_a, &of_b, &of_cpu}) BOOST_TEST(t->reads_right());
  BOOST_TEST(of_a.memory_right(b.memory));
  BOOST_TEST(of_b.memory_right(b.memory));
  BOOST_TEST(of_cpu.memory_right(b.bar));
  for (const Requester* r : {&b.a, &b.b, &b.cpu}) BOOST_TEST(r->answered.size() == 300U);
  BOOST_TEST(b.link.idle());
  BOOST_TEST(b.copies.idle());
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_traffic_one) {
  runs_clean(1);
}
BOOST_AUTO_TEST_CASE(random_traffic_two) {
  runs_clean(2);
}
BOOST_AUTO_TEST_CASE(random_traffic_three) {
  runs_clean(3);
}
BOOST_AUTO_TEST_CASE(random_traffic_with_one_of_everything) {
  runs_clean(420);
}
