// SPDX-License-Identifier: Apache-2.0
//
// A probe measures what is there: on a card that answers otherwise it says so, and where its method does not hold it
// says nothing.
#include "gputlm/test_support/sc_test.h"
//
#include <fstream>
#include <map>
#include <sstream>

#include "gputlm/config/data_dir.h"
#include "gputlm/config/yaml_document.h"
#include "gputlm/probe/probe_catalogue.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

using Values = std::map<std::string, std::optional<double>>;
using Texts = std::vector<std::string>;

std::string shipped_text(const std::string& probe) {
  std::ifstream in(find_yaml(probe, kProbeFolder));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, what);
  return text.replace(at, what.size(), by);
}

/// Rows of a probe whose file is not the shipped one.
Values values_of(const std::string& probe, const std::string& text, const Texts& overrides = {}) {
  const TempFolder folder;
  const ProbeFile file = read_probe_file(folder.file("probe.yaml", text), false);
  ProbeOptions options;
  options.overrides = overrides;
  options.check = true;
  ProbeRun run(file, options);
  find_probe(probe).run(run);
  Values result;
  for (const ProbeRow& row : run.rows()) result[row.case_name] = row.value;
  return result;
}

Values values(const std::string& probe, const Texts& overrides = {}) {
  return values_of(probe, shipped_text(probe), overrides);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_new_row_costs_as_much_more_as_the_row_cycle_is_longer) {
  const Values shipped = values("dram-rows"), longer = values("dram-rows", {"dram.timing.tRC=100"});
  BOOST_TEST(*shipped.at("new_row") == 67 / 1.3125, boost::test_tools::tolerance(0.01));
  BOOST_TEST(*longer.at("new_row") == 100 / 1.3125, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(rows_left_open_do_not_hide_what_a_new_row_costs) {
  const Values open = values("dram-rows", {"dram.page_policy=open"});
  BOOST_REQUIRE(open.at("new_row"));
  BOOST_TEST(*open.at("new_row") == 51, boost::test_tools::tolerance(0.1));
}

BOOST_AUTO_TEST_CASE(rows_that_meet_in_no_bank_say_nothing_of_a_new_row) {
  std::string text = replaced(shipped_text("dram-rows"), "candidates: 33", "candidates: 8");
  text = replaced(text, "distance: 98304 B", "distance: 128 KiB");  // these eight lie in eight banks
  BOOST_TEST(!values_of("dram-rows", text).at("new_row"));
}

BOOST_AUTO_TEST_CASE(a_tlb_of_twice_the_entries_has_no_step_past_16_pages) {
  const Values larger = values("tlb", {"mmu.entries=32"});
  BOOST_TEST(std::abs(*larger.at("step")) < 0.1);
  BOOST_TEST(std::abs(*larger.at("step,warps=4")) < 0.1);
  BOOST_TEST(*larger.at("reach") == 32);
  BOOST_TEST(!values("tlb", {"mmu.entries=64"}).at("reach"));
}

BOOST_AUTO_TEST_CASE(the_insertion_level_is_unknown_where_a_load_hit_promotes_nothing) {
  BOOST_TEST(!values("rrip", {"l2.replacement.load_hit_rrpv=1"}).at("insertion_level"));
  BOOST_TEST(*values("rrip", {"l2.replacement.insert_rrpv=2"}).at("insertion_level") == 2);
}

BOOST_AUTO_TEST_CASE(a_line_that_hits_with_its_old_bytes_is_not_updated) {
  const std::string text = shipped_text("l1-store-policy");
  BOOST_TEST(*values_of("l1-store-policy", text).at("kept_and_updated_on_a_hit") == 1);
  const std::string elsewhere = replaced(text, "{load: 8192}, {store: 8192}", "{load: 8192}, {store: 20480}");
  BOOST_TEST(*values_of("l1-store-policy", elsewhere).at("kept_and_updated_on_a_hit") == 0);
}

BOOST_AUTO_TEST_CASE(a_slower_slice_acknowledges_a_store_later) {
  const Values shipped = values("l1-store-policy"), slow = values("l1-store-policy", {"l2.store_latency=74.7 ns"});
  BOOST_TEST(*slow.at("acknowledgement") - *shipped.at("acknowledgement") == 20, boost::test_tools::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(translation_misses_are_no_part_of_the_time_until_a_store_is_seen) {
  const Values shipped = values("visibility"), slow = values("visibility", {"mmu.miss_latency=44 ns"});
  for (const char* name : {"flag_alone", "gl", "acquire_release", "sys"})
    BOOST_TEST(*slow.at(name) == *shipped.at(name), boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(a_footprint_that_a_smaller_l2_no_longer_holds_has_drams_latency) {
  const std::string text =
      replaced(shipped_text("latency"), "[4, 16, 64, 128, 256, 1024, 8192, 16384, 32768, 65536,", "[65536]  # [");
  BOOST_TEST(*values_of("latency", text).at("footprint_kib=65536") == 127.4, boost::test_tools::tolerance(0.01));
  const Values half = values_of("latency", text, {"l2.ways=8", "l2.janitor.dirty_threshold=4"});
  BOOST_TEST(*half.at("footprint_kib=65536") == 255.4, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(twice_the_sets_of_l1_are_counted_beyond_the_listed_footprints) {
  // A mask of bit 17 alone is independent of the others, which index 128 KiB.
  const Values larger = values("l1-geometry", {"l1.sets=512",
                                               "l1.index_masks=[0xc3901e00, 0x119a80a00, 0x167041b00, 0xdbc21d80, "
                                               "0x47810400, 0x1b4e09180, 0xb6405400, 0xdc202c80, 0x20000]"});
  BOOST_TEST(*larger.at("ways") == 4);
  BOOST_TEST(*larger.at("sets") == 512);
}

BOOST_AUTO_TEST_CASE(a_lone_warps_stores_are_late_only_when_the_backlog_is_full) {
  const Values shipped = values("write-backlog");
  BOOST_TEST(*shipped.at("one_warp,late_only_when_full") == 1);
  BOOST_TEST(*shipped.at("one_warp,late_from") >= *shipped.at("one_warp,backlog_full_from"));
}

BOOST_AUTO_TEST_CASE(partial_writes_are_counted_per_line_whatever_the_length_of_the_sweep) {
  const std::string text = shipped_text("partial-writes");
  const Values shipped = values_of("partial-writes", text),
               half = values_of("partial-writes",
                                replaced(replaced(text, "bytes: 8 MiB", "bytes: 4 MiB"), "l2.sets=16", "l2.sets=8"));
  for (const char* name : {"full,written_bytes", "one_byte,written_bytes", "one_byte,single_byte_masked_writes"})
    BOOST_TEST(*half.at(name) == *shipped.at(name), boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(the_whole_chips_probe_is_the_experiment_at_its_size) {
  Diagnostics diagnostics;
  YamlNode experiment;
  BOOST_REQUIRE(load_yaml(find_yaml("die", "configs/experiments"), experiment, diagnostics));
  const ProbeFile probe = find_probe_file("die", false);
  for (const char* name : {"output", "input"})
    BOOST_TEST(probe.experiment.find("buffers")->find(name)->find("size")->text ==
               experiment.find("buffers")->find(name)->find("size")->text);
}
