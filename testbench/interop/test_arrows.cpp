// SPDX-License-Identifier: Apache-2.0
//
// A user's own scoreboard on all arrows of a card.
#include <map>
#include <set>

#include "gputlm/system/gpu.h"
#include "port_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

/// Counts phases, and that each transaction's come in order.
struct Watcher : tlm::tlm_analysis_if<ArrowEvent> {
  void write(const ArrowEvent& e) override {
    ++events;
    const auto phase = static_cast<unsigned>(e.phase);
    unsigned& next = expected[e.payload];
    if (phase != next) ++out_of_order;
    next = (phase + 1) % 4;
    if (phase == 0) lines.insert(e.payload->get_address());
  }
  unsigned events = 0, out_of_order = 0;
  std::map<const Payload*, unsigned> expected;
  std::set<std::uint64_t> lines;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_scoreboard_subscribes_to_every_arrow_by_walking_their_list) {
  const Config config = Config::load("tiny");
  Gpu gpu("gpu", config);
  BlockingInitiator host("host");
  host.socket.bind(gpu.sms[0]->lsu.external);
  gpu.pages.map(0x4000'0000, 0, config.mmu.page_bytes);
  std::map<std::string, Watcher> watchers;
  for (const ShownArrow& arrow : gpu.mem.wiring.arrows()) arrow.phases.bind(watchers[arrow.name]);
  host.program = [&] {
    host.write(0x4000'0080, std::vector<unsigned char>(256, 3));
    host.read(0x4000'1000, 4);
  };
  sc_core::sc_start();
  BOOST_TEST(watchers.size() == gpu.mem.wiring.arrows().size());  // names are unique
  BOOST_TEST(watchers.size() == 2U * 7 + 1 + 1 + 2 + 2);
  for (const auto& [name, w] : watchers) BOOST_TEST(w.out_of_order == 0U, name);
  const std::set<std::uint64_t> virtual_lines{0x4000'0080, 0x4000'0100, 0x4000'1000}, lines{0x80, 0x100, 0x1000};
  BOOST_TEST((watchers.at("sm0.lsu.line").lines == virtual_lines));
  BOOST_TEST((watchers.at("crossbar.slice0").lines == lines));
  BOOST_TEST(watchers.at("crossbar.slice0").events == 12U);
  BOOST_TEST((watchers.at("l2_0.reads").lines == std::set<std::uint64_t>{0x1000}));
  BOOST_TEST(watchers.at("sm1.lsu.line").events == 0U);
}

BOOST_AUTO_TEST_CASE(a_ports_own_arrow_is_in_the_list_before_its_lines) {
  PortBench bench;
  BlockingInitiator host("host");
  bench.connect(host.socket, 0);
  Watcher outside, inside;
  for (const ShownArrow& arrow : bench.memory.wiring.arrows()) {
    if (arrow.name == "port0.bus") arrow.phases.bind(outside);
    if (arrow.name == "port0.lines") arrow.phases.bind(inside);
  }
  host.program = [&] { host.write(100, std::vector<unsigned char>(300, 1)); };
  bench.run();
  BOOST_TEST(outside.events == 4U);
  BOOST_TEST(inside.events == 16U);  // four lines
  BOOST_TEST(inside.out_of_order == 0U);
  bench.expect_clean();
}
