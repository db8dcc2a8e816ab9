// SPDX-License-Identifier: Apache-2.0
//
// Sockets of every width in front of an SM's road and of a whole card, and behind its DMA.
#include "at_target.h"
#include "gputlm/launch/pcie_card.h"
#include "wide_host.h"

using namespace gputlm;
using namespace gputlm::test;

BOOST_AUTO_TEST_CASE(roads_of_sms_with_32_64_256_and_512_bits) {
  Gpu gpu("gpu", Config::load("tiny", {"sm.count=4"}));
  gpu.pages.map(0, 0, gpu.config().mmu.page_bytes);
  WideHost<32> a("a");
  WideHost<64> b("b");
  WideHost<256> c("c");
  WideHost<512> d("d");
  a.socket.bind(gpu.port<32>(0));
  b.socket.bind(gpu.port<64>(1));
  c.socket.bind(gpu.port<256>(2));
  d.socket.bind(gpu.port<512>(3));
  BOOST_TEST(&gpu.port<64>(1) == &gpu.port<64>(1));
  sc_core::sc_start();
  BOOST_TEST(a.right);
  BOOST_TEST(b.right);
  BOOST_TEST(c.right);
  BOOST_TEST(d.right);
  BOOST_TEST(gpu.idle());
}

namespace {

/// Behind the card's DMA: a memory with a socket of some width, of plain b_transport.
template <unsigned BUSWIDTH>
struct WideMemory : sc_core::sc_module {
  explicit WideMemory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &WideMemory::b_transport);
  }
  tlm_utils::simple_target_socket<WideMemory, BUSWIDTH> socket{"socket"};
  ByteStore bytes;
  unsigned served = 0;

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    perform(p, bytes);
    ++served;
  }
};

/// A card whose sockets all have one width: a CPU at BAR1, a warp whose accesses go to the host's memory.
template <unsigned BUSWIDTH>
struct WideCard {
  static constexpr std::uint64_t kHostVirtual = std::uint64_t{1} << 39U;
  std::string n = std::to_string(BUSWIDTH);
  PcieCard card{("card" + n).c_str(), Config::load("tiny")};
  WideHost<BUSWIDTH> cpu{("cpu" + n).c_str(), Apertures::kBar1Base}, warp{("warp" + n).c_str(), kHostVirtual};
  WideMemory<BUSWIDTH> memory{("memory" + n).c_str()};

  WideCard() {
    cpu.socket.bind(card.template pcie_port<BUSWIDTH>());
    warp.socket.bind(card.gpu.template port<BUSWIDTH>(0));
    card.template dma_port<BUSWIDTH>().bind(memory.socket);
    card.map_host(kHostVirtual, 0, 1 << 20);
  }
  void check() const {
    BOOST_TEST(cpu.right, BUSWIDTH);
    BOOST_TEST(warp.right, BUSWIDTH);
    BOOST_TEST(memory.served > 0U);
    BOOST_TEST(card.idle());
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(cards_whose_sockets_have_32_64_256_and_512_bits_side_by_side) {
  WideCard<32> a;
  WideCard<64> b;
  WideCard<256> c;
  WideCard<512> d;
  sc_core::sc_start();
  a.check();
  b.check();
  c.check();
  d.check();
}

BOOST_AUTO_TEST_CASE(a_socket_that_has_an_adapter_or_is_bound_is_refused_another) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
  PcieCard card("card", Config::load("tiny"));
  WideHost<32> host("host");
  const auto refused = [](const auto& ask) {
    try {
      ask();
    } catch (const sc_core::sc_report& report) {
      return std::string(report.get_msg_type()) + ": " + report.get_msg();
    }
    return std::string();
  };
  card.pcie_port<64>();
  const std::string second = refused([&] { card.pcie_port<256>(); });
  BOOST_TEST(second.find("card.pcie.bus: a socket of 256 bits is asked for, but one of 64 bits") != std::string::npos,
             second);
  host.socket.bind(card.gpu.sms[0]->lsu.external);
  const std::string bound = refused([&] { card.gpu.port<64>(0); });
  BOOST_TEST(bound.find("the one of 32 bits is bound") != std::string::npos, bound);
  // Whose report handler goes on gets an exception: there is no socket to give.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
  BOOST_CHECK_THROW(card.pcie_port<512>(), std::logic_error);
}
