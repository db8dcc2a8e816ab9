// SPDX-License-Identifier: Apache-2.0
//
// PcieCard: the apertures, DMA to somebody else's memory, interrupts.
#include "card_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

void serves_a_channel(Answer answer) {
  CardBench b(answer);
  b.run([&] {
    b.queue(0, CardBench::release(0xabcd));
    b.ring();
    sc_core::wait(b.irq.posedge_event());
    BOOST_TEST(b.peek(0x4000) == 0xabcdU);  // the semaphore is there before the interrupt
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_channel_in_a_memory_that_answers_in_four_calls) {
  serves_a_channel(Answer::accepted);
}
BOOST_AUTO_TEST_CASE(a_channel_in_a_memory_that_returns_end_req) {
  serves_a_channel(Answer::updated_end_req);
}
BOOST_AUTO_TEST_CASE(a_channel_in_a_memory_that_returns_begin_resp) {
  serves_a_channel(Answer::updated_begin_resp);
}
BOOST_AUTO_TEST_CASE(a_channel_in_a_memory_that_completes_at_once) {
  serves_a_channel(Answer::completed);
}
BOOST_AUTO_TEST_CASE(a_channel_in_a_memory_that_begins_responses_without_end_req) {
  serves_a_channel(Answer::early_begin_resp);
}

BOOST_FIXTURE_TEST_CASE(the_cards_memory_is_read_and_written_through_bar1_in_any_shape, CardBench) {
  run([this] {
    std::mt19937_64 random(3);
    for (unsigned i = 0; i < 20; ++i) {
      const auto data = random_bytes(random, 1 + random() % 300);
      const std::uint64_t at = Apertures::kBar1Base + i * 1024 + random() % 200;
      BOOST_TEST(cpu.write(at, data) == tlm::TLM_OK_RESPONSE);
      BOOST_TEST((cpu.read(at, data.size()) == data));
    }
  });
}

BOOST_FIXTURE_TEST_CASE(a_read_beside_the_apertures_is_an_address_error, CardBench) {
  run([this] {
    std::vector<unsigned char> data(4);
    const std::uint64_t end = Apertures::kBar1Base + card.gpu.config().memory_bytes();
    for (const std::uint64_t at : {Apertures::kUsermodeBytes, Apertures::kBar1Base - 4, end})
      BOOST_TEST(cpu.call(tlm::TLM_READ_COMMAND, at, data) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
}

BOOST_FIXTURE_TEST_CASE(every_message_is_a_pulse_of_its_own, CardBench) {
  struct Counter : tlm::tlm_analysis_if<std::uint32_t> {
    void write(const std::uint32_t& channel) override {
      BOOST_TEST(channel == 0U);
      ++messages;
    }
    unsigned messages = 0;
  } counter;
  card.interrupt_messages.bind(counter);
  run([&] {
    for (unsigned i = 0; i < 4; ++i) queue(i, release(i + 1));
    ring();
    for (unsigned i = 0; i < 4; ++i) sc_core::wait(irq.posedge_event());
    BOOST_TEST(counter.messages == 4U);
    BOOST_TEST(peek(0x4000) == 4U);
  });
  BOOST_TEST(!irq.read());
}

BOOST_FIXTURE_TEST_CASE(a_channel_that_fails_writes_its_notifier_and_interrupts, CardBench) {
  run([this] {
    queue(0, {0xffffffff});
    ring();
    sc_core::wait(irq.posedge_event());
    BOOST_TEST(peek(0x5008) == static_cast<std::uint32_t>(ChannelErrorKind::pushbuffer_error));
    BOOST_TEST(peek(0x500c) == 0xffff0000U);
  });
}

namespace {

/// A memory of b_transport, which holds what it has not answered across a reset of the card.
class SlowMemory : public sc_core::sc_module {
 public:
  SlowMemory(const sc_core::sc_module_name& name, ByteStore& store) : sc_module(name), bytes(store) {
    socket.register_b_transport(this, &SlowMemory::b_transport);
  }
  tlm_utils::simple_target_socket<SlowMemory> socket{"socket"};
  ByteStore& bytes;
  unsigned asked = 0, answered = 0;

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    ++asked;
    sc_core::wait(5, sc_core::SC_US);
    perform(p, bytes);
    ++answered;
  }
};

void survives_a_reset_with_an_answer_owed(tlm::tlm_command command) {
  BuildOptions options;
  options.check_protocol = true;
  ByteStore bytes;
  PcieCard card("card", Config::load("tiny"), options);
  SlowMemory memory("memory", bytes);
  BlockingInitiator cpu("cpu"), warp("warp");
  cpu.socket.bind(card.pcie);
  warp.socket.bind(card.gpu.sms[0]->lsu.external);
  card.dma.bind(memory.socket);
  card.map_host(kVirtual, 0, 1 << 20);
  std::vector<unsigned char> data(kLineBytes, 1);
  warp.program = [&] { warp.call(command, kVirtual, data); };
  cpu.program = [&] {
    while (memory.asked == 0) sc_core::wait(100, sc_core::SC_NS);
    BOOST_TEST(memory.answered == 0U);
    card.gpu.reset();
    while (memory.answered == 0) sc_core::wait(100, sc_core::SC_NS);
    BOOST_TEST(cpu.write(Apertures::kBar1Base + 0x100, {1, 2, 3}) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST((cpu.read(Apertures::kBar1Base + 0x100, 3) == std::vector<unsigned char>{1, 2, 3}));
    BOOST_TEST((warp.read(kVirtual + 0x100, 4) == std::vector<unsigned char>(4)));  // the host's memory, too
  };
  sc_core::sc_start();
  BOOST_TEST(cpu.finished);
  BOOST_TEST(warp.finished);
  BOOST_TEST(memory.answered == memory.asked);
  BOOST_TEST(card.idle());
  BOOST_TEST(card.gpu.mem.pool.outstanding() == 0U);
  BOOST_TEST(card.gpu.mem.wiring.log().violations().empty());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_late_answer_to_a_read_from_before_a_reset_does_nothing) {
  survives_a_reset_with_an_answer_owed(tlm::TLM_READ_COMMAND);
}
BOOST_AUTO_TEST_CASE(a_late_answer_to_a_write_from_before_a_reset_does_nothing) {
  survives_a_reset_with_an_answer_owed(tlm::TLM_WRITE_COMMAND);
}

BOOST_AUTO_TEST_CASE(a_barrier_waits_until_somebody_elses_memory_has_answered_the_writes_before_it) {
  const Config config = Config::load("tiny");
  PayloadPool pool;
  ByteStore bytes;
  BlockingInitiator host("host");
  BusPort port("port", {std::uint64_t{1} << 20U, 32, false}, pool);
  PcieLink link("link", config.host, 1, pool);
  AtTarget memory("memory", bytes), card("card", bytes);
  BlockingInitiator cpu("cpu");
  memory.latency = from_ns(5000);  // taken after 1 ns
  host.socket.bind(port.bus);
  port.lines.bind(*link.device[0]);
  cpu.socket.bind(link.host);
  link.to_host.bind(memory.socket);
  link.to_device.bind(card.socket);
  host.program = [&] {
    BOOST_TEST(host.write(0x100, {9}) == tlm::TLM_OK_RESPONSE);  // posted
    BOOST_TEST(bytes[0x100] == 0);
    unsigned char none = 0;
    Sideband sideband;
    sideband.operation = Operation::system_barrier;
    tlm::tlm_generic_payload p;
    p.set_command(tlm::TLM_IGNORE_COMMAND);
    p.set_data_ptr(&none);
    p.set_data_length(1);
    p.set_streaming_width(1);
    p.set_extension(&sideband);
    sc_core::sc_time t;
    host.socket->b_transport(p, t);
    BOOST_TEST(p.is_response_ok());
    BOOST_TEST(bytes[0x100] == 9);
    p.clear_extension(&sideband);
  };
  sc_core::sc_start();
  BOOST_TEST(host.finished);
  BOOST_TEST(link.idle());
}
