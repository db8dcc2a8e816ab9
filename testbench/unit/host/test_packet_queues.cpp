// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "gputlm/host/packet_queues.h"

using namespace gputlm;

namespace {

constexpr auto kPosted = PacketClass::posted, kRead = PacketClass::non_posted, kCompletion = PacketClass::completion;
constexpr std::array<bool, kPacketClasses> kAll{true, true, true};

PacketItem item(PacketClass c, Fs ready = 0) {
  PacketItem i;
  i.packet_class = c;
  i.ready = ready;
  return i;
}

std::string drain(PacketQueues& q, std::array<bool, kPacketClasses> may_send) {
  std::string order;
  while (const auto c = q.next(0, may_send)) {
    q.pop(*c);
    order += *c == kPosted ? 'P' : *c == kRead ? 'R' : 'C';
  }
  return order;
}

PacketQueues queues(const std::string& classes) {
  PacketQueues q;
  for (const char c : classes) q.push(item(c == 'P' ? kPosted : c == 'R' ? kRead : kCompletion));
  return q;
}

}  // namespace

BOOST_AUTO_TEST_CASE(with_room_for_all_the_order_stays) {
  PacketQueues q = queues("PRCPPCR");
  BOOST_TEST(drain(q, kAll) == "PRCPPCR");
  BOOST_TEST(q.empty());
}

BOOST_AUTO_TEST_CASE(nothing_passes_a_posted_write_that_stands_before_it) {
  PacketQueues q = queues("RPRC");
  BOOST_TEST(drain(q, {false, true, true}) == "R");
  BOOST_TEST(drain(q, kAll) == "PRC");
}

BOOST_AUTO_TEST_CASE(posted_writes_and_completions_pass_reads_that_are_stuck) {
  PacketQueues q = queues("RPCRP");
  BOOST_TEST(drain(q, {true, false, true}) == "PCP");
  BOOST_TEST(drain(q, kAll) == "RR");
}

BOOST_AUTO_TEST_CASE(reads_pass_completions_only_when_those_are_not_ready) {
  PacketQueues q;
  q.push(item(kCompletion, 5));
  q.push(item(kRead));
  BOOST_TEST((q.next(0, kAll) == kRead));
  BOOST_TEST((q.next(5, kAll) == kCompletion));
  BOOST_TEST(q.ready() == 0);
}

BOOST_AUTO_TEST_CASE(a_posted_write_that_is_not_ready_still_holds_back_what_came_later) {
  PacketQueues q;
  q.push(item(kPosted, 5));
  q.push(item(kRead));
  BOOST_TEST(!q.next(4, kAll).has_value());
  BOOST_TEST((q.next(5, kAll) == kPosted));
}
