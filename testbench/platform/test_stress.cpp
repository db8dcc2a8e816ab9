// SPDX-License-Identifier: Apache-2.0
//
// Random programs on random sizes and policies: the judges stay quiet; a case can be written, read back and cut down.
#include "gputlm/test_support/sc_test.h"

#include <filesystem>
#include <set>

#include "gputlm/config/config.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/crossbar/slice_function.h"
#include "gputlm/dram/dram_map.h"
#include "gputlm/l2/set_index.h"
#include "gputlm/stress/exhaustive.h"
#include "gputlm/stress/stress_draw.h"
#include "gputlm/stress/stress_runner.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(random_programs_on_random_sizes_and_policies_are_clean) {
  unsigned legal = 0;
  for (std::uint64_t seed = 100; seed < 160; ++seed) {
    const StressResult r = run_in_child(draw_stress_case(seed, "tiny"), "tiny", 60);
    BOOST_TEST(r.problem == "", "seed " << seed << ": " << r.problem);
    legal += r.legal ? 1U : 0U;
  }
  BOOST_TEST(legal >= 58U);
}

BOOST_AUTO_TEST_CASE(random_programs_on_a_card_of_several_slices_are_clean) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const StressResult r = run_in_child(draw_stress_case(seed, QUARTER), QUARTER, 60);
    BOOST_TEST(r.legal, r.refusal);
    BOOST_TEST(r.problem == "", "seed " << seed << ": " << r.problem);
  }
}

// Cases that found something once, and others that cover much: those that are no bad input run clean.
BOOST_AUTO_TEST_CASE(every_case_of_the_corpus_that_fits_the_card_is_clean) {
  unsigned ran = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STRESS_CORPUS)) {
    const std::string file = entry.path().string();
    try {
      const StressCase c = parse_stress_case(read_input_file(file, 1 << 20), file);
      const StressResult r = run_in_child(c, "tiny", 60);
      BOOST_TEST(r.problem == "", file << ": " << r.problem);
      ran += r.legal ? 1U : 0U;
    } catch (const ConfigError&) {  // the fuzzers' food
    }
  }
  BOOST_TEST(ran >= 5U);
}

BOOST_AUTO_TEST_CASE(hot_lines_share_what_they_are_aimed_at) {
  for (const char* card : {"tiny", "rtx4090", QUARTER}) {
    const Config config = Config::load(card, {});
    const std::uint64_t lines = (std::uint64_t{64} << 20) / kLineBytes;
    const auto slices = make_slice_function(config.crossbar);
    const auto sets = make_set_index(config.l2.set_index, config.l2.sets);
    const auto map = DramMap::make(
        config.dram, [&](std::uint64_t at) { return slices->slice_of(at) / config.crossbar.slices_per_controller; });
    Draw draw(5);
    for (unsigned p = 0; p < kHotPlaces; ++p) {
      const auto places = static_cast<HotPlaces>(p);
      const std::vector<std::uint64_t> hot = draw_hot_lines(draw, config, places, lines, 8);
      BOOST_TEST(hot.size() >= 8U, card << " " << p);
      BOOST_TEST(std::set<std::uint64_t>(hot.begin(), hot.end()).size() == hot.size());
      const std::uint64_t first = hot[0] * kLineBytes;
      const DramLocation row = map->locate(first);
      for (std::size_t n = 1; n < hot.size(); ++n) {
        const std::uint64_t at = hot[n] * kLineBytes;
        const DramLocation l = map->locate(at);
        if (places != HotPlaces::spread && places != HotPlaces::one_row && places != HotPlaces::rows_of_bank)
          BOOST_TEST(slices->slice_of(at) == slices->slice_of(first));
        if (places == HotPlaces::one_set) BOOST_TEST(sets->set_of(at) == sets->set_of(first));
        if (places == HotPlaces::one_row || places == HotPlaces::rows_of_bank)
          BOOST_TEST((l.channel == row.channel && l.bank == row.bank && (l.row == row.row) == (p == 3)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_case_reads_back_as_written) {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    const std::string text = stress_text(draw_stress_case(seed, "tiny"));
    BOOST_TEST(stress_text(parse_stress_case(text, "case")) == text);
  }
  BOOST_TEST(stress_text(draw_stress_case(1, "tiny")) != stress_text(draw_stress_case(2, "tiny")));
}

BOOST_AUTO_TEST_CASE(a_damaged_case_names_file_line_and_what_is_allowed) {
  const auto mistake = [](const std::string& text) {
    try {
      parse_stress_case(text, "f");
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  BOOST_TEST(mistake("memory 128\nwarp 0 0\nload weak cta add 3 1 0 0 0 0 1\n").find("f:3:1") == 0U);
  BOOST_TEST(mistake("memory 100\nwarp 0 0\n").find("multiple of 128") != std::string::npos);
  BOOST_TEST(mistake("memory 128\nload weak cta add 4 1 0 0 0 0 1\n").find("f:2:1") == 0U);
  BOOST_TEST(mistake("memory 128\nwarp 0 0\njump\n").find("load, store") != std::string::npos);
  const std::string warp = "memory 128\nwarp 0 0\n";
  BOOST_TEST(mistake(warp + "load weak cta add 4 1 0 0 0 0 1 junk\n").find("f:3:1: the end of the line") == 0U);
  BOOST_TEST(mistake("memory 128\nmemory 256\nwarp 0 0\n").find("f:2:1: one memory") == 0U);
  BOOST_TEST(mistake("set\n" + warp).find("f:1:1: an override expected") == 0U);
  BOOST_TEST(mistake(warp + "set caf\xe9=1\n").find("f:3:8: not a text file") == 0U);
  for (const char* illegal :
       {"atomic relaxed sys add 16", "atomic relaxed sys inc 1", "reduction relaxed sys dec 8", "atomic weak gpu add 4",
        "load release gpu add 4", "store acquire gpu add 4", "reduction acquire gpu add 4", "fence relaxed gpu add 4"})
    BOOST_TEST(mistake(warp + illegal + " 1 0 0 0 0 1\n").find("f:3:1") == 0U, illegal);
  BOOST_TEST(mistake("").find("needs a memory and a warp") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_access_that_the_sm_refuses_is_never_clean) {
  StressCase c = parse_stress_case("memory 128\nwarp 0 0\nload weak cta add 4 1 0 0 0 0 1\n", "f");
  BOOST_TEST(run_in_child(c, "tiny", 60).problem == "");
  c.warps[0].instructions[0].kind = StressInstruction::Kind::atomic;
  c.warps[0].instructions[0].lane_bytes = 16;
  BOOST_TEST(run_in_child(c, "tiny", 60).problem.find("fault: SM 0") == 0U);
}

BOOST_AUTO_TEST_CASE(a_case_that_does_not_fit_the_card_is_refused_with_the_reason) {
  const StressCase c = parse_stress_case("memory 128\nwarp 60000 0\n", "f");
  const StressResult r = run_in_child(c, "tiny", 60);
  BOOST_TEST(!r.legal);
  BOOST_TEST(r.refusal != "");
}

BOOST_AUTO_TEST_CASE(shrinking_leaves_what_the_failure_needs_and_nothing_else) {
  StressCase c = draw_stress_case(3, "tiny");
  c.overrides = {"l2.ways=2", "l1.ways=1", "sm.queue_entries=1"};
  // Stands for a fault that needs one override and two particular kinds of instruction.
  const auto fails = [](const StressCase& x) {
    bool store = false, load = false, way = false;
    for (const StressWarp& w : x.warps)
      for (const StressInstruction& i : w.instructions) {
        store = store || i.kind == StressInstruction::Kind::store;
        load = load || i.kind == StressInstruction::Kind::load;
      }
    for (const std::string& o : x.overrides) way = way || o == "l1.ways=1";
    return store && load && way;
  };
  BOOST_REQUIRE(fails(c));
  const StressCase small = shrink(c, fails);
  BOOST_TEST(small.instructions() == 2U);
  BOOST_TEST((small.overrides == std::vector<std::string>{"l1.ways=1"}));
  for (const StressWarp& w : small.warps)
    for (const StressInstruction& i : w.instructions) BOOST_TEST(__builtin_popcount(i.active) <= 1);
}

// From a fault on the card to a file that shows it again.
BOOST_AUTO_TEST_CASE(a_case_that_fails_by_a_fault_is_cut_down_and_fails_again_from_its_text) {
  StressCase c = draw_stress_case(7, "tiny");
  c.faults = {"lose:request@crossbar.slice0:n=9"};
  const auto fails = [](const StressCase& x) {
    const StressResult r = run_in_child(x, "tiny", 60);
    return r.legal && !r.problem.empty();
  };
  BOOST_REQUIRE(fails(c));
  const StressCase small = shrink(c, fails);
  BOOST_TEST(small.instructions() <= 9U);
  BOOST_TEST(small.instructions() < c.instructions());
  const StressCase again = parse_stress_case(stress_text(small), "case");
  BOOST_TEST((again.faults == c.faults));
  const std::string problem = run_in_child(again, "tiny", 60).problem;
  BOOST_TEST(problem.find("scoreboard: ") != std::string::npos, problem);
  BOOST_TEST(problem.find("never happened") == std::string::npos, problem);
}

BOOST_AUTO_TEST_CASE(of_exhaustive_programs_the_one_that_fails_is_found_with_what_it_takes_before_it) {
  const std::vector<std::string> fault{"lose:request@sm0.lsu.line:n=40"};
  const ExhaustiveResult r = run_exhaustively(
      1, 1, [](std::uint64_t) { return true; }, fault);
  BOOST_TEST(r.problem != "");
  BOOST_TEST(r.first < r.failed);
  const StressCase c = failing_case(r, 1, fault);
  BOOST_TEST(c.instructions() >= 40U);
  BOOST_TEST(run_in_child(c, "tiny", 60).problem != "");
}

BOOST_AUTO_TEST_CASE(every_program_of_two_threads_with_two_instructions_each_is_clean) {
  const ExhaustiveResult r = run_exhaustively(2, 2, [](std::uint64_t) { return true; });
  const std::uint64_t threads = 1 + exhaustive_alphabet().size() * (1 + exhaustive_alphabet().size());
  BOOST_TEST(r.problem == "");
  BOOST_TEST(r.programs == threads * threads);
}

BOOST_AUTO_TEST_CASE(exhaustive_programs_are_all_different) {
  std::set<std::string> texts;
  for (std::uint64_t i = 0; i < exhaustive_programs(1); ++i) texts.insert(stress_text(exhaustive_program(i, 1)));
  BOOST_TEST(texts.size() == exhaustive_programs(1));
}
