// SPDX-License-Identifier: Apache-2.0
//
// The languages of --trace-window and --trace-filter.
#include "gputlm/test_support/sc_test.h"

#include "gputlm/config/diagnostics.h"
#include "gputlm/trace/trace_filter.h"
#include "gputlm/trace/trace_window.h"

using namespace gputlm;

namespace {

TraceTransaction store_of(std::uint16_t sm, std::uint64_t address) {
  TraceTransaction t;
  t.kind = TraceKind::line;
  t.operation = "store";
  t.origin = {sm, 5, 7, 1, 9};
  t.virtual_address = address;
  t.physical_address = address - 0x1000;
  t.bytes = 128;
  return t;
}

TraceTransaction write_back() {
  TraceTransaction t;
  t.kind = TraceKind::write_back;
  t.operation = "store";
  t.physical_address = 0x80;
  return t;
}

bool keeps(const char* filter, const TraceTransaction& t, TraceUnit unit = TraceUnit::l2) {
  return TraceFilter::parse(filter, "--trace-filter").keeps(t, unit);
}

std::string complaint(const char* filter) {
  try {
    TraceFilter::parse(filter, "--trace-filter");
  } catch (const ConfigError& e) {
    return e.what();
  }
  return {};
}

std::string window_complaint(const char* window) {
  try {
    parse_trace_window(window, "--trace-window");
  } catch (const ConfigError& e) {
    return e.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(comparisons_are_of_what_the_transaction_has) {
  const TraceTransaction t = store_of(3, 0x2010);
  for (const char* yes :
       {"sm==3", "sm != 2", "sm<4", "sm<=3", "sm>2", "sm>=3", "warp==5", "kernel==1", "cta==9", "instruction==7",
        "address>=0x2010", "line==0x1000", "bytes==128", "op==store", "op!=load", "kind==line", "unit==l2", "unit!=l1"})
    BOOST_TEST(keeps(yes, t), yes);
  for (const char* no : {"sm!=3", "sm<3", "sm>3", "address<0x2010", "line==0x1010", "op==load", "unit==dram"})
    BOOST_TEST(!keeps(no, t), no);
}

BOOST_AUTO_TEST_CASE(and_binds_more_closely_than_or_and_parentheses_and_negation_do_what_they_say) {
  const TraceTransaction t = store_of(3, 0x2010);
  BOOST_TEST(keeps("sm==3 || sm==4 && op==load", t));
  BOOST_TEST(!keeps("(sm==3 || sm==4) && op==load", t));
  BOOST_TEST(keeps("!op==load", t));
  BOOST_TEST(keeps("!(sm==3 && op==load)", t));
  BOOST_TEST(!keeps("!!(op==load)", t));
}

BOOST_AUTO_TEST_CASE(what_a_transaction_lacks_fails_every_comparison) {
  for (const char* none : {"sm==65535", "sm!=3", "warp>=0", "address!=0", "instruction==0"})
    BOOST_TEST(!keeps(none, write_back()), none);
  BOOST_TEST(keeps("line==0x80", write_back()));
}

BOOST_AUTO_TEST_CASE(an_empty_filter_keeps_everything) {
  BOOST_TEST(TraceFilter().keeps(write_back(), TraceUnit::dram));
}

BOOST_AUTO_TEST_CASE(mistakes_name_column_found_and_allowed) {
  BOOST_TEST(complaint("sm==3 && opp==store") ==
             "--trace-filter:1:10: no field; did you mean op? (found opp, allowed unit, sm, warp, kernel, cta, "
             "instruction, address, line, bytes, op, kind, ! or ()");
  BOOST_TEST(complaint("sm=3").find("--trace-filter:1:3: no comparison (found =, allowed ==, !=, <, <=, >, >=)") == 0U);
  BOOST_TEST(complaint("op<store").find("--trace-filter:1:3: no comparison (found <, allowed ==, !=)") == 0U);
  BOOST_TEST(complaint("op==stor").find("--trace-filter:1:5: no such name; did you mean store?") == 0U);
  BOOST_TEST(complaint("unit==l3").find("lsu, l1, mmu, crossbar, l2, controller, dram, host") != std::string::npos);
  BOOST_TEST(complaint("sm==three").find("--trace-filter:1:5: not a whole number (found three, ") == 0U);
  BOOST_TEST(complaint("sm==99999999999999999999").find("a number out of range") != std::string::npos);
  BOOST_TEST(complaint("(sm==3").find("--trace-filter:1:7: a parenthesis is not closed (found the end, ") == 0U);
  BOOST_TEST(complaint("sm==3 sm==4").find("--trace-filter:1:7: the expression ends here (found sm, ") == 0U);
  BOOST_TEST(complaint("sm==3 &&").find("--trace-filter:1:9: no field (found the end, ") == 0U);
  BOOST_TEST(complaint("").find("--trace-filter:1:1: no field (found the end, ") == 0U);
  BOOST_TEST(complaint(std::string(100000, '(').c_str()).find("nested too deeply") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_window_has_two_times_with_units_either_of_which_may_be_left_out) {
  const TraceWindow w = parse_trace_window("1.5us : 2us", "--trace-window");
  BOOST_TEST(w.begin == 1'500'000'000);
  BOOST_TEST(w.end == 2'000'000'000);
  BOOST_TEST(!w.contains(w.begin - 1));
  BOOST_TEST(w.contains(w.begin));
  BOOST_TEST(w.contains(w.end - 1));
  BOOST_TEST(!w.contains(w.end));
  BOOST_TEST(parse_trace_window(":1ns", "--trace-window").begin == 0);
  BOOST_TEST(parse_trace_window("1ns:", "--trace-window").end == kNever);
}

BOOST_AUTO_TEST_CASE(a_wrong_window_says_where_and_why) {
  BOOST_TEST(window_complaint("5us").find("--trace-window:1:1: no window (found 5us, allowed BEGIN:END") == 0U);
  BOOST_TEST(window_complaint("0us:5").find("--trace-window:1:5: needs a unit (found 5, ") == 0U);
  BOOST_TEST(window_complaint("x:5us").find("--trace-window:1:1: not a number (found x, ") == 0U);
  BOOST_TEST(window_complaint("-1us:5us").find("must not be negative") != std::string::npos);
  BOOST_TEST(window_complaint("2us:1us").find("--trace-window:1:5: the window ends before it begins") == 0U);
  BOOST_TEST(window_complaint("2us:2us").find("ends before it begins") != std::string::npos);
}
