// SPDX-License-Identifier: Apache-2.0
//
// MemorySystem::port() with approximately timed initiators: phases, back-pressure, routing of responses.
#include <map>

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include "port_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

using Transactions = std::vector<std::unique_ptr<Transaction>>;

/// Writes and then reads back random pieces of a region of its own; the caller keeps the transactions.
class Traffic {
 public:
  Traffic(AtInitiator& initiator, std::uint64_t region, unsigned seed) : initiator_(initiator), random_(seed) {
    std::uint64_t at = region;
    for (unsigned i = 0; i < 60; ++i) {
      const std::size_t length = 1 + random_() % 300;
      writes_.push_back(std::make_unique<Transaction>(tlm::TLM_WRITE_COMMAND, at, random_bytes(random_, length)));
      at += length;
    }
    initiator_.on_done = [this](Transaction& t) { take(t); };
    for (const auto& t : writes_) initiator_.send(*t);
  }
  bool right() const { return wrong_ == 0 && reads_.size() == writes_.size() && initiator_.open() == 0; }

 private:
  void take(Transaction& t) {
    if (!t.is_response_ok()) ++wrong_;
    if (t.is_read()) {
      if (t.data != expected_.at(&t)->data) ++wrong_;
    } else if (++written_ == writes_.size()) {
      for (const auto& w : writes_) {
        reads_.push_back(std::make_unique<Transaction>(tlm::TLM_READ_COMMAND, w->get_address(),
                                                       std::vector<unsigned char>(w->data.size())));
        expected_[reads_.back().get()] = w.get();
        initiator_.send(*reads_.back());
      }
    }
  }

  AtInitiator& initiator_;
  std::mt19937_64 random_;
  Transactions writes_, reads_;
  std::map<const Transaction*, const Transaction*> expected_;
  std::size_t written_ = 0, wrong_ = 0;
};

void all_ways_of_ending(EndResponse style, Fs wait, Fs annotated) {
  PortBench bench;
  AtInitiator initiator("initiator", style, wait);
  initiator.annotated = annotated;
  bench.connect(initiator.socket, 0);
  Traffic traffic(initiator, 0x333, 3);
  bench.run();
  BOOST_TEST(traffic.right());
  bench.expect_clean();
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_initiator_that_completes_responses_at_once) {
  all_ways_of_ending(EndResponse::completed, 0, 0);
}
BOOST_AUTO_TEST_CASE(an_initiator_that_returns_end_resp) {
  all_ways_of_ending(EndResponse::updated, from_ns(5), 0);
}
BOOST_AUTO_TEST_CASE(an_initiator_that_ends_responses_late) {
  all_ways_of_ending(EndResponse::late, from_ns(50), 0);
}
BOOST_AUTO_TEST_CASE(an_initiator_that_annotates_its_requests) {
  all_ways_of_ending(EndResponse::completed, 0, from_ns(7));
}

BOOST_AUTO_TEST_CASE(end_req_is_withheld_while_as_many_lines_are_out_as_an_sm_may_have) {
  PortBench bench({"l1.fill_sectors=16"});
  AtInitiator initiator("initiator", EndResponse::completed);
  bench.connect(initiator.socket, 0);
  Transactions loads;
  for (unsigned i = 0; i < 12; ++i) {
    loads.push_back(std::make_unique<Transaction>(tlm::TLM_READ_COMMAND, i * 4096, std::vector<unsigned char>(128)));
    initiator.send(*loads.back());
  }
  Fs first_answer = kNever;
  initiator.on_done = [&](const Transaction& t) { first_answer = std::min(first_answer, t.answered); };
  bench.run();
  unsigned before = 0;
  for (const auto& t : loads) before += t->accepted < first_answer ? 1 : 0;
  BOOST_TEST(before == 4U);
  BOOST_TEST(initiator.open() == 0U);
  bench.expect_clean();
}

BOOST_AUTO_TEST_CASE(a_burst_is_accepted_with_its_last_line_and_answered_after_the_slowest) {
  PortBench bench;
  AtInitiator initiator("initiator", EndResponse::completed);
  bench.connect(initiator.socket, 0);
  Transaction warm(tlm::TLM_READ_COMMAND, 0x80, std::vector<unsigned char>(128));
  Transaction burst(tlm::TLM_READ_COMMAND, 0x80, std::vector<unsigned char>(256));
  Transaction hit(tlm::TLM_READ_COMMAND, 0x80, std::vector<unsigned char>(128));
  initiator.on_done = [&](Transaction& t) {
    if (&t != &warm) return;
    initiator.send(burst);
    initiator.send(hit);
  };
  initiator.send(warm);
  bench.run();
  BOOST_TEST(hit.answered < burst.answered);  // the hit overtakes the burst, half of which misses
  BOOST_TEST(hit.accepted > burst.accepted);
  bench.expect_clean();
}

namespace {

/// A bus of tlm_utils sockets: whoever asked is answered. Mixed blocking and non-blocking calls.
class Bus : public sc_core::sc_module {
 public:
  explicit Bus(const sc_core::sc_module_name& name) : sc_module(name) {
    in.register_nb_transport_fw(this, &Bus::nb_transport_fw);
    in.register_b_transport(this, &Bus::b_transport);
    out.register_nb_transport_bw(this, &Bus::nb_transport_bw);
    GPUTLM_HAS_PROCESS(Bus);
    SC_METHOD(send_next);
    sensitive << next_;
    dont_initialize();
  }
  tlm_utils::multi_passthrough_target_socket<Bus> in{"in"};
  tlm_utils::multi_passthrough_initiator_socket<Bus> out{"out"};

 private:
  using Payload = tlm::tlm_generic_payload;

  // One request of all initiators at a time on the way out.
  tlm::tlm_sync_enum nb_transport_fw(int id, Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
    if (phase == tlm::END_RESP) return out[0]->nb_transport_fw(p, phase, t);
    asked_by_[&p] = id;
    waiting_.push_back(&p);
    next_.notify(t);
    return tlm::TLM_ACCEPTED;
  }
  void send_next() {
    if (requesting_ != nullptr || waiting_.empty()) return;
    if (free_at_ > now()) return next_.notify(to_sc_time(free_at_ - now()));
    Payload& p = *waiting_.pop_front();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time t;
    requesting_ = &p;
    if (out[0]->nb_transport_fw(p, phase, t) == tlm::TLM_ACCEPTED) return;
    request_over(t);
    // The answer goes up as a call, whatever it was.
    if (phase == tlm::BEGIN_REQ) phase = tlm::BEGIN_RESP;
    in[asked_by_.at(&p)]->nb_transport_bw(p, phase, t);
  }
  tlm::tlm_sync_enum nb_transport_bw(int, Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
    if (requesting_ == &p) request_over(t);
    return in[asked_by_.at(&p)]->nb_transport_bw(p, phase, t);
  }
  void b_transport(int, Payload& p, sc_core::sc_time& t) { out[0]->b_transport(p, t); }
  void request_over(const sc_core::sc_time& t) {
    requesting_ = nullptr;
    free_at_ = now() + to_fs(t);
    next_.notify(t);
  }

  std::map<const Payload*, int> asked_by_;
  Ring<Payload*> waiting_;
  Payload* requesting_ = nullptr;
  Fs free_at_ = 0;
  sc_core::sc_event next_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(blocking_and_non_blocking_initiators_share_one_port_and_each_gets_its_own_answers) {
  PortBench bench;
  Bus bus("bus");
  AtInitiator a("a", EndResponse::completed), b("b", EndResponse::updated, from_ns(3));
  BlockingInitiator c("c");
  a.socket.bind(bus.in);
  b.socket.bind(bus.in);
  c.socket.bind(bus.in);
  bench.connect(bus.out, 0);
  Traffic of_a(a, 0x10000, 1), of_b(b, 0x20000, 2);
  c.program = [&] {
    std::mt19937_64 random(4);
    for (unsigned i = 0; i < 60; ++i) {
      const auto data = random_bytes(random, 1 + random() % 200);
      c.write(0x30000 + i * 256, data);
      BOOST_TEST((c.read(0x30000 + i * 256, data.size()) == data));
    }
  };
  bench.run();
  BOOST_TEST(of_a.right());
  BOOST_TEST(of_b.right());
  BOOST_TEST(c.finished);
  bench.expect_clean();
}

BOOST_AUTO_TEST_CASE(blocking_and_non_blocking_initiators_on_different_ports_see_one_memory) {
  PortBench bench;
  AtInitiator a("a", EndResponse::late, from_ns(10));
  BlockingInitiator b("b");
  bench.connect(a.socket, 0);
  bench.connect(b.socket, 1);
  Traffic traffic(a, 0x10000, 5);
  Transaction flag(tlm::TLM_WRITE_COMMAND, 0x40, {1});
  a.send(flag);
  b.program = [&] {
    while (b.read(0x40, 1)[0] == 0) sc_core::wait(100, sc_core::SC_NS);
    BOOST_TEST(flag.is_response_ok());
  };
  bench.run();
  BOOST_TEST(traffic.right());
  BOOST_TEST(b.finished);
  bench.expect_clean();
}

BOOST_AUTO_TEST_CASE(a_reset_in_mid_traffic_sends_blocked_threads_home_and_the_port_serves_again) {
  PortBench bench;
  BlockingInitiator host("host");
  host.socket.bind(bench.memory.port(0));
  std::vector<tlm::tlm_response_status> statuses;
  host.program = [&] {
    statuses.push_back(host.write(0x80, std::vector<unsigned char>(5000, 1)));
    statuses.push_back(host.write(0x80, {2}));
    BOOST_TEST(host.read(0x80, 1)[0] == 2);
  };
  sc_core::sc_start(to_sc_time(from_ns(30)));
  BOOST_TEST(!bench.memory.idle());
  bench.memory.reset();
  BOOST_TEST(bench.memory.idle());
  BOOST_TEST(bench.memory.pool.outstanding() == 0U);
  bench.run();
  const std::vector<tlm::tlm_response_status> expected{tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE};
  BOOST_TEST((statuses == expected));
  bench.expect_clean();
}
