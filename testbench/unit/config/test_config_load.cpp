// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <string>

#include "gputlm/config/config.h"
#include "gputlm/config/schema.h"
#include "gputlm/test_support/temp_folder.h"
#include "load_errors.h"

using namespace gputlm;
using gputlm::test::TempFolder;

BOOST_AUTO_TEST_CASE(the_card_loads_with_its_published_numbers) {
  const Config c = Config::load("rtx4090");
  BOOST_TEST(c.sms == 128u);
  BOOST_TEST(c.crossbar.sm_ports == 128u);
  BOOST_TEST(c.crossbar.slices == 36u);
  BOOST_TEST(c.crossbar.slices_per_controller == 3u);
  BOOST_TEST(c.dram.slices_per_controller == 3u);
  BOOST_TEST(c.warp.clock_hz == 2.6e9);
  BOOST_TEST(c.sass.clock_hz == 2.6e9);
  BOOST_TEST(c.lsu.clock_hz == 2.6e9);
  BOOST_TEST(c.l1.clock_hz == 2.6e9);
  BOOST_TEST(c.sass.shared_cycles == 23.0);
  BOOST_TEST(c.sass.shared_window == 0x7f0000000000U);
  BOOST_TEST(c.lsu.store_issue_interval == 6.1);
  BOOST_TEST(c.mmu.miss_latency == from_ns(4.4));
  BOOST_TEST(c.mmu.page_bytes == 2u << 20);
  BOOST_TEST(c.l1.index_masks.size() == 8u);
  BOOST_TEST(c.l1.index_masks[1] == 0x119a80a00u);
  BOOST_TEST(c.crossbar.slice_function.p1 == 0x76A990400u);
  BOOST_TEST((c.crossbar.slice_function.s == std::vector<unsigned>{5, 7, 5, 2, 1}));
  BOOST_TEST(c.l2.set_index.line_masks.size() == 10u);
  BOOST_TEST(c.l2.janitor.dirty_threshold == 8u);
  BOOST_TEST(c.memory_bytes() == std::uint64_t{24} << 30);
  BOOST_TEST(c.dram.timing.clock_hz == 1.3125e9);
  BOOST_TEST(c.dram.map.rotate_bank_groups);
  BOOST_TEST(!c.lsu.byte_exact_loads);
}

BOOST_AUTO_TEST_CASE(the_legs_of_the_road_add_up_to_the_measured_sums) {
  const Config c = Config::load("rtx4090");
  const Fs l2_hit = c.l1.miss_latency + c.crossbar.request_latency + c.l2.load_latency + c.crossbar.response_latency;
  BOOST_TEST(to_ns(l2_hit) == 127.4, boost::test_tools::tolerance(0.01));
  const DramTimingSpec& t = c.dram.timing;
  const Fs device = cycles_to_fs(t.tRCDRD + t.tCL + 4 * t.burst, t.clock_hz);
  BOOST_TEST(to_ns(l2_hit + c.dram.request_latency + c.dram.response_latency + device) == 255.4,
             boost::test_tools::tolerance(0.01));
  const Fs store = c.l1.miss_latency + c.crossbar.request_latency + c.l2.store_latency + c.crossbar.response_latency;
  BOOST_TEST(to_ns(store) == 140.0, boost::test_tools::tolerance(0.02));
  BOOST_TEST(cycles_to_fs(t.burst, t.clock_hz) * 42 / 32.0 == 1e6, boost::test_tools::tolerance(0.001));
}

BOOST_AUTO_TEST_CASE(every_number_of_the_card_states_confidence_and_source) {
  const Config c = Config::load("rtx4090");
  for (const EffectiveValue& value : c.effective.values()) {
    if (value.path == "name" || value.path == "description") continue;
    BOOST_TEST_CONTEXT(value.path) {
      BOOST_TEST(!value.confidence.empty());
      BOOST_TEST(!value.source.empty());
      BOOST_TEST(value.origin.line != 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_one_slice_platform_is_the_same_configuration_with_other_counts) {
  const Config tiny = Config::load("tiny");
  BOOST_TEST(tiny.sms == 2u);
  BOOST_TEST(tiny.crossbar.slices == 1u);
  BOOST_TEST(tiny.dram.controllers == 1u);
  BOOST_TEST(tiny.crossbar.slice_function.type == "modulo");
  const Config one = Config::load(
      "rtx4090", {"sm.count=1", "l2.slices=1", "l2.slices_per_controller=1", "dram.controllers=1", "dram.rows=1024",
                  "dram.capacity=32 MiB", "crossbar.slice_function.type=modulo", "l2.set_index.type=modulo",
                  "dram.map.type=linear", "l2.sets=16", "l2.ways=2", "l2.janitor.dirty_threshold=1"});
  BOOST_TEST(one.sms == 1u);
  BOOST_TEST(one.l2.sets == 16u);
}

BOOST_AUTO_TEST_CASE(overrides_apply_in_order_and_keep_their_origin) {
  const Config c =
      Config::load("rtx4090", {"l2.ways=8", "mmu.miss_latency=8.8 ns", " l2.ways = 12 ",
                               "l1.index_masks=[0x80, 256, 512, 1024, 2048, 4096, 8192, 0x4000]",
                               "l2.partial_sector_load=serve_valid",
                               "l2.fetch_entries={value: 7, confidence: inferred, source: mine, note: why}"});
  BOOST_TEST(c.l2.ways == 12u);
  BOOST_TEST(c.mmu.miss_latency == from_ns(8.8));
  BOOST_TEST(c.l1.index_masks[1] == 256u);
  BOOST_TEST(c.lsu.byte_exact_loads);
  BOOST_TEST(c.effective.find("l2.ways")->origin.text() == "--set  l2.ways = 12 ");
  BOOST_TEST(c.effective.find("l2.ways")->confidence == "");
  BOOST_TEST(c.effective.find("l2.fetch_entries")->note == "why");
  BOOST_TEST(c.effective.find("l2.fetch_entries")->source == "mine");
  BOOST_TEST(c.effective.find("l2.nothing") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_file_inherits_from_its_bases) {
  const TempFolder dir;
  dir.file("middle.yaml", "base: rtx4090\nl2: {ways: 8}\nl1: {fill_sectors: 64}\n");
  const std::string file = dir.file("mine.yaml", "base: middle\nname: Mine\nl2:\n  ways: 12\n");
  const Config c = Config::load(file);
  BOOST_TEST(c.name == "Mine");
  BOOST_TEST(c.l2.ways == 12u);
  BOOST_TEST(c.l1.fill_sectors == 64u);
  BOOST_TEST(c.l2.sets == 1024u);
  BOOST_TEST(c.effective.find("l2.ways")->origin.text() == file + ":4:9");
  BOOST_TEST(c.effective.find("l1.fill_sectors")->origin.text() == dir.path("middle.yaml") + ":3:20");
  BOOST_TEST(c.effective.find("l1.ways")->confidence == "assumed");  // another card's
}

BOOST_AUTO_TEST_CASE(what_is_known_of_one_card_is_an_assumption_for_another) {
  const TempFolder dir;
  dir.file("first.yaml",
           "base: rtx4090\nname: First\nl2: {ways: {value: 8, confidence: measured, source: lab, note: counted}}\n");
  const auto ways = [](const std::string& file) { return *Config::load(file).effective.find("l2.ways"); };
  const EffectiveValue other = ways(dir.file("other.yaml", "base: first\nname: Other\n"));
  BOOST_TEST(other.confidence == "assumed");
  BOOST_TEST(other.note == "measured of the First; counted");
  BOOST_TEST(other.source == "lab");
  BOOST_TEST(ways(dir.file("same.yaml", "base: first\n")).confidence == "measured");  // the same card, changed
}

BOOST_AUTO_TEST_CASE(a_cycle_of_bases_names_its_chain) {
  const TempFolder dir;
  const std::string a = dir.file("a.yaml", "base: b\n");
  dir.file("b.yaml", "base: c.yaml\n");
  dir.file("c.yaml", "name: c\nbase: ./a.yaml\n");
  BOOST_TEST(load_errors(a, {}, dir.path("")) ==
             "c.yaml:2:7: base: the base files form a cycle: a.yaml -> b.yaml -> c.yaml -> a.yaml");
  const std::string self = dir.file("self.yaml", "base: self\n");
  BOOST_TEST(load_errors(self, {}, dir.path("")) ==
             "self.yaml:1:7: base: the base files form a cycle: self.yaml -> self.yaml");
}

BOOST_AUTO_TEST_CASE(bases_that_cannot_be_used_are_named) {
  const TempFolder dir;
  BOOST_TEST(load_errors(dir.file("a.yaml", "base: no_such\n"), {}, dir.path(""))
                 .find("a.yaml:1:7: base: there is no file or name 'no_such' in configs (allowed ") == 0u);
  BOOST_TEST(load_errors(dir.file("b.yaml", "base: ./gone.yaml\n"), {}, dir.path("")) ==
             "./gone.yaml: cannot be read: No such file or directory");
  BOOST_TEST(load_errors(dir.file("c.yaml", "base: [rtx4090]\n"), {}, dir.path("")) ==
             "c.yaml:1:7: base: must be the name or path of a configuration (found a list)");
  for (int i = 0; i < 40; ++i) {
    dir.file("d" + std::to_string(i) + ".yaml", "base: d" + std::to_string(i + 1) + "\n");
  }
  BOOST_TEST(load_errors(dir.path("d0.yaml"), {}, dir.path("")) ==
             "d15.yaml:1:7: base: more than 16 base files in a row");
}
