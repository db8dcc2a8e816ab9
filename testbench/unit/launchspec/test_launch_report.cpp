// SPDX-License-Identifier: Apache-2.0
#include "refusal.h"
//
#include <cmath>
#include <sstream>
#include <vector>

#include "gputlm/launchspec/launch_report.h"

using namespace gputlm;

namespace {

ReadBack read_of(const std::string& argument, const Expectation* expectation = nullptr) {
  const LaunchArgument a = parse_argument(argument, "--arg");
  return make_read_back(a, a.initial_bytes(1), expectation);
}

/// The doorbell at 10 us; nothing after the barrier.
LaunchResult unfinished() {
  LaunchResult r;
  r.kernel = "vadd";
  r.t.doorbell = 10'000 * kFsPerNs;
  r.t.fetched = 12'500 * kFsPerNs;
  r.t.last_block = 20'000 * kFsPerNs;
  r.t.barrier_done = 20'740 * kFsPerNs;
  return r;
}

std::vector<std::string> lines_of(const LaunchResult& result) {
  std::stringstream out;
  print_launch(out, result);
  std::vector<std::string> lines;
  for (std::string line; std::getline(out, line);) lines.push_back(line);
  return lines;
}

bool has_line(const std::vector<std::string>& lines, const std::string& line) {
  for (const std::string& l : lines)
    if (l == line) return true;
  for (const std::string& l : lines) BOOST_TEST_MESSAGE(l);
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_line_is_what_the_kernels_user_prints) {
  LaunchResult result = unfinished();
  result.reads = {read_of("c=float[1048576]:2"), read_of("n=int[1]:-3")};
  const auto lines = lines_of(result);
  BOOST_TEST(lines.at(0) == "c[0]=2.000000 c[1048575]=2.000000");
  BOOST_TEST(lines.at(1) == "n[0]=-3");
}

BOOST_AUTO_TEST_CASE(each_step_has_its_time_since_the_doorbell_and_since_the_step_before) {
  const auto lines = lines_of(unfinished());
  BOOST_TEST(has_line(lines, "  doorbell                         0.000               -"));
  BOOST_TEST(has_line(lines, "  fetch                            2.500           2.500"));
  BOOST_TEST(has_line(lines, "  first block                          -               -"));
  BOOST_TEST(has_line(lines, "  last block                      10.000           7.500"));
  BOOST_TEST(has_line(lines, "  barrier                         10.740           0.740"));
  BOOST_TEST(has_line(lines, "  done                                 -               -"));
}

BOOST_AUTO_TEST_CASE(figures_are_printed_with_their_units) {
  LaunchResult result = unfinished();
  result.dram_bytes_read = 8U << 20U;
  result.dram_read_utilisation = 0.815;
  result.warps_active_pct = 76.54;
  result.blocks = 4096;
  result.warps = 32768;
  result.blocks_per_sm = 6;
  result.limited_by = "threads";
  const auto lines = lines_of(result);
  BOOST_TEST(has_line(lines, "  DRAM read                     8.00 MiB  81.5 % of the peak during the kernel"));
  BOOST_TEST(has_line(lines,
                      "  blocks                            4096  of 32768 warps in all; 6 at once on an SM, limited "
                      "by threads"));
  BOOST_TEST(
      has_line(lines, "  occupancy                       76.5 %  warps active, mean of the SMs; 0.0 % in theory"));
}

BOOST_AUTO_TEST_CASE(elements_that_differ_from_the_expected_ones_are_counted) {
  const Expectation same{"c", "f", {1, 0, 1, 0, 1, 0}};
  const Expectation other{"c", "f", {1, 0, 0, 1, 2, 0}};
  BOOST_TEST(read_of("c=int16[3]:1").expected == false);
  BOOST_TEST(read_of("c=int16[3]:1", &same).expected);
  BOOST_TEST(read_of("c=int16[3]:1", &same).mismatches == 0U);
  LaunchResult result = unfinished();
  result.reads = {read_of("c=int16[3]:1", &other)};
  BOOST_TEST(result.reads[0].mismatches == 2U);
  BOOST_TEST(has_line(lines_of(result),
                      "  mismatches in c                      2  of 3 elements differ from the expected ones"));
  BOOST_TEST(json_of(result)["read"]["c"]["mismatches"] == 2);
}

BOOST_AUTO_TEST_CASE(json_has_the_figures_that_programs_ask_for) {
  const auto j = json_of(unfinished());
  for (const char* key : {"kernel_ns", "launch_to_done_ns", "blocks", "warps_active_pct", "issue_active_pct",
                          "dram_bytes_read", "dram_bytes_written", "dram_read_utilisation", "barrier_ns",
                          "copy_dram_bytes_read", "l2_dirty_bytes_at_kernel_end", "read", "problems"})
    BOOST_TEST(j.contains(key), key);
  BOOST_TEST(j["timeline_ns"]["fetched"] == 12500.0);
  BOOST_TEST(j["timeline_ns"]["done"].is_null());
}

BOOST_AUTO_TEST_CASE(json_has_first_and_last_elements_as_numbers_unrounded) {
  LaunchResult result;
  result.reads = {read_of("f=float[2]:ramp(2,0.5)"), read_of("d=double[1]:1e-9"),
                  read_of("u=uint64[1]:18446744073709551615"), read_of("i=int8[2]:ramp(-1,3)"),
                  read_of("n=half[1]:nan")};
  const auto read = nlohmann::ordered_json::parse(json_of(result).dump())["read"];
  BOOST_TEST(read["f"]["count"] == 2);
  BOOST_TEST(read["f"]["first"] == 2.0);
  BOOST_TEST(read["f"]["last"] == 2.5);
  BOOST_TEST(read["d"]["first"] == 1e-9);
  BOOST_TEST(read["u"]["last"].get<std::uint64_t>() == 18446744073709551615U);
  BOOST_TEST(read["i"]["first"] == -1);
  BOOST_TEST(read["n"]["first"].is_null());
}

BOOST_AUTO_TEST_CASE(json_takes_the_texts_where_there_are_no_bytes) {
  LaunchResult result;
  ReadBack c;
  c.name = "c", c.type = ElementType::float32, c.count = 2, c.first = "2.000000", c.last = "nan";
  result.reads = {c};
  const auto read = json_of(result)["read"]["c"];
  BOOST_TEST(read["first"] == 2.0);
  BOOST_TEST(read["last"].is_null());
}
