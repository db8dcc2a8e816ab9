// SPDX-License-Identifier: Apache-2.0
//
// Order, back-pressure and flow control of the link. Times as in test_pcie_link.cpp.
#include "gputlm/test_support/sc_test.h"

#include <sstream>

#include "link_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr Fs ns = kFsPerNs;

}  // namespace

BOOST_AUTO_TEST_CASE(a_barrier_pushes_earlier_stores_of_every_port_ahead_of_it) {
  LinkBench b;
  for (unsigned i = 0; i < 40; ++i) b.a.queue(b.write(2 * i * kLineBytes, 1));  // no neighbours: a packet each
  const PayloadRef barrier = b.barrier();
  b.b.queue(barrier, 1);
  // 40 packets of 5 ns are before its header.
  run_until((40 * 5 + 740) * ns - 1);
  BOOST_TEST(b.b.answered.empty());
  BOOST_TEST(b.byte_at(78 * kLineBytes) == 1);
  run_until((40 * 5 + 740) * ns);
  BOOST_TEST(b.b.answered.count(barrier.get()) == 1U);
}

BOOST_AUTO_TEST_CASE(a_read_sees_the_store_before_it) {
  LinkBench b;
  b.a.queue(b.write(0x1000, 0x21));
  const PayloadRef r = b.read(0x1000);
  b.a.queue(r);
  sc_core::sc_start();
  BOOST_TEST(r->get_data_ptr()[0] == 0x21);
}

BOOST_AUTO_TEST_CASE(the_cpus_stores_arrive_in_order_and_data_read_later_does_not_overtake_them) {
  LinkBench b;
  b.aperture.admission = Admission::withhold;  // a store to the GPU is stuck at its target
  b.cpu.queue(b.write(0x80, 1));
  b.cpu.queue(b.write(0x100, 2));
  const PayloadRef r = b.read(0);
  b.a.queue(r, 10 * ns);
  run_until(2000 * ns);
  BOOST_TEST(b.aperture.log.size() == 1U);
  BOOST_TEST(b.a.answered.empty());  // its completion stands behind the stuck store
  b.aperture.admission = Admission::accept;
  b.aperture.accept();
  b.aperture.respond();
  run_until(2001 * ns);
  BOOST_TEST(b.aperture.log.size() == 3U);  // taken, and the second store
  BOOST_TEST(b.a.answered.count(r.get()) == 1U);
}

BOOST_AUTO_TEST_CASE(a_completion_passes_a_read_that_is_stuck_at_its_target) {
  LinkBench b;
  b.aperture.admission = Admission::withhold;
  b.cpu.queue(b.read(0x80));
  const PayloadRef r = b.read(0);
  b.a.queue(r, 10 * ns);
  run_until(2000 * ns);
  BOOST_TEST(b.aperture.log.size() == 1U);
  BOOST_TEST(b.a.answered.count(r.get()) == 1U);
}

BOOST_AUTO_TEST_CASE(a_full_queue_withholds_end_req_and_takes_the_next_when_a_packet_has_left) {
  HostSpec spec = host_spec();
  spec.pcie.queue_lines = 2;
  LinkBench b(spec);
  std::vector<PayloadRef> stores;
  for (unsigned i = 0; i < 4; ++i) b.a.queue(stores.emplace_back(b.write(2 * i * kLineBytes, 1)));
  run_until(1);
  // Two wait in the queue, one of them may go on the wire at once; the next ones each take its place.
  BOOST_TEST(b.a.answered.size() >= 2U);
  run_until(10 * ns);
  BOOST_TEST(b.a.answered.size() == 4U);
  BOOST_TEST(b.a.answered.at(stores[3].get()) == 5 * ns);
}

BOOST_AUTO_TEST_CASE(without_credits_the_sender_waits_until_the_far_side_has_taken_one_and_said_so) {
  HostSpec spec = host_spec();
  spec.pcie.posted_credits = 1;
  LinkBench b(spec);
  b.a.queue(b.write(0x0000, 1));
  b.a.queue(b.write(0x1000, 1));
  // The first arrives after 374 ns, its credit is back 369 ns later, the second takes 374 ns again.
  run_until((374 + 369 + 374) * ns - 1);
  BOOST_TEST(b.byte_at(0) == 1);
  BOOST_TEST(b.byte_at(0x1000) == 0);
  run_until((374 + 369 + 374) * ns);
  BOOST_TEST(b.byte_at(0x1000) == 1);
}

BOOST_AUTO_TEST_CASE(a_side_asks_for_no_more_lines_than_it_has_tags) {
  HostSpec spec = host_spec();
  spec.pcie.read_tags = 1;
  LinkBench b(spec);
  const PayloadRef first = b.read(0), second = b.read(0x1000);
  b.a.queue(first);
  b.a.queue(second);
  sc_core::sc_start();
  BOOST_TEST(b.a.answered.at(first.get()) == (740 + 90 + 4) * ns);
  BOOST_TEST(b.a.answered.at(second.get()) == 2 * (740 + 90 + 4) * ns);
}

BOOST_AUTO_TEST_CASE(reads_without_a_tag_do_not_hold_back_stores) {
  HostSpec spec = host_spec();
  spec.pcie.read_tags = 1;
  LinkBench b(spec);
  b.a.queue(b.read(0));
  b.a.queue(b.read(0x1000));
  b.b.queue(b.write(0x2000, 1), 5 * ns);
  run_until((5 + 5 + 369) * ns);
  BOOST_TEST(b.byte_at(0x2000) == 1);
}

BOOST_AUTO_TEST_CASE(a_store_does_not_overtake_its_ports_own_read_of_the_line) {
  HostSpec spec = host_spec();
  spec.pcie.read_tags = 1;
  LinkBench b(spec);
  const PayloadRef read = b.read(0x1000);
  b.a.queue(b.read(0));
  b.a.queue(read);
  b.a.queue(b.write(0x1000, 0x55));
  sc_core::sc_start();
  BOOST_TEST(read->get_data_ptr()[0] == 0);
  BOOST_TEST(b.byte_at(0x1000) == 0x55);
}

BOOST_AUTO_TEST_CASE(what_waits_is_explained_and_reset_forgets_it) {
  HostSpec spec = host_spec();
  spec.pcie.queue_lines = 1;
  spec.pcie.posted_credits = 1;
  LinkBench b(spec);
  for (unsigned i = 0; i < 4; ++i) b.a.queue(b.write(2 * i * kLineBytes, 1));
  b.b.queue(b.read(0));
  run_until(10 * ns);
  std::ostringstream text;
  b.link.explain(text);
  for (const char* part :
       {"load of line 0x0 is on the wire, due at 370 ns", "store of line 0x0 is on the wire, due at 375 ns",
        "waits for the wire since", "the far side has no room", "waits for room at port 0 since"})
    BOOST_TEST(text.str().find(part) != std::string::npos, text.str());
  BOOST_TEST(!b.link.idle());
  b.link.reset();
  BOOST_TEST(b.link.idle());
  sc_core::sc_start();
  BOOST_TEST(b.byte_at(0) == 0);
}
