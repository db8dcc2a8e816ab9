// SPDX-License-Identifier: Apache-2.0
//
// One access followed, in a run whose times are sums of the configuration's latencies.
#include "gputlm/test_support/sc_test.h"

#include "gputlm/process/child_process.h"
#include "gputlm/trace/access_journey.h"
#include "gputlm/trace/trace_recorder.h"
#include "run_text.h"

using namespace gputlm;

namespace {

const char* const kLoneStore = R"(
experiment: one
config: rtx4090
end: flush
buffers:
  out: {size: 4 KiB}
phases:
  - {name: store, pattern: single_store, buffer: out}
)";

const char* const kBoth = R"(
experiment: both
config: tiny
buffers:
  out: {size: 1 MiB}
  in: {size: 1 MiB}
image:
  in: pattern
phases:
  - {name: write, pattern: stream_store, buffer: out, grid: 16, block: 128}
  - {name: read, pattern: stream_load, buffer: in, grid: 16, block: 128}
)";

/// In a process of its own.
std::optional<FollowedAccess> find(const char* text, const FollowWish& wish) {
  const nlohmann::json answer = ChildProcess([&] {
                                  TextRun run(text);
                                  std::optional<FollowedAccess> found;
                                  TraceSelection selection;
                                  selection.filter = wish.filter();
                                  TraceRecorder recorder(run.simulation, selection);
                                  recorder.add(std::make_unique<AccessFinder>(wish, found));
                                  run.run();
                                  recorder.finish();
                                  return found ? found->to_json() : nlohmann::json();
                                }).result();
  if (answer.is_null()) return std::nullopt;
  return FollowedAccess::from_json(answer);
}

Journey journey_of(const char* text, const FollowedAccess& access) {
  TextRun run(text);
  Journey journey;
  TraceSelection selection;
  selection.filter = access.filter();
  selection.window.begin = access.begin;
  selection.explain = true;
  TraceRecorder recorder(run.simulation, selection);
  recorder.add(std::make_unique<AccessJourney>(access, run.config, journey));
  BOOST_TEST(run.run().clean());
  recorder.finish();
  return journey;
}

const JourneyStation* station(const std::vector<JourneyStation>& all, const std::string& unit,
                              const std::string& event) {
  for (const JourneyStation& s : all)
    if (s.unit.find(unit) != std::string::npos && s.event == event) return &s;
  return nullptr;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_lone_store_is_followed_to_dram_and_waits_nowhere_on_the_road) {
  const auto access = find(kLoneStore, {});
  BOOST_REQUIRE(access.has_value());
  const Journey journey = journey_of(kLoneStore, *access);
  const std::vector<JourneyStation>& stations = journey.stations;
  BOOST_TEST(stations.size() >= 20U);
  for (std::size_t i = 1; i < stations.size(); ++i) BOOST_TEST(stations[i - 1].time <= stations[i].time);
  const Config c = Config::load("rtx4090");
  const Fs at_slice = c.l1.miss_latency + c.mmu.miss_latency + c.crossbar.request_latency;
  const JourneyStation* arrival = station(stations, "L2 slice", "request arrives");
  BOOST_REQUIRE(arrival != nullptr);
  BOOST_TEST(arrival->time == at_slice);
  for (const JourneyStation& s : stations)
    if (s.event == "request arrives" || s.event == "acknowledgement leaves")
      BOOST_TEST(s.spent.wait() == 0, s.unit << s.spent.text());
  const JourneyStation* answer = station(stations, "L2 slice", "acknowledgement leaves");
  BOOST_REQUIRE(answer != nullptr);
  BOOST_TEST(answer->time == at_slice + c.l2.store_latency);
  for (const char* event :
       {"way chosen", "store visible", "flush: write-back queued", "write-back accepted: clean", "activate", "in DRAM"})
    BOOST_TEST(station(stations, "", event) != nullptr, event);
  const JourneyStation* cleaned = station(stations, "", "flush: write-back queued");
  BOOST_REQUIRE(cleaned != nullptr);
  BOOST_TEST(cleaned->detail.find("128 dirty") != std::string::npos, cleaned->detail);
  const Json json = journey_json(journey);
  BOOST_TEST(json["op"] == "store");
  BOOST_TEST(json["stations"][0]["time_ns"].get<double>() == 0);
  BOOST_TEST(json["stations"].size() == stations.size());
  // On an idle card the whole way is service: there, and back.
  double service = 0;
  for (const Json& s : json["stations"]) {
    BOOST_TEST(s["causes"].empty());
    const std::string unit = s["unit"];
    if ((s["event"] == "request arrives" || s["event"] == "acknowledgement leaves") &&
        unit.find("controller") == std::string::npos && unit.find("DRAM") == std::string::npos)
      service += s["service_ns"].get<double>();
  }
  BOOST_TEST(service == to_ns(at_slice + c.l2.store_latency + c.crossbar.response_latency),
             boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(the_nth_access_of_a_warp_is_its_nth_instruction_on_memory) {
  FollowWish wish;
  wish.sm = 1, wish.warp = 2;
  const auto first = find(kBoth, wish);
  wish.nth = 3;
  const auto third = find(kBoth, wish);
  BOOST_REQUIRE(first.has_value());
  BOOST_REQUIRE(third.has_value());
  BOOST_TEST(first->origin.sm == 1U);
  BOOST_TEST(first->origin.warp == 2U);
  BOOST_TEST(first->begin < third->begin);
  wish.nth = 1000000;
  BOOST_TEST(!find(kBoth, wish).has_value());
}

BOOST_AUTO_TEST_CASE(an_address_finds_the_first_access_to_its_line) {
  const auto first = find(kBoth, {});
  BOOST_REQUIRE(first.has_value());
  FollowWish wish;
  wish.address = first->address + 5;
  const auto found = find(kBoth, wish);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->begin == first->begin);
  BOOST_TEST(found->address == first->address);
  wish.address = 1;
  BOOST_TEST(!find(kBoth, wish).has_value());
}

BOOST_AUTO_TEST_CASE(the_slowest_load_is_a_load_and_its_waits_are_explained) {
  FollowWish wish;
  wish.slowest = "load";
  const auto access = find(kBoth, wish);
  BOOST_REQUIRE(access.has_value());
  BOOST_TEST(access->operation == "load");
  const std::vector<JourneyStation> stations = journey_of(kBoth, *access).stations;
  Fs waited = 0;
  for (const JourneyStation& s : stations) {
    waited += s.spent.wait();
    BOOST_TEST(!s.detail.empty());
    BOOST_TEST(s.spent.service >= 0);
    for (const TraceStall& c : s.spent.causes) {
      BOOST_TEST(c.time > 0);
      BOOST_TEST(s.detail.find(c.why) != std::string::npos, s.detail);
    }
  }
  BOOST_TEST(waited > 0);
  // Along the way there and back, service and waits add up to the whole.
  Fs whole = 0;
  for (const JourneyStation& s : stations) {
    const bool on_its_way = s.event == "response leaves" || s.event == "request arrives";
    const bool below = s.unit.find("controller") != std::string::npos || s.unit.find("DRAM") != std::string::npos;
    if (on_its_way && !below) whole += s.spent.service + s.spent.wait();
  }
  const JourneyStation* end = station(stations, "LSU", "response leaves");
  BOOST_REQUIRE(end != nullptr);
  BOOST_TEST(whole == end->time - stations.front().time);
  BOOST_TEST(station(stations, "L2 slice", "load miss") != nullptr);
  BOOST_TEST(station(stations, "DRAM channel", "read") != nullptr);
}

BOOST_AUTO_TEST_CASE(a_line_that_was_never_cleaned_is_told_dirty_at_the_end_of_the_run) {
  std::string text = kLoneStore;
  text.replace(text.find("end: flush"), 10, "end: drain");
  const auto access = find(text.c_str(), {});
  BOOST_REQUIRE(access.has_value());
  const Journey journey = journey_of(text.c_str(), *access);
  BOOST_REQUIRE(!journey.stations.empty());
  BOOST_TEST(journey.stations.back().event == "end of the run");
  BOOST_TEST(journey.stations.back().detail.find("still dirty in L2, not in DRAM") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_line_that_reached_dram_needs_no_word_about_the_end_of_the_run) {
  const auto access = find(kLoneStore, {});
  BOOST_REQUIRE(access.has_value());
  BOOST_TEST(station(journey_of(kLoneStore, *access).stations, "", "end of the run") == nullptr);
}

BOOST_AUTO_TEST_CASE(others_at_its_line_are_capped_and_counted_and_its_own_stations_all_kept) {
  const Config config = Config::load("rtx4090");
  FollowedAccess access;
  access.operation = "store";
  access.origin.sm = 1;
  access.lines = {0x80};
  TraceDescription description;
  description.tracks = {{TraceUnit::l2, 0, 0, "L2 slice 0"}};
  Journey journey;
  AccessJourney sink(access, config, journey);
  sink.begin(description);
  TraceBatch batch;
  const auto store = [&](std::uint64_t id, std::uint16_t sm) {
    TraceTransaction t;
    t.id = id, t.kind = TraceKind::line, t.operation = "store", t.physical_address = 0x80, t.bytes = 128;
    t.origin.sm = sm;
    TraceHop hop;
    hop.request = hop.accepted = static_cast<Fs>(id), hop.response = hop.done = static_cast<Fs>(id) + 1;
    t.hops.push_back(hop);
    TraceEvent e;
    e.time = static_cast<Fs>(id), e.name = "store hit", e.transaction = id, e.line = 0x80;
    batch.events.push_back(e);
    batch.transactions.push_back(t);
  };
  constexpr std::uint64_t kForeign = 3000;
  for (std::uint64_t id = 1; id <= kForeign; ++id) store(id, 2);
  store(kForeign + 1, 1);
  sink.take(std::make_shared<const TraceBatch>(batch));
  sink.finish({});
  std::size_t foreign = 0, own = 0;
  for (const JourneyStation& s : journey.stations) (s.detail.find("by SM 2") != std::string::npos ? foreign : own) += 1;
  BOOST_TEST(foreign == AccessJourney::kMost);
  BOOST_TEST(own == 4U);  // arrives, accepted, hits, acknowledgement
  BOOST_TEST(journey.left_out == kForeign - AccessJourney::kMost);
  BOOST_TEST(journey_json(journey)["left_out"] == journey.left_out);
}

BOOST_AUTO_TEST_CASE(bytes_of_a_line_that_is_dirty_in_part_are_told_one_by_one) {
  const Config config = Config::load("rtx4090");
  FollowedAccess access;
  access.operation = "store";
  access.lines = {0x80};
  TraceDescription description;
  description.tracks = {{TraceUnit::l2, 0, 0, "L2 slice 0"}};
  Journey journey;
  AccessJourney sink(access, config, journey);
  sink.begin(description);
  TraceBatch batch;
  TraceEvent e;
  e.name = "store hit", e.line = 0x80, e.of_way = true;
  e.dirty = ByteMask::range(4, 4) | ByteMask::range(96, 32);
  batch.events.push_back(e);
  sink.take(std::make_shared<const TraceBatch>(batch));
  sink.finish({});
  BOOST_REQUIRE(journey.stations.size() == 1U);
  BOOST_TEST(journey.stations.front().detail.find("36 dirty (mask ffffffff:00000000:00000000:000000f0)") !=
             std::string::npos);
}
