// SPDX-License-Identifier: Apache-2.0
//
// The CPU's way to the card's memory and to the doorbell, over the link.
#include "gputlm/test_support/sc_test.h"

#include "gputlm/host/apertures.h"
#include "link_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr std::uint64_t kCardBytes = 1 << 20;

struct Bench {
  Bench()
      : memory("memory", host_spec().memory),
        card("card", {kCardBytes, 200 * kFsPerNs}),
        link("link", host_spec(), 1, pool),
        apertures("apertures", kCardBytes),
        doorbell("doorbell"),
        device("device"),
        cpu("cpu") {
    device.out.bind(*link.device[0]);
    cpu.out.bind(link.host);
    link.to_host.bind(memory.requests);
    link.to_device.bind(apertures.requests);
    apertures.usermode.bind(doorbell.socket);
    apertures.bar1.bind(card.requests);
    doorbell.admission = Admission::complete;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  PayloadRef line(tlm::tlm_command command, std::uint64_t address) {
    PayloadRef p = pool.line(command, address, command == tlm::TLM_READ_COMMAND ? Operation::load : Operation::store);
    std::fill_n(p->get_data_ptr(), kLineBytes, static_cast<unsigned char>(0x6b));
    set_enables(*p, ByteMask::full());
    return p;
  }

  PayloadPool pool;
  SystemMemory memory, card;
  PcieLink link;
  Apertures apertures;
  ScriptTarget doorbell;
  Requester device, cpu;
};

}  // namespace

BOOST_AUTO_TEST_CASE(bar1_is_a_window_on_the_cards_memory) {
  Bench b;
  const unsigned char value = 0x11;
  b.card.write(0x2003, &value, 1);
  const PayloadRef read = b.line(tlm::TLM_READ_COMMAND, Apertures::kBar1Base + 0x2000);
  b.cpu.queue(b.line(tlm::TLM_WRITE_COMMAND, Apertures::kBar1Base + 0x1000));
  b.cpu.queue(read);
  sc_core::sc_start();
  unsigned char written = 0;
  b.card.read(0x107f, &written, 1);
  BOOST_TEST(written == 0x6b);
  BOOST_TEST(read->is_response_ok());
  BOOST_TEST(read->get_data_ptr()[3] == 0x11);
  BOOST_TEST(read->get_address() == Apertures::kBar1Base + 0x2000);
  BOOST_TEST(b.apertures.idle());
}

BOOST_AUTO_TEST_CASE(the_usermode_region_leads_to_the_doorbell) {
  Bench b;
  b.cpu.queue(b.line(tlm::TLM_WRITE_COMMAND, Apertures::kUsermodeBase + 0x80));
  sc_core::sc_start();
  BOOST_TEST_REQUIRE(b.doorbell.log.size() == 1U);
  BOOST_TEST(b.doorbell.log[0].rfind("request 80 at", 0) == 0U);
}

BOOST_AUTO_TEST_CASE(what_lies_in_no_aperture_is_an_address_error) {
  Bench b;
  for (const std::uint64_t address : {Apertures::kUsermodeBytes, Apertures::kBar1Base + kCardBytes}) {
    const PayloadRef p = b.line(tlm::TLM_READ_COMMAND, address);
    b.cpu.queue(p);
    sc_core::sc_start();
    BOOST_TEST((p->get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE));
    BOOST_TEST(b.apertures.on_debug(0, *p) == 0U);
  }
}

BOOST_AUTO_TEST_CASE(a_target_that_withholds_is_waited_for) {
  Bench b;
  b.doorbell.admission = Admission::withhold;
  const PayloadRef p = b.line(tlm::TLM_READ_COMMAND, 0x80);
  b.cpu.queue(p);
  run_until(1000 * kFsPerNs);
  BOOST_TEST(!b.apertures.idle());
  b.doorbell.accept();
  b.doorbell.respond();
  run_until(2000 * kFsPerNs);
  BOOST_TEST(b.apertures.idle());
  BOOST_TEST(b.cpu.answered.count(p.get()) == 1U);
  BOOST_TEST(p->get_address() == 0x80U);
}

BOOST_AUTO_TEST_CASE(debug_access_reaches_the_card_and_its_changes_are_announced_in_the_hosts_addresses) {
  Bench b;
  const PayloadRef w = b.line(tlm::TLM_WRITE_COMMAND, Apertures::kBar1Base + 0x3000);
  BOOST_TEST(b.cpu.out->transport_dbg(*w) == 128U);
  BOOST_TEST(w->get_address() == Apertures::kBar1Base + 0x3000);
  unsigned char written = 0;
  b.card.read(0x3000, &written, 1);
  BOOST_TEST(written == 0x6b);
  BOOST_TEST_REQUIRE(b.cpu.written.size() == 1U);
  BOOST_TEST(b.cpu.written[0].first == Apertures::kBar1Base + 0x3000);
}
