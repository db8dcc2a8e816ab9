// SPDX-License-Identifier: Apache-2.0
//
// For each kind of fault the judge that should notice it does, and names it.
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <utility>

#include "gputlm/system/wiring.h"
#include "run_text.h"

using namespace gputlm;

namespace {

// Stores and loads of whole and partial sectors over far more lines than the caches hold, and atomics.
const char* const kTraffic = R"(
experiment: traffic
config: tiny
buffers:
  hot: {size: 64 KiB}
  words: {size: 8 KiB}
image:
  hot: pattern
set: {l2.sets: 4, l2.ways: 4, l2.janitor.dirty_threshold: 3}
phases:
  - {name: mixed, pattern: random, buffer: hot, granule: sector, stores: 0.5, accesses: 40, grid: 8, block: 64}
  - {name: words, pattern: atomics, buffer: words, grid: 4, block: 64}
  - {name: again, pattern: random, buffer: hot, granule: lane, stores: 0.5, accesses: 40, grid: 8, block: 64}
)";

// Every line is stored once, written back and replaced.
const char* const kOnce = R"(
experiment: once
config: tiny
buffers:
  hot: {size: 64 KiB}
set: {l2.sets: 4, l2.ways: 4, l2.janitor.dirty_threshold: 3}
phases:
  - {name: only, pattern: stream_store, buffer: hot, grid: 8, block: 64}
)";

// Every line is stored, written back and replaced; then most of them once more with other bytes.
const char* const kRewrites = R"(
experiment: rewrites
config: tiny
buffers:
  hot: {size: 64 KiB}
set: {l2.sets: 4, l2.ways: 4, l2.janitor.dirty_threshold: 3}
phases:
  - {name: first, pattern: stream_store, buffer: hot, grid: 8, block: 64}
  - {name: second, pattern: random, buffer: hot, granule: line, stores: 1.0, accesses: 60, grid: 8, block: 64}
)";

// What fits into the L2 never comes to the DRAM.
const char* const kCached = R"(
experiment: cached
config: tiny
buffers:
  hot: {size: 4 KiB}
phases:
  - {name: only, pattern: stream_store, buffer: hot, grid: 1, block: 64}
)";

// Warps that go on for long.
const char* const kLong = R"(
experiment: long
config: tiny
buffers:
  hot: {size: 64 KiB}
set: {l2.sets: 4, l2.ways: 4, l2.janitor.dirty_threshold: 3}
phases:
  - {name: only, pattern: random, buffer: hot, granule: lane, stores: 0.5, accesses: 400, grid: 8, block: 64}
)";

/// A run with faults; a test process makes one.
struct FaultyRun : TextRun {
  explicit FaultyRun(const std::vector<std::string>& faults, const char* traffic = kTraffic)
      : TextRun(traffic, {}, faults) {}
};

/// The run with this fault is not clean, and its complaints name all of these.
void is_found(const std::string& fault, const std::vector<std::string>& words, const char* traffic = kTraffic) {
  FaultyRun faulty({fault}, traffic);
  const Verdict v = faulty.run();
  BOOST_TEST(!v.clean());
  const std::string said = complaints(v);
  for (const std::string& w : words) BOOST_TEST(said.find(w) != std::string::npos, w << " is not in: " << said);
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_a_fault_the_traffic_is_clean) {
  FaultyRun sound({});
  const Verdict v = sound.run();
  BOOST_TEST(v.clean(), complaints(v));
}

// -- Lost: the wait-for graph
// ------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_dropped_request_is_missed_where_it_got_lost) {
  is_found("drop:request@crossbar.slice0:n=20",
           {"nothing is due any more", "held by gpu.mem.l2_0", "which got lost", "gpu.mem.crossbar.slice0 waits for"});
}
BOOST_AUTO_TEST_CASE(a_dropped_acknowledgement_leaves_its_warp_waiting) {
  is_found("drop:acknowledgement@crossbar.slice0:n=20",
           {"who waits for whom", "the acknowledgement of its store at 0x", "is missing"});
}
BOOST_AUTO_TEST_CASE(a_dropped_fill_leaves_its_warp_waiting) {
  is_found("drop:fill@l2_0.reads:n=20", {"waits for load data", "held by gpu.mem.mc0", "which got lost"});
}
BOOST_AUTO_TEST_CASE(a_stuck_channel_is_named) {
  is_found("stick:request@mc0.channel_0:n=30", {"who waits for whom", "channel 0 withholds END_REQ", "SM 0 warp"});
}

BOOST_AUTO_TEST_CASE(an_access_that_hangs_is_found_while_other_warps_go_on) {
  FaultyRun hung({"drop:acknowledgement@crossbar.slice0:n=20"}, kLong);
  const Fs limit = 50'000 * kFsPerNs;
  hung.simulation.hang_limit = limit;
  std::vector<std::pair<Fs, std::uint64_t>> lines;
  const Verdict v = hung.simulation.run([&](const Progress& p) {
    lines.emplace_back(now(), p.lines());
    return true;
  });
  BOOST_TEST((v.end == RunEnd::stalled));
  const std::string said = complaints(v);
  for (const char* w : {"an access has waited for more than 50000 ns", "the acknowledgement of its store at 0x",
                        "held by gpu.mem.l2_0", "which got lost"})
    BOOST_TEST(said.find(w) != std::string::npos, w << " is not in: " << said);
  const Fs lost_before = now() - limit;
  const auto then = std::find_if(lines.begin(), lines.end(), [&](const auto& at) { return at.first >= lost_before; });
  BOOST_REQUIRE((then != lines.end()));
  BOOST_TEST(then->second < hung.simulation.line_requests());
}
BOOST_AUTO_TEST_CASE(nothing_hangs_in_a_sound_run_of_the_same_warps) {
  FaultyRun sound({}, kLong);
  sound.simulation.hang_limit = 50'000 * kFsPerNs;
  const Verdict v = sound.run();
  BOOST_TEST(v.clean(), complaints(v));
  BOOST_TEST(now() > 2 * sound.simulation.hang_limit);
}

BOOST_AUTO_TEST_CASE(a_slow_card_is_not_taken_for_one_that_hangs) {
  const char* const few = R"(
experiment: few
config: tiny
buffers: {b: {size: 64 KiB}}
phases: [{pattern: stream_store, buffer: b, grid: 16, block: 32}]
)";
  TextRun slow(few, {"clocks.l2=10 MHz", "l2.requests_per_cycle=0.001"});  // a slice takes 100 us for a line
  const Verdict v = slow.run();
  BOOST_TEST(v.clean(), complaints(v));
  BOOST_TEST(now() > 2'000'000 * kFsPerNs);
}

// -- Twice, late
// -------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_duplicated_request_is_performed_twice) {
  is_found("duplicate:request@crossbar.slice0:n=20", {"scoreboard: ", "performed_twice", "protocol checker: "});
}
BOOST_AUTO_TEST_CASE(a_duplicated_acknowledgement_breaks_the_protocol) {
  is_found("duplicate:acknowledgement@crossbar.slice0:n=20", {"protocol checker: ", "response_path"});
}
BOOST_AUTO_TEST_CASE(a_duplicated_fill_breaks_the_protocol) {
  is_found("duplicate:fill@sm0.l1.misses:n=5", {"protocol checker: ", "response_path"});
}
BOOST_AUTO_TEST_CASE(a_delay_is_lawful) {
  FaultyRun late({"delay:request@crossbar.slice0:n=20,by=300ns", "delay:acknowledgement@crossbar.slice0:n=7,by=200ns",
                  "delay:fill@l2_0.reads:n=5,by=2us"});
  const Verdict v = late.run();
  BOOST_TEST(v.clean(), complaints(v));
}
BOOST_AUTO_TEST_CASE(a_dropped_acceptance_is_made_good_by_the_response) {
  FaultyRun late({"drop:acceptance@crossbar.slice0:n=20", "drop:acceptance@l2_0.writes:n=3"});
  const Verdict v = late.run();
  BOOST_TEST(v.clean(), complaints(v));
}
BOOST_AUTO_TEST_CASE(a_delay_without_end_is_a_hang) {
  is_found("delay:request@crossbar.slice0:n=20,by=10ms", {"an access has waited for more than 2000000 ns", "SM "});
}
BOOST_AUTO_TEST_CASE(an_acknowledgement_delayed_without_end_is_a_hang) {
  is_found("delay:acknowledgement@crossbar.slice0:n=20,by=10ms", {"an access has waited for more than 2000000 ns"});
}
BOOST_AUTO_TEST_CASE(a_fill_delayed_without_end_is_a_hang) {
  is_found("delay:fill@l2_0.reads:n=5,by=10ms", {"an access has waited for more than 2000000 ns"});
}

// -- Changed: the scoreboard
// -------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_corrupted_store_is_not_what_left_the_sm) {
  is_found("corrupt:request@crossbar.slice0:n=20", {"scoreboard: ", "request_changed"});
}
BOOST_AUTO_TEST_CASE(a_corrupted_answer_is_not_what_left_the_slice) {
  is_found("corrupt:fill@crossbar.slice0:n=20,bit=3", {"scoreboard: ", "_changed"});
}
BOOST_AUTO_TEST_CASE(a_corrupted_acknowledgement_is_not_what_the_slice_said) {
  is_found("corrupt:acknowledgement@crossbar.slice0:n=20",
           {"fault: SM ", "scoreboard: ", "response_changed: store: performed, but answered with an error"});
}
BOOST_AUTO_TEST_CASE(a_corrupted_fill_from_dram_is_a_wrong_load) {
  is_found("corrupt:fill@l2_0.reads:n=9", {"scoreboard: ", "wrong_"});
}
BOOST_AUTO_TEST_CASE(a_corrupted_write_back_is_wrong_content) {
  is_found("corrupt:request@l2_0.writes:n=900", {"scoreboard: ", "wrong_content", "protocol checker: "}, kRewrites);
}
BOOST_AUTO_TEST_CASE(a_flipped_mask_bit_is_a_changed_request) {
  is_found("mask:request@crossbar.slice0:n=20,byte=5",
           {"scoreboard: ", "request_changed", "protocol checker: ", "enables_unchanged"});
}
BOOST_AUTO_TEST_CASE(a_lost_store_was_not_performed) {
  is_found("lose:request@crossbar.slice0:n=20", {"scoreboard: ", "not_performed"});
}
BOOST_AUTO_TEST_CASE(a_lost_write_back_is_wrong_content) {
  is_found("lose:write_back@l2_0.writes:n=9", {"scoreboard: ", "wrong_content"}, kOnce);
}
BOOST_AUTO_TEST_CASE(a_repeated_write_back_brings_old_bytes_back) {
  is_found("repeat:write_back@l2_0.writes:n=3,by=500us", {"scoreboard: ", "wrong_content"}, kRewrites);
}

BOOST_AUTO_TEST_CASE(a_run_that_is_stopped_tells_what_was_found_until_then) {
  FaultyRun stopped({"corrupt:request@crossbar.slice0:n=20", "leak:request@sm0.lsu.line:n=1000000000"});
  const Scoreboard& board = stopped.simulation.scoreboard;
  const Verdict v = stopped.simulation.run([&](const Progress&) { return board.mismatches() == 0; });
  BOOST_TEST((v.end == RunEnd::interrupted));
  BOOST_TEST(v.mismatches > 0U);
  BOOST_TEST(complaints(v).find("scoreboard: ") != std::string::npos, complaints(v));
  BOOST_TEST(complaints(v).find("never happened") == std::string::npos, complaints(v));
}

// -- Fences that go on too early: the fence judge
// ------------------------------------------------------------------------------------------------

namespace {

// One warp stores a line, fences and loads the line.
std::string fences_of(const std::string& scope) {
  return "experiment: fences\nconfig: tiny\nbuffers:\n  hot: {size: 64 KiB}\nphases:\n"
         "  - {name: only, pattern: script, buffer: hot, sms: 0, steps: [{store: 0}, {fence: " +
         scope + "}, {load: 0}]}\n";
}

}  // namespace

// The load/store unit's second request is the invalidate.
BOOST_AUTO_TEST_CASE(an_invalidate_that_got_lost_is_a_fence_that_keeps_l1) {
  is_found("lose:request@sm0.lsu.line:n=2", {"fence judge: ", "unordered: ", "without L1 having been dropped"},
           fences_of("gpu").c_str());
}
BOOST_AUTO_TEST_CASE(a_system_barrier_that_got_lost_is_a_fence_that_the_host_knows_nothing_of) {
  is_found("lose:request@crossbar.system:n=1",
           {"fence judge: ", "unordered: ", "before the host's ordering point had answered"}, fences_of("sys").c_str());
}

// -- Early: the command checker
// ----------------------------------------------------------------------------------------

namespace {

/// Commands of channel 1 come early, and nobody but the command checker minds; it names the rule.
void early_commands_break(const std::string& rule, const char* traffic) {
  FaultyRun hurried({"early:command@channel1"}, traffic);
  const Verdict v = hurried.run();
  const std::string said = complaints(v);
  BOOST_TEST(v.problems.size() == 1U, said);
  for (const std::string& w :
       {std::string("command checker: channel 1, clock "), rule + " of ", std::string(" broken: activate of bank ")})
    BOOST_TEST(said.find(w) != std::string::npos, w << " is not in: " << said);
  BOOST_TEST(said.find("channel 0,") == std::string::npos, said);
}

}  // namespace

BOOST_AUTO_TEST_CASE(early_reads_are_seen_by_the_command_checker_alone) {
  early_commands_break("tRCDRD", kTraffic);
}
BOOST_AUTO_TEST_CASE(early_writes_are_seen_by_the_command_checker_alone) {
  early_commands_break("tRCDWR", kOnce);
}
BOOST_AUTO_TEST_CASE(a_fault_of_a_channel_that_does_nothing_never_happened) {
  FaultyRun idle({"early:command@channel1"}, kCached);
  const Verdict v = idle.run();
  BOOST_REQUIRE(v.problems.size() == 1U);
  BOOST_TEST(v.problems[0].find("early:command@channel1 never happened") != std::string::npos, v.problems[0]);
}

// -- Kept: the end audit
// ------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_leaked_payload_is_missed_at_the_end) {
  is_found("leak:request@sm0.mmu.physical:n=4",
           {"end audit: 1 payloads were not returned", "protocol checker: ", "payload_returned"});
}

BOOST_AUTO_TEST_CASE(every_arrow_has_the_name_that_it_is_known_by) {
  std::vector<std::string> faults;
  const std::vector<std::string> names = fault_places(Config::load("tiny")).arrows;
  for (const std::string& arrow : names) faults.push_back("leak:request@" + arrow + ":n=1000000000");
  FaultyRun run(faults);
  BOOST_TEST(run.simulation.gpu.mem.wiring.checkers().size() == 2 * names.size());
  const Verdict v = run.run();
  BOOST_TEST(v.problems.size() == names.size());  // each says that it never happened
}

BOOST_AUTO_TEST_CASE(a_bad_fault_is_refused_with_what_is_allowed) {
  const Config config = Config::load("tiny");
  const auto refused = [&](const std::string& text, const std::string& names) {
    BOOST_CHECK_EXCEPTION(parse_fault(text, fault_places(config)), ConfigError, [&](const ConfigError& e) {
      BOOST_TEST(std::string(e.what()).find(names) != std::string::npos, e.what());
      return true;
    });
  };
  refused("drop", "KIND:TARGET@PLACE");
  refused("break:request@l2_0.reads", "duplicate");
  refused("drop:write_back@l2_0.writes", "acknowledgement");
  refused("drop:request@l2_9.reads", "did you mean l2_0.reads?");
  refused("lose:write_back@l2_0.reads", "l2_0.writes");
  refused("early:command@mc0.channel_0", "did you mean channel0?");
  refused("early:command@channel0:n=2", "no option");
  refused("drop:request@channel0", "gputlm list faults");
  refused("drop:request@l2_0.reads:by=3ns", "no option by");
  refused("drop:request@l2_0.reads:n=0", "1 to");
  refused("drop:request@l2_0.reads:n=1x", "1 to");
  refused("delay:request@l2_0.reads:by=soon", "a duration");
  refused("mask:request@l2_0.reads:byte=128", "0 to 127");
}
