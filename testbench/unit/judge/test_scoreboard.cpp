// SPDX-License-Identifier: Apache-2.0
//
// What the scoreboard finds at the slices and on the way to them and back.
#include "gputlm/test_support/sc_test.h"

#include <sstream>

#include "judge_bench.h"

using namespace gputlm;
using gputlm::test::JudgeBench;

namespace {

constexpr std::uint64_t kLine = 0x12340080;
const ByteMask kOneByte = ByteMask::range(40, 1);

}  // namespace

BOOST_AUTO_TEST_CASE(sound_stores_loads_and_atomics_leave_no_finding) {
  JudgeBench b;
  b.whole_store(kLine, ByteMask::full(), 10);
  b.whole_store(kLine, kOneByte, 99);
  b.whole_store(kLine + 128, ByteMask::range(30, 4), 7);
  b.whole_load(kLine, ByteMask::full());
  b.whole_load(kLine + 128, ByteMask::sectors(3));
  b.whole_load(kLine + 256, ByteMask::sectors(8));
  b.whole_load(kLine, ByteMask::range(38, 5));
  const PayloadRef p = b.atomic(kLine, ByteMask::range(40, 4), AtomicFunction::add, 5);
  b.request(*p);
  b.board.on_atomic(b.kSlice, *p);
  b.add_words(*p);
  b.board.on_atomic_done(b.kSlice, *p);
  b.respond(*p);
  b.whole_load(kLine, ByteMask::full());
  b.board.audit();
  BOOST_TEST(b.board.mismatches() == 0);
  BOOST_TEST(b.board.bytes_checked() > 2 * 128);
}

BOOST_AUTO_TEST_CASE(a_data_bit_flipped_on_the_way_is_found_at_the_slice) {
  for (const ByteMask mask : {ByteMask::full(), kOneByte}) {
    JudgeBench b;
    const PayloadRef p = b.store(kLine, mask, 1);
    b.request(*p);
    p->get_data_ptr()[40] ^= 1;
    b.perform_store(*p);
    b.respond(*p);
    BOOST_TEST(b.only(FindingKind::request_changed));
  }
}

BOOST_AUTO_TEST_CASE(a_mask_bit_flipped_on_the_way_is_found_at_the_slice) {
  for (const Operation operation : {Operation::store, Operation::load}) {
    JudgeBench b;
    const PayloadRef p = b.make(operation, kLine, ByteMask::sectors(1));
    b.request(*p);
    set_enables(*p, ByteMask::sectors(1) | kOneByte);
    operation == Operation::store ? b.perform_store(*p) : b.perform_load(*p);
    b.respond(*p);
    BOOST_TEST(b.only(FindingKind::request_changed));
  }
}

BOOST_AUTO_TEST_CASE(a_comparison_value_changed_on_the_way_is_found_at_the_slice) {
  JudgeBench b;
  const PayloadRef p = b.pool.compare_line(kLine);
  find_sideband(*p)->origin.sm = 1;
  set_enables(*p, ByteMask::range(0, 4));
  std::memset(p->get_data_ptr(), 0, 2 * kLineBytes);
  b.request(*p);
  p->get_data_ptr()[kLineBytes] = 1;
  b.board.on_atomic(b.kSlice, *p);
  BOOST_TEST(b.only(FindingKind::request_changed));
}

BOOST_AUTO_TEST_CASE(an_acknowledged_store_that_no_slice_performed_is_found) {
  JudgeBench b;
  const PayloadRef p = b.store(kLine, ByteMask::full(), 1);
  b.request(*p);
  b.respond(*p);
  BOOST_TEST(b.only(FindingKind::not_performed));
}

BOOST_AUTO_TEST_CASE(a_store_whose_bytes_never_reach_memory_is_found_by_load_and_audit) {
  JudgeBench b;
  const PayloadRef p = b.store(kLine, ByteMask::full(), 1);
  b.request(*p);
  b.board.on_store(b.kSlice, *p);
  b.respond(*p);
  b.whole_load(kLine, ByteMask::sectors(2));
  BOOST_TEST(b.only(FindingKind::wrong_load));
  b.board.audit();
  BOOST_TEST(b.board.mismatches(FindingKind::wrong_content) == 4);
}

BOOST_AUTO_TEST_CASE(one_wrong_bit_in_memory_is_found_by_the_audit_at_its_sector) {
  JudgeBench b;
  b.whole_store(kLine, ByteMask::full(), 1);
  b.at(kLine)[100] ^= 0x80;
  b.board.audit();
  BOOST_TEST(b.only(FindingKind::wrong_content));
  BOOST_TEST(b.board.findings().front().address == kLine + 96);
}

BOOST_AUTO_TEST_CASE(a_clobbered_neighbour_of_a_stored_sector_is_found_by_the_audit) {
  JudgeBench b;
  b.whole_store(kLine, ByteMask::sectors(1), 1);
  b.at(kLine)[100] ^= 1;
  b.board.audit();
  BOOST_TEST(b.only(FindingKind::wrong_content));
}

BOOST_AUTO_TEST_CASE(a_torn_merge_of_a_partial_store_is_found) {
  JudgeBench b;
  b.whole_store(kLine, ByteMask::full(), 1);
  const PayloadRef p = b.store(kLine, ByteMask::range(40, 8), 77);
  b.request(*p);
  b.board.on_store(b.kSlice, *p);
  copy_masked(b.at(kLine).data(), p->get_data_ptr(), ByteMask::range(40, 4));
  b.respond(*p);
  BOOST_TEST(b.board.mismatches() == 0);
  b.whole_store(kLine, ByteMask::range(50, 1), 3);
  BOOST_TEST(b.only(FindingKind::wrong_content));
}

BOOST_AUTO_TEST_CASE(a_store_performed_twice_is_found) {
  JudgeBench b;
  const PayloadRef p = b.store(kLine, ByteMask::full(), 1);
  b.request(*p);
  b.perform_store(*p);
  b.perform_store(*p);
  BOOST_TEST(b.only(FindingKind::performed_twice));
}

BOOST_AUTO_TEST_CASE(a_second_acknowledgement_and_one_for_nothing_are_found) {
  JudgeBench b;
  const PayloadRef p = b.store(kLine, ByteMask::full(), 1);
  b.request(*p);
  b.perform_store(*p);
  b.respond(*p);
  BOOST_TEST(b.board.mismatches() == 0);
  b.respond(*p);
  BOOST_TEST(b.only(FindingKind::duplicate_response));
  const PayloadRef stranger = b.store(kLine, ByteMask::full(), 1);
  b.respond(*stranger);
  BOOST_TEST(b.board.mismatches(FindingKind::unexpected_response) == 1);
}

BOOST_AUTO_TEST_CASE(a_load_that_returns_a_later_store_is_found) {
  JudgeBench b;
  b.whole_store(kLine, ByteMask::full(), 1);
  const PayloadRef load = b.make(Operation::load, kLine, ByteMask::sectors(1));
  b.request(*load);
  b.board.on_load(b.kSlice, *load);
  b.whole_store(kLine, ByteMask::full(), 2);
  copy_masked(load->get_data_ptr(), b.at(kLine).data(), ByteMask::full());
  b.board.on_load_done(b.kSlice, *load);
  b.respond(*load);
  BOOST_TEST(b.only(FindingKind::wrong_load));
}

BOOST_AUTO_TEST_CASE(a_load_completed_after_a_later_store_with_its_own_bytes_is_sound) {
  JudgeBench b;
  b.whole_store(kLine, ByteMask::full(), 1);
  const PayloadRef load = b.make(Operation::load, kLine, ByteMask::sectors(15));
  b.request(*load);
  b.board.on_load(b.kSlice, *load);
  copy_masked(load->get_data_ptr(), b.at(kLine).data(), ByteMask::full());
  b.whole_store(kLine, ByteMask::full(), 2);
  b.board.on_load_done(b.kSlice, *load);
  b.respond(*load);
  BOOST_TEST(b.board.mismatches() == 0);
}

BOOST_AUTO_TEST_CASE(a_load_of_never_stored_memory_must_return_the_image) {
  JudgeBench b;
  b.at(kLine)[3] ^= 1;
  b.whole_load(kLine, ByteMask::sectors(1));
  BOOST_TEST(b.only(FindingKind::wrong_load));
}

BOOST_AUTO_TEST_CASE(load_data_changed_on_the_way_back_are_found) {
  JudgeBench b;
  const PayloadRef load = b.make(Operation::load, kLine, ByteMask::sectors(1));
  b.request(*load);
  b.perform_load(*load);
  load->get_data_ptr()[31] ^= 4;
  b.respond(*load);
  BOOST_TEST(b.only(FindingKind::response_changed));
}

BOOST_AUTO_TEST_CASE(a_wrong_atomic_result_is_found_in_memory_and_a_wrong_old_value_at_once) {
  JudgeBench b;
  const PayloadRef p = b.atomic(kLine, ByteMask::range(0, 4), AtomicFunction::add, 5);
  b.request(*p);
  b.board.on_atomic(b.kSlice, *p);
  b.add_words(*p);
  p->get_data_ptr()[0] ^= 1;
  b.board.on_atomic_done(b.kSlice, *p);
  b.respond(*p);
  BOOST_TEST(b.only(FindingKind::wrong_atomic));
  b.at(kLine)[0] ^= 1;
  b.whole_load(kLine, ByteMask::sectors(1));
  BOOST_TEST(b.board.mismatches(FindingKind::wrong_load) == 1);
}

BOOST_AUTO_TEST_CASE(a_reduction_returns_nothing_and_is_checked_in_memory) {
  JudgeBench b;
  const PayloadRef p = b.atomic(kLine, ByteMask::full(), AtomicFunction::add, 5, Operation::reduction);
  b.request(*p);
  b.board.on_atomic(b.kSlice, *p);
  b.add_words(*p);
  b.board.on_atomic_done(b.kSlice, *p);
  b.respond(*p);
  b.board.audit();
  BOOST_TEST(b.board.mismatches() == 0);
}

BOOST_AUTO_TEST_CASE(a_line_apart_is_audited_when_it_is_given_and_not_again) {
  JudgeBench b;
  b.whole_store(kLine, ByteMask::full(), 10);
  b.at(kLine)[40] ^= 1;
  b.board.audit([](std::uint64_t line) { return line == kLine; });
  BOOST_TEST(b.board.mismatches() == 0);
  b.board.audit_line(kLine + 128, b.at(kLine).data());  // nothing was stored there
  BOOST_TEST(b.board.mismatches() == 0);
  b.board.audit_line(kLine, b.at(kLine).data());
  BOOST_TEST(b.only(FindingKind::wrong_content));
}

// The slice orders an atomic whose word it lacks, then orders other accesses to the line while the word is fetched.
BOOST_AUTO_TEST_CASE(accesses_ordered_behind_an_atomic_not_yet_performed_are_judged_by_its_result) {
  JudgeBench b;
  const ByteMask word = ByteMask::range(64, 4);
  const PayloadRef first = b.atomic(kLine, word, AtomicFunction::add, 5);
  const PayloadRef second = b.atomic(kLine, word, AtomicFunction::add, 6);
  b.request(*first);
  b.request(*second);
  b.board.on_atomic(b.kSlice, *first);
  b.board.on_atomic(b.kSlice, *second);
  b.whole_store(kLine, ByteMask::range(70, 2), 40);
  b.whole_store(kLine, ByteMask::sectors(1), 50);
  const PayloadRef load = b.make(Operation::load, kLine, ByteMask::sectors(5));
  b.request(*load);
  b.board.on_load(b.kSlice, *load);
  BOOST_TEST(b.board.mismatches() == 0);
  b.add_words(*first);
  b.board.on_atomic_done(b.kSlice, *first);
  b.add_words(*second);
  b.board.on_atomic_done(b.kSlice, *second);
  copy_masked(load->get_data_ptr(), b.at(kLine).data(), ByteMask::full());
  b.board.on_load_done(b.kSlice, *load);
  for (const PayloadRef& p : {first, second, load}) b.respond(*p);
  b.board.audit();
  BOOST_TEST(b.board.mismatches() == 0);
}

BOOST_AUTO_TEST_CASE(an_atomic_that_skips_an_earlier_one_is_found) {
  JudgeBench b;
  const ByteMask word = ByteMask::range(64, 4);
  const PayloadRef first = b.atomic(kLine, word, AtomicFunction::add, 5);
  const PayloadRef second = b.atomic(kLine, word, AtomicFunction::add, 6);
  b.board.on_atomic(b.kSlice, *first);
  b.board.on_atomic(b.kSlice, *second);
  b.add_words(*second);
  b.board.on_atomic_done(b.kSlice, *second);
  b.add_words(*first);
  b.board.on_atomic_done(b.kSlice, *first);
  BOOST_TEST(b.board.mismatches(FindingKind::wrong_atomic) == 2);
}

BOOST_AUTO_TEST_CASE(what_is_left_in_flight_is_found_by_the_audit) {
  JudgeBench b;
  const PayloadRef store = b.store(kLine, ByteMask::full(), 1);
  const PayloadRef atomic = b.atomic(kLine + 128, ByteMask::range(0, 4), AtomicFunction::add, 1);
  b.request(*store);
  b.board.on_atomic(b.kSlice, *atomic);
  BOOST_TEST(b.board.in_flight(Operation::store) == 1);
  b.board.audit();
  BOOST_TEST(b.board.mismatches(FindingKind::left_in_flight) == 2);
}

BOOST_AUTO_TEST_CASE(a_refused_request_is_answered_without_being_performed) {
  JudgeBench b;
  for (const Operation operation : {Operation::store, Operation::load}) {
    const PayloadRef p = b.make(operation, kLine, ByteMask::full());
    b.request(*p);
    b.respond(*p, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  b.board.audit();
  BOOST_TEST(b.board.mismatches() == 0);
}

BOOST_AUTO_TEST_CASE(an_access_outside_memory_is_found) {
  JudgeBench b;
  const PayloadRef p = b.store(gputlm::test::kMemoryBytes, ByteMask::full(), 1);
  b.board.on_store(b.kSlice, *p);
  BOOST_TEST(b.only(FindingKind::outside_memory));
}

BOOST_AUTO_TEST_CASE(payloads_without_a_sideband_change_memory_and_are_not_checked_themselves) {
  JudgeBench b;
  unsigned char data[kLineBytes] = {1, 2, 3};
  Payload p;
  p.set_command(tlm::TLM_WRITE_COMMAND);
  p.set_address(kLine);
  p.set_data_ptr(data);
  p.set_data_length(kLineBytes);
  b.perform_store(p);
  b.board.on_load(b.kSlice, p);
  b.board.on_load_done(b.kSlice, p);
  b.whole_load(kLine, ByteMask::full());
  b.board.audit();
  BOOST_TEST(b.board.mismatches() == 0);
}

BOOST_AUTO_TEST_CASE(debug_writes_join_memory_and_either_value_may_answer_what_was_open) {
  JudgeBench b;
  const PayloadRef load = b.make(Operation::load, kLine, ByteMask::full());
  b.request(*load);
  b.board.on_load(b.kSlice, *load);
  unsigned char bytes[200];
  std::memset(bytes, 0x33, sizeof bytes);
  b.board.note_debug_write(kLine + 100, bytes, sizeof bytes);
  std::memset(b.at(kLine).data() + 100, 0x33, 28);
  std::memset(b.at(kLine + 128).data(), 0x33, 128);
  std::memset(b.at(kLine + 256).data(), 0x33, 44);
  copy_masked(load->get_data_ptr(), b.at(kLine).data(), ByteMask::full());
  b.board.on_load_done(b.kSlice, *load);
  b.respond(*load);
  for (unsigned i = 0; i < 3; ++i) b.whole_load(kLine + 128 * i, ByteMask::full());
  b.board.audit();
  BOOST_TEST(b.board.mismatches() == 0);
}

BOOST_AUTO_TEST_CASE(a_range_is_compared_byte_by_byte_with_what_a_kernel_was_to_leave) {
  JudgeBench b;
  const auto image = [](std::uint64_t line, unsigned char* bytes) { gputlm::test::initial_image(line, bytes); };
  BOOST_TEST(b.board.check_range(kLine + 5, 1000, image) == 0);
  BOOST_TEST(b.board.bytes_checked() == 1000);
  b.at(kLine)[4] ^= 1;
  b.at(kLine)[5] ^= 1;
  b.at(kLine + 128)[0] ^= 1;
  b.at(kLine + 128)[1] ^= 1;
  BOOST_TEST(b.board.check_range(kLine + 5, 1000, image) == 3);
  BOOST_TEST(b.board.mismatches(FindingKind::wrong_expectation) == 2);
  BOOST_TEST(b.board.findings()[0].address == kLine + 5);
}

BOOST_AUTO_TEST_CASE(the_first_twenty_findings_are_kept_and_all_are_counted) {
  JudgeBench b;
  for (unsigned i = 0; i < 50; ++i) {
    const PayloadRef p = b.store(kLine + 128 * i, ByteMask::full(), 1);
    b.respond(*p);
  }
  BOOST_TEST(b.board.findings().size() == 20);
  BOOST_TEST(b.board.mismatches() == 50);
  std::ostringstream text;
  b.board.print(text);
  BOOST_TEST(text.str().find("SM 1 address 0x12340080 unexpected_response: store") != std::string::npos);
  BOOST_TEST(text.str().find("and 30 more findings") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(reset_forgets_stores_requests_and_findings) {
  JudgeBench b;
  const PayloadRef p = b.store(kLine, ByteMask::full(), 1);
  b.request(*p);
  b.board.on_store(b.kSlice, *p);
  b.respond(*b.store(kLine, ByteMask::full(), 1));
  b.board.on_atomic(b.kSlice, *b.atomic(kLine, ByteMask::range(0, 4), AtomicFunction::add, 1));
  b.board.reset();
  BOOST_TEST(b.board.mismatches() == 0);
  BOOST_TEST(b.board.in_flight(Operation::store) == 0);
  b.whole_load(kLine, ByteMask::full());
  b.board.audit();
  BOOST_TEST(b.board.mismatches() == 0);
}
