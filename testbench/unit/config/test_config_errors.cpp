// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <string>
#include <vector>

#include "gputlm/test_support/temp_folder.h"
#include "load_errors.h"

using namespace gputlm;
using gputlm::test::TempFolder;

namespace {

/// The whole text of the errors of one override of the card.
std::string refused(const std::string& override_text) {
  return load_errors("rtx4090", {override_text});
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_mistakes_of_a_file_are_reported_at_once_where_they_stand) {
  const TempFolder dir;
  const std::string file = dir.file("bad.yaml",
                                    "base: rtx4090\n"                         // 1
                                    "l2:\n"                                   // 2
                                    "  wayz: 8\n"                             // 3
                                    "  sets: many\n"                          // 4
                                    "  load_latency: 40\n"                    // 5
                                    "  store_latency: 40 KiB\n"               // 6
                                    "  janitor: 8\n"                          // 7
                                    "  replacement:\n"                        // 8
                                    "    policy: fifo\n"                      // 9
                                    "mmu: {entries: -1, page_bytes: 3 MB}\n"  // 10
                                    "l1:\n"                                   // 11
                                    "  ways: {value: 4, confidence: sure}\n"  // 12
                                    "  sets: {confidence: measured}\n"        // 13
                                    "  index_masks: [1, [2], 3]\n"            // 14
                                    "dram:\n"                                 // 15
                                    "  map: {rotate_bank_groups: maybe}\n"    // 16
                                    "  rows:\n"                               // 17
                                    "crossbar: {slice_function: {q: [1]}}\n"  // 18
                                    "extra: 1\n");                            // 19
  const std::string expected =
      "bad.yaml:3:3: l2.wayz: unknown parameter; did you mean l2.ways?\n"
      "bad.yaml:4:9: l2.sets: not a whole number (found many, allowed 1 to 1048576)\n"
      "bad.yaml:5:17: l2.load_latency: needs a unit (found 40, allowed 0 ns to 1 ms, in fs, ps, ns, us, ms, s)\n"
      "bad.yaml:6:18: l2.store_latency: not a known unit (found 40 KiB, allowed 0 ns to 1 ms, in fs, ps, ns, us, ms, "
      "s)\n"
      "bad.yaml:7:12: l2.janitor: must be a map of parameters (found 8)\n"
      "bad.yaml:9:13: l2.replacement.policy: not one of the names allowed (found fifo, allowed rrip, lru, tree_plru, "
      "srrip, brrip, drrip, random)\n"
      "bad.yaml:10:16: mmu.entries: must not be negative (found -1, allowed 1 to 4096)\n"
      "bad.yaml:10:32: mmu.page_bytes: not a known unit (found 3 MB, allowed 4 KiB to 1 TiB, in B, KiB, MiB, GiB, "
      "TiB)\n"
      "bad.yaml:12:32: l1.ways.confidence: not one of the names allowed (found sure, allowed measured, published, "
      "computed, inferred, recalled, assumed)\n"
      "bad.yaml:13:9: l1.sets.value: is missing\n"
      "bad.yaml:14:20: l1.index_masks: must be a number (found a list, allowed a list of 0 to 16 masks like 0x4100, "
      "each at most 0xffffffffff)\n"
      "bad.yaml:16:29: dram.map.rotate_bank_groups: neither true nor false (found maybe, allowed true, false)\n"
      "bad.yaml:17:3: dram.rows: must be a single value (found nothing, allowed 1 to 4294967296)\n"
      "bad.yaml:18:32: crossbar.slice_function.q: wrong number of items, 1 (found a list, allowed a list of 4 masks "
      "like 0x4100, each at most 0xffffffffff)\n"
      "bad.yaml:19:1: extra: unknown parameter (allowed what gputlm config show lists)";
  BOOST_TEST(load_errors(file, {}, dir.path("")) == expected);
}

BOOST_AUTO_TEST_CASE(a_mask_of_more_bits_than_an_address_is_refused_where_it_stands) {
  const TempFolder dir;
  const std::string file = dir.file("wide.yaml",
                                    "base: tiny\n"
                                    "l1: {index_masks: [0x80, 0x10000000000]}\n"
                                    "l2: {set_index: {quotient_masks: [0x10000000000]}}\n"
                                    "crossbar: {slice_function: {p1: 0x10000000000, table_masks: [0x8000000000]}}\n");
  const std::string one = "out of range (found 0x10000000000, allowed a mask like 0x4100, at most 0xffffffffff)";
  const std::string several = "masks like 0x4100, each at most 0xffffffffff)";
  const std::string errors = load_errors(file, {}, dir.path(""));
  for (const std::string& said :
       {"wide.yaml:2:26: l1.index_masks: out of range (found 0x10000000000, allowed a list of 0 to 16 " + several,
        "wide.yaml:3:35: l2.set_index.quotient_masks: out of range (found 0x10000000000, allowed a list of 0 to 16 " +
            several,
        "wide.yaml:4:33: crossbar.slice_function.p1: " + one})
    BOOST_TEST(errors.find(said) != std::string::npos, errors);
  BOOST_TEST(errors.find("table_masks") == std::string::npos, errors);
}

BOOST_AUTO_TEST_CASE(diagnostics_carry_their_parts) {
  const TempFolder dir;
  const std::string file = dir.file("bad.yaml", "base: rtx4090\nl2: {ways: 0}\n");
  try {
    Config::load(file, {"l1.ways=-3"});
    BOOST_FAIL("accepted");
  } catch (const ConfigError& error) {
    BOOST_REQUIRE(error.diagnostics().size() == 2u);
    const Diagnostic& d = error.diagnostics()[0];
    BOOST_TEST(d.file == file);
    BOOST_TEST(d.line == 2u);
    BOOST_TEST(d.column == 12u);
    BOOST_TEST(d.path == "l2.ways");
    BOOST_TEST(d.found == "0");
    BOOST_TEST(d.allowed == "1 to 64");
    BOOST_TEST(error.diagnostics()[1].file == "--set l1.ways=-3");
    BOOST_TEST(error.diagnostics()[1].line == 0u);
  }
}

BOOST_AUTO_TEST_CASE(bad_overrides_are_refused) {
  BOOST_TEST(refused("l2.ways") == "--set l2.ways: an override has the form path=value");
  BOOST_TEST(refused("no.such.key=1") ==
             "--set no.such.key=1: no.such.key: unknown parameter (allowed what gputlm config show lists)");
  BOOST_TEST(refused("l2.janitor.treshold=1") ==
             "--set l2.janitor.treshold=1: l2.janitor.treshold: unknown parameter; did you mean "
             "l2.janitor.trigger?");
  BOOST_TEST(refused("l2=1") == "--set l2=1: l2: is a group of parameters, not one of them");
  BOOST_TEST(refused("l2.ways=") == "--set l2.ways=: l2.ways: must be a single value (found nothing, allowed 1 to 64)");
  BOOST_TEST(refused("=3").find("--set =3: unknown parameter") == 0u);
  BOOST_TEST(contains(refused("l2.ways=[1"), "the value is not one YAML value"));
  BOOST_TEST(contains(refused("l2.ways=1\nx: 2"), "the value is not one YAML value"));
  BOOST_TEST(contains(refused("base=tiny"), "unknown parameter"));
  for (const char* value :
       {"0", "-3", "nan", "inf", "1e3", "65", "16 ways", "99999999999999999999", "{}", "[16]", "~"}) {
    const std::string text = refused(std::string("l2.ways=") + value);
    const bool stated = contains(text, "allowed 1 to 64") || contains(text, "l2.ways.value: is missing");
    BOOST_TEST(stated, text);
  }
}

BOOST_AUTO_TEST_CASE(absurd_values_of_any_kind_are_refused) {
  for (const char* text : {"dram.capacity=1024 TiB",
                           "dram.capacity=1e30 B",
                           "dram.capacity=-1 GiB",
                           "sm.count=4294967297",
                           "sm.count=1e30",
                           "clocks.sm=0 GHz",
                           "clocks.sm=nan GHz",
                           "clocks.sm=1e30 GHz",
                           "mmu.miss_latency=1e30 s",
                           "mmu.miss_latency=-1 ns",
                           "sm.store_issue_interval=nan",
                           "sm.store_issue_interval=-6.1",
                           "sm.store_issue_interval=0",
                           "sm.store_issue_interval=1e30",
                           "crossbar.sm_position=[nan]",
                           "l2.slices=0",
                           "dram.rows=18446744073709551615",
                           "l2.sets=1048576",
                           "sm.exit_bytes_per_cycle=0",
                           "dram.timing.tRC=100000"}) {
    BOOST_TEST_CONTEXT(text) BOOST_TEST(!refused(text).empty());
  }
}

BOOST_AUTO_TEST_CASE(a_window_of_generic_addresses_stays_clear_of_null_and_of_data) {
  BOOST_TEST(load_errors("rtx4090", {"instructions.shared_window=0x0"}) ==
             "--set instructions.shared_window=0x0: instructions.shared_window: out of range (found 0x0, allowed "
             "0x1000000 to 0x7f3fff000000)");
  BOOST_TEST(contains(load_errors("rtx4090", {"instructions.local_window=0x7f4000000000"}), "out of range"));
  BOOST_TEST(load_errors("rtx4090", {"instructions.local_window=0x7f3fff000000"}) == "");
}

BOOST_AUTO_TEST_CASE(a_configuration_without_a_base_must_set_everything) {
  const TempFolder dir;
  const std::string text = load_errors(dir.file("lone.yaml", "l2: {ways: 16}\n"), {}, dir.path(""));
  BOOST_TEST(contains(text, "lone.yaml: sm.count: has no value (allowed 1 to 1024)\n"));
  BOOST_TEST(contains(text, "lone.yaml: host.ordering_round_trip: has no value"));
  BOOST_TEST(!contains(text, "l2.ways: has no value"));
  BOOST_TEST(contains(text, "starts from a complete one: base: rtx4090"));
}

BOOST_AUTO_TEST_CASE(files_that_are_no_configuration_are_refused) {
  const TempFolder dir;
  const auto refused_file = [&](const std::string& text) {
    return load_errors(dir.file("x.yaml", text), {}, dir.path(""));
  };
  BOOST_TEST(refused_file("") == "x.yaml:1:1: the file is empty (allowed a map of keys and values)");
  BOOST_TEST(refused_file("- 1\n") == "x.yaml:1:1: the file must be a map of keys and values (found a list)");
  BOOST_TEST(contains(refused_file("a: [1, 2\nb: }"), "x.yaml:2:2: not YAML"));
  BOOST_TEST(contains(refused_file(std::string("\0\1", 2)), "not a text file"));
  BOOST_TEST(refused_file("base: rtx4090\nl2: {ways: 8, ways: 4}\n") ==
             "x.yaml:2:15: the key is given twice (found ways)");
  BOOST_TEST(load_errors("absent.yaml") == "absent.yaml: cannot be read: No such file or directory");
  BOOST_TEST(contains(load_errors("absent"), "there is no file or name 'absent' in configs (allowed a100, "));
  BOOST_TEST(!load_errors("").empty());
}
