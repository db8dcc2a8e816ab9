// SPDX-License-Identifier: Apache-2.0
//
// PcieCard with `timing: loose`.
#include "card_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

struct LooseCardBench : CardBench {
  LooseCardBench() : CardBench(Answer::accepted, {"timing=loose"}) {}

  /// How long a call at BAR1 takes, and whether it waited.
  Fs time_of(tlm::tlm_command command, std::uint64_t offset, std::size_t bytes, bool& waited) {
    std::vector<unsigned char> data(bytes, 3);
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(Apertures::kBar1Base + offset);
    p.set_data_ptr(data.data());
    p.set_data_length(static_cast<unsigned>(bytes));
    p.set_streaming_width(static_cast<unsigned>(bytes));
    sc_core::sc_time t;
    const Fs before = now();
    cpu.socket->b_transport(p, t);
    BOOST_TEST(p.is_response_ok());
    waited = now() != before;
    return now() + to_fs(t) - before;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(with_loose_timing_a_channel_is_served_as_ever, LooseCardBench) {
  run([this] {
    queue(0, release(0xabcd));
    ring();
    sc_core::wait(irq.posedge_event());
    BOOST_TEST(peek(0x4000) == 0xabcdU);
  });
}

BOOST_FIXTURE_TEST_CASE(with_loose_timing_bar1_is_read_and_written_at_once, LooseCardBench) {
  run([this] {
    bool waited = true;
    BOOST_TEST(time_of(tlm::TLM_WRITE_COMMAND, 0x100, 300, waited) == 0);  // posted
    BOOST_TEST(!waited);
    const Fs round_trip = card.gpu.config().host.ordering_round_trip;
    BOOST_TEST(time_of(tlm::TLM_READ_COMMAND, 0x100, 4, waited) > round_trip * 9 / 10);
    BOOST_TEST(!waited);
    std::mt19937_64 random(3);
    for (unsigned i = 0; i < 20; ++i) {
      const auto data = random_bytes(random, 1 + random() % 300);
      const std::uint64_t at = Apertures::kBar1Base + i * 1024 + random() % 200;
      BOOST_TEST(cpu.write(at, data) == tlm::TLM_OK_RESPONSE);
      BOOST_TEST((cpu.read(at, data.size()) == data));
    }
    std::vector<unsigned char> data(4);
    BOOST_TEST(cpu.call(tlm::TLM_READ_COMMAND, Apertures::kBar1Base - 4, data) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
}

BOOST_FIXTURE_TEST_CASE(with_loose_timing_a_burst_of_stores_comes_at_the_wires_rate, LooseCardBench) {
  run([this] {
    constexpr std::size_t kBytes = 1 << 20;
    bool waited = true;
    const Fs time = time_of(tlm::TLM_WRITE_COMMAND, 0, kBytes, waited);
    const double queued = card.gpu.config().host.pcie.queue_lines * static_cast<double>(kLineBytes);
    BOOST_TEST(to_ns(time) == (kBytes - queued) / card.engines.link.stream_bytes_per_ns(),
               boost::test_tools::tolerance(0.05));
  });
}
