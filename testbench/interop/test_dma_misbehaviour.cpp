// SPDX-License-Identifier: Apache-2.0
//
// Memories behind a card's DMA that break the base protocol: a report that names the place, and no hang.
#include "port_bench.h"
//
#include <algorithm>

#include "gputlm/launch/pcie_card.h"
#include "rogue_target.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr std::uint64_t kVirtual = std::uint64_t{1} << 39U;

/// A warp whose accesses go through the card to the host's memory, which misbehaves.
struct DmaBench {
  PcieCard card{"card", Config::load("tiny")};
  RogueTarget memory{"memory"};
  BlockingInitiator warp{"warp"}, cpu{"cpu"};
  std::vector<std::string> reports;

  DmaBench() {
    card.dma.bind(memory.socket);
    warp.socket.bind(card.gpu.sms[0]->lsu.external);
    cpu.socket.bind(card.pcie);
    card.map_host(kVirtual, 0, 1 << 20);
  }

  /// Answers after 100 ns, `times` times.
  void answers_late(unsigned times) {
    memory.on_call = [this, times](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase) {
      if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
      p.acquire();
      sc_core::sc_spawn([this, times, &p] {
        sc_core::wait(100, sc_core::SC_NS);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        std::fill_n(p.get_data_ptr(), p.get_data_length(), static_cast<unsigned char>(9));
        for (unsigned i = 0; i < times; ++i) memory.send(p, tlm::BEGIN_RESP);
        p.release();
      });
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    };
  }

  /// Runs a read of the warp's with reports that stop the run, and returns the one that did.
  std::string report_of_read() {
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    warp.program = [this] {
      std::vector<unsigned char> data(8);
      warp.call(tlm::TLM_READ_COMMAND, kVirtual + 0x100, data);
    };
    try {
      sc_core::sc_start();
    } catch (const sc_core::sc_report& report) {
      return std::string(report.get_msg_type()) + ": " + report.get_msg();
    }
    return {};
  }
  /// What waits at the end, as one text.
  std::string waits() const {
    std::string all;
    const WaitList list = card.waits();
    for (const Wait& w : list.all()) all += w.unit + ": " + w.text() + "\n";
    return all;
  }
};

bool says(const std::string& text, const char* what) {
  BOOST_TEST_INFO("it says: " << text);
  return text.find(what) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_memory_that_answers_twice, DmaBench) {
  answers_late(2);
  const std::string report = report_of_read();
  BOOST_TEST(says(report, "card.dma.memory: an answer to load of line 0x100, which is not under way"));
}

BOOST_FIXTURE_TEST_CASE(where_reports_go_on_a_second_answer_changes_nothing, DmaBench) {
  answers_late(3);
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
  warp.program = [this] {
    for (unsigned i = 0; i < 20; ++i)
      BOOST_TEST((warp.read(kVirtual + i * 0x100, 8) == std::vector<unsigned char>(8, 9)));
    BOOST_TEST(warp.write(kVirtual, std::vector<unsigned char>(300, 1)) == tlm::TLM_OK_RESPONSE);
  };
  sc_core::sc_start();
  BOOST_TEST(warp.finished);
  BOOST_TEST(card.idle());
  BOOST_TEST(card.gpu.mem.pool.outstanding() == 0U);
  BOOST_TEST(sc_core::sc_report_handler::get_count(sc_core::SC_ERROR) >= 20);
}

BOOST_FIXTURE_TEST_CASE(a_memory_that_answers_what_was_never_asked, DmaBench) {
  PayloadPool pool;
  PayloadRef other = pool.line(tlm::TLM_READ_COMMAND, 0x4000, Operation::load);
  other->set_response_status(tlm::TLM_OK_RESPONSE);
  memory.on_call = [&](tlm::tlm_generic_payload& p, tlm::tlm_phase&) {
    memory.send(*other, tlm::BEGIN_RESP);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  BOOST_TEST(says(report_of_read(), "card.dma.memory: an answer to load of line 0x4000, which is not under way"));
}

BOOST_FIXTURE_TEST_CASE(a_memory_that_completes_without_a_status, DmaBench) {
  memory.on_call = [](auto&, auto&) { return tlm::TLM_COMPLETED; };
  BOOST_TEST(says(report_of_read(), "card.dma.memory: a response without a status was received"));
}

BOOST_FIXTURE_TEST_CASE(a_memory_that_never_accepts_is_named_when_the_simulation_starves, DmaBench) {
  memory.on_call = [](auto&, auto&) { return tlm::TLM_ACCEPTED; };
  BOOST_TEST(report_of_read().empty());
  BOOST_TEST(!warp.finished);
  BOOST_TEST(says(waits(), "card.dma: a request of the card waits since "));
  BOOST_TEST(says(waits(), "the host's memory withholds END_REQ"));
}

BOOST_FIXTURE_TEST_CASE(a_memory_that_never_answers_is_named_when_the_simulation_starves, DmaBench) {
  answers_late(0);
  BOOST_TEST(report_of_read().empty());
  BOOST_TEST(!warp.finished);
  BOOST_TEST(says(waits(), "card.engines.link"));
  BOOST_TEST(says(waits(), "load of line 0x100"));
}

BOOST_FIXTURE_TEST_CASE(a_memory_that_ends_a_response_itself, DmaBench) {
  memory.on_call = [this](tlm::tlm_generic_payload& p, tlm::tlm_phase&) {
    memory.send(p, tlm::END_RESP);  // an initiator's phase: no meaning backward
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  BOOST_TEST(report_of_read().empty());
  BOOST_TEST(warp.finished);
  BOOST_TEST(card.idle());
}

BOOST_FIXTURE_TEST_CASE(an_error_of_the_memory_reaches_the_warp, DmaBench) {
  memory.on_call = [](tlm::tlm_generic_payload& p, auto&) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  warp.program = [this] {
    std::vector<unsigned char> data(8);
    BOOST_TEST(warp.call(tlm::TLM_READ_COMMAND, kVirtual, data) != tlm::TLM_OK_RESPONSE);
  };
  sc_core::sc_start();
  BOOST_TEST(warp.finished);
  BOOST_TEST(card.idle());
}
