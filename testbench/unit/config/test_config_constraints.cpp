// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gputlm/config/constraints.h"
#include "gputlm/config/schema.h"
#include "gputlm/test_support/temp_folder.h"
#include "load_errors.h"

using namespace gputlm;
using gputlm::test::TempFolder;

namespace {

struct Violation {
  std::vector<std::string> overrides;
  std::string rule;
};

const std::vector<Violation>& violations() {
  static const std::vector<Violation> cases{
      {{"l1.sets=100"}, "l1.sets must be a power of two"},
      {{"l1.sets=128"}, "l1.index_masks must hold log2(l1.sets) masks"},
      {{"l1.index_masks=[1, 2, 3, 8, 16, 32, 64, 128]"}, "l1.index_masks must be linearly independent"},
      {{"l1.index_masks=[1, 2, 4, 8, 16, 32, 64, 128]"}, "l1.index_masks must be linearly independent"},
      {{"l1.ways=64", "l1.sets=65536"}, "an L1 holds at most 16 MiB"},
      {{"l2.sets=1000"}, "l2.sets must be a power of two"},
      {{"l2.sets=65536", "l2.ways=64"}, "the L2 holds at most 4 GiB"},
      {{"l2.sets=512"}, "l2.set_index.line_masks must hold log2(l2.sets) masks"},
      {{"l2.sets=512"}, "l2.set_index.quotient_masks must hold log2(l2.sets) masks"},
      {{"l2.sets=2", "l2.set_index.line_masks=[64]", "l2.set_index.quotient_masks=[0]"},
       "each bit of a published l2.set_index must depend"},
      {{"l2.set_index.invert_residues=[9]"}, "l2.set_index.invert_residues must be below"},
      {{"l2.replacement.levels=2", "l2.replacement.insert_rrpv=2"}, "l2.replacement.insert_rrpv must be below"},
      {{"l2.replacement.load_hit_rrpv=3"}, "l2.replacement.load_hit_rrpv must be below"},
      {{"l2.ways=4"}, "l2.janitor.dirty_threshold must not exceed l2.ways"},
      {{"l2.ways=12", "l2.replacement.policy=tree_plru"},
       "l2.replacement.policy tree_plru needs l2.ways to be a power"},
      {{"host.pcie.max_payload=384"}, "host.pcie.max_payload must be a power of two"},
      {{"host.memory.capacity=5000 B"}, "host.memory.capacity must be a whole number of 4 KiB pages"},
      {{"sm.shared_bytes=64 KiB"}, "sm.carve_outs must ascend and end with sm.shared_bytes"},
      {{"sm.carve_outs=[0, 8192, 8192, 102400]"}, "sm.carve_outs must ascend and end with sm.shared_bytes"},
      {{"instructions.shared_window=0x7f0000800000"}, "instructions.shared_window must be a multiple of 16 MiB"},
      {{"instructions.local_window=0x7f0002000001"}, "instructions.local_window must be a multiple of 16 MiB"},
      {{"instructions.local_window=0x7f0000000000"},
       "instructions.shared_window and instructions.local_window must not overlap"},
      {{"mmu.page_bytes=3 MiB"}, "mmu.page_bytes must be a power of two"},
      {{"mmu.page_bytes=1 TiB"}, "dram.capacity must be a whole number of pages"},
      {{"l2.slices=35"}, "l2.slices must be dram.controllers x l2.slices_per_controller"},
      {{"l2.slices=48", "l2.slices_per_controller=4"}, "crossbar.slice_function.type published is a function of"},
      {{"crossbar.slice_function.type=published_48"}, "crossbar.slice_function.type published_48 is a function of"},
      {{"crossbar.slice_function.granule=300 B"}, "crossbar.slice_function.granule must be a power of two"},
      {{"crossbar.slice_function.type=table"}, "crossbar.slice_function.table must be rows of 2^masks places"},
      {{"crossbar.sm_position=[1, 2]"}, "crossbar.sm_position must be empty or hold one value per SM"},
      {{"sm.count=2", "crossbar.sm_position=[0, -100]", "crossbar.request_latency=38 ns"},
       "a position must not take more time off"},
      {{"crossbar.slice_position=[1]"}, "crossbar.slice_position must be empty or hold one value per slice"},
      {{"dram.row_bytes=1000 B"}, "dram.row_bytes must be a power of two"},
      {{"dram.row_bytes=2 KiB", "dram.rows=32768"}, "dram.map.column_bits must hold one bit"},
      {{"dram.capacity=25 GiB"}, "dram.capacity must be controllers x channels"},
      {{"dram.bank_groups=1", "dram.banks_per_group=1"}, "a channel must have an even number of banks"},
      {{"dram.bank_groups=64", "dram.banks_per_group=2"}, "a channel has at most 64 banks"},
      {{"dram.timing.refresh_interval=300 ns", "dram.bank_groups=2", "dram.banks_per_group=1", "clocks.dram=500 MHz"},
       "between two refreshes of a bank pair there must be room"},
      {{"dram.timing.refresh_interval=300 ns", "dram.timing.wsm_slots=16", "clocks.dram=50 MHz"},
       "between two refresh commands of a channel there must be room"},
      {{"dram.write_low_mark=112"}, "dram.write_low_mark must be below dram.write_high_mark"},
      {{"dram.write_high_mark=129"}, "dram.write_high_mark must not exceed dram.write_queue_entries"},
      {{"dram.drain_row_lines=9"}, "dram.drain_row_lines must not exceed the lines of a row"},
      {{"dram.timing.tCCDS=5"}, "dram.timing.tCCDS must not exceed dram.timing.tCCDL"},
      {{"dram.timing.burst=2"}, "dram.timing.burst must not exceed dram.timing.tCCDS"},
      {{"dram.timing.tRRDS=8"}, "dram.timing.tRRDS must not exceed dram.timing.tRRDL"},
      {{"dram.timing.tFAW=6"}, "dram.timing.tRRDS must not exceed dram.timing.tFAW"},
      {{"dram.timing.tWTRS=10"}, "dram.timing.tWTRS must not exceed dram.timing.tWTRL"},
      {{"dram.timing.wdm_slots=4"}, "dram.timing.wdm_slots must not exceed dram.timing.wsm_slots"},
      {{"dram.timing.tRC=66"}, "dram.timing.tRC must not be below tRAS + tRP"},
      {{"dram.timing.refresh_duration=1407 ns"}, "dram.timing.refresh_duration must be below"},
      {{"crossbar.slice_function.type=modulo"}, "dram.map.type windowed is laid over"},
      {{"dram.channels_per_controller=1"}, "dram.map.type windowed picks one of two channels"},
      {{"dram.bank_groups=3"}, "dram.map.type windowed needs bank groups and banks that are powers of two"},
      {{"dram.map.window_bytes=64 KiB"}, "dram.map.window_bytes must be rows_per_window rows"},
      {{"dram.map.column_bits=[5, 6, 7, 9, 9]"}, "dram.map.column_bits must be different bits"},
      {{"dram.map.rank_bits=[12, 9]"}, "dram.map.rank_bits must be different row bits"},
      {{"dram.map.block_shift=14"}, "the rows that the bits of a window tell apart"},
      {{"dram.rows=65537"}, "dram.rows must be a whole number of dram.map.rows_per_window"},
  };
  return cases;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_relation_is_enforced) {
  for (const Violation& violation : violations()) {
    BOOST_TEST_CONTEXT(violation.rule) {
      BOOST_TEST(load_errors("rtx4090", violation.overrides).find(violation.rule) != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_relation_has_a_case_above_and_names_known_parameters) {
  for (const Constraint& constraint : constraints()) {
    BOOST_TEST_CONTEXT(constraint.rule) {
      BOOST_TEST(std::any_of(violations().begin(), violations().end(),
                             [&](const Violation& violation) { return constraint.rule.find(violation.rule) == 0; }));
      for (const std::string& path : constraint.paths) BOOST_TEST(Schema::instance().find(path) != Schema::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_violation_stands_where_the_last_of_its_parameters_was_set_with_both_values) {
  const TempFolder dir;
  const std::string file = dir.file("low.yaml", "base: rtx4090\nl2:\n  slices: 33\ndram:\n  write_low_mark: 120\n");
  BOOST_TEST(load_errors(file, {}, dir.path("")) ==
             "low.yaml:3:11: l2.slices must be dram.controllers x l2.slices_per_controller (found l2.slices = 33, "
             "dram.controllers = 12, l2.slices_per_controller = 3, allowed 12 x 3 = 36 slices)\n"
             "low.yaml:5:19: dram.write_low_mark must be below dram.write_high_mark (found dram.write_low_mark = 120, "
             "dram.write_high_mark = 112)");
  BOOST_TEST(load_errors("rtx4090", {"dram.write_high_mark=16"}) ==
             "--set dram.write_high_mark=16: dram.write_low_mark must be below dram.write_high_mark (found "
             "dram.write_low_mark = 32, dram.write_high_mark = 16)");
}

BOOST_AUTO_TEST_CASE(relations_of_unused_parameters_do_not_bind) {
  BOOST_TEST(load_errors("rtx4090", {"l2.sets=512", "l2.set_index.type=modulo"}) == "");
  BOOST_TEST(load_errors("rtx4090", {"l2.ways=4", "l2.janitor.policy=none"}) == "");
  BOOST_TEST(load_errors("rtx4090", {"crossbar.slice_function.type=xor_fold", "dram.map.type=linear"}) == "");
}

BOOST_AUTO_TEST_CASE(a_table_of_slices_is_whole_rows_that_name_every_slice_and_no_other) {
  const auto errors = [](const std::string& masks, const std::string& table) {
    return load_errors("tiny",
                       {"l2.slices=2", "l2.slices_per_controller=2", "crossbar.slice_function.type=table",
                        "crossbar.slice_function.table_masks=" + masks, "crossbar.slice_function.table=" + table});
  };
  BOOST_TEST(errors("[]", "[1, 0, 1]") == "");
  BOOST_TEST(errors("[0x100]", "[1, 0, 0, 1]") == "");
  for (const auto& [masks, table] :
       {std::pair{"[]", "[]"}, {"[]", "[0, 2, 1]"}, {"[]", "[1, 1]"}, {"[0x100]", "[0, 1, 1]"}})
    BOOST_TEST(errors(masks, table).find("a multiple of") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_relation_is_not_checked_on_a_value_that_is_wrong_itself) {
  BOOST_TEST(load_errors("rtx4090", {"l2.slices=x"}) ==
             "--set l2.slices=x: l2.slices: not a whole number (found x, allowed 1 to 1024)");
}

BOOST_AUTO_TEST_CASE(counts_of_zero_are_reported_whatever_the_relations_make_of_them) {
  for (const char* path : {"dram.controllers", "dram.channels_per_controller", "dram.bank_groups",
                           "dram.banks_per_group", "dram.timing.refresh_interval", "clocks.dram"}) {
    BOOST_TEST_CONTEXT(path) {
      BOOST_TEST(load_errors("rtx4090", {std::string(path) + "=0"}).find(path) != std::string::npos);
    }
  }
}
