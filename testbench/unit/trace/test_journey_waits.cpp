// SPDX-License-Identifier: Apache-2.0
//
// Where a followed transaction's time went: by hops made by hand, and against what the units count in a busy run.
#include "gputlm/test_support/sc_test.h"

#include <map>

#include "collecting_sink.h"
#include "gputlm/trace/journey_waits.h"
#include "gputlm/trace/trace_recorder.h"
#include "run_text.h"

using namespace gputlm;

namespace {

constexpr Fs kNs = kFsPerNs;

/// A line's load from LSU to slice, each on its arrow; nobody waits.
struct ByHand {
  ByHand() : config(Config::load("rtx4090")) {
    description.tracks = {{TraceUnit::lsu, 0, 0, "LSU"},
                          {TraceUnit::l1, 0, 0, "L1"},
                          {TraceUnit::crossbar, 0, 0, "port"},
                          {TraceUnit::l2, 0, 0, "slice"},
                          {TraceUnit::controller, 0, 0, "controller"},
                          {TraceUnit::dram, 0, 0, "channel"}};
  }
  /// On track `track` from `request` on.
  static TraceHop hop(std::uint32_t track, Fs request, Fs accepted, Fs response = kNever) {
    TraceHop h;
    h.track = track, h.request = request, h.accepted = accepted, h.response = h.done = response;
    return h;
  }
  TraceTransaction& add(std::uint64_t id, TraceKind kind, const char* operation, std::vector<TraceHop> hops,
                        std::uint64_t parent = 0) {
    TraceTransaction t;
    t.id = id, t.kind = kind, t.operation = operation, t.parent = parent, t.bytes = 128, t.hops = std::move(hops);
    transactions.push_back(t);
    return transactions.back();
  }
  JourneyWaits waits() const { return {description, config, transactions, events}; }

  Config config;
  TraceDescription description;
  std::vector<TraceTransaction> transactions;
  std::vector<TraceEvent> events;
};

const char* const kBusy = R"(
experiment: busy
config: tiny
set: {l2.write_back_entries: 1, l2.fetch_entries: 2, crossbar.sm_request_depth: 6, l1.fill_sectors: 8}
buffers:
  out: {size: 1 MiB}
  in: {size: 1 MiB}
image:
  in: pattern
phases:
  - {name: write, pattern: stream_store, buffer: out, grid: 16, block: 128}
  - {name: read, pattern: stream_load, buffer: in, grid: 16, block: 128}
)";

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_door_counts_as_lost_is_the_wait_and_the_rest_the_service) {
  ByHand h;
  TraceTransaction& t = h.add(1, TraceKind::line, "store", {ByHand::hop(3, 0, 10 * kNs)});
  t.hops[0].held_by = {{"no way", 7 * kNs}};
  const TimeSpent spent = h.waits().acceptance(t, 0);
  BOOST_TEST(spent.wait() == 7 * kNs);
  BOOST_TEST(spent.service == 3 * kNs);
  BOOST_TEST(spent.text() == "; waited: no way");
}

BOOST_AUTO_TEST_CASE(a_wait_in_the_crossbar_is_the_slices_stalls_and_then_those_before_it) {
  ByHand h;
  const Fs latency = h.config.crossbar.request_latency, came = latency + 30 * kNs;
  TraceTransaction& t = h.add(1, TraceKind::line, "load", {ByHand::hop(2, 0, 0), ByHand::hop(3, came, came)});
  t.hops[0].depth = 3;
  t.hops[1].delayed_by = {{"the write-back list is full", 20 * kNs}};
  TimeSpent spent = h.waits().arrival(t, 1);
  BOOST_TEST(spent.service == latency);
  BOOST_TEST(spent.text() ==
             "; waited: the write-back list is full 20.000 ns, behind 3 requests for its slice 10.000 ns");
  t.hops[1].delayed_by.front().time = 90 * kNs;  // some of it while the request was crossing
  spent = h.waits().arrival(t, 1);
  BOOST_TEST(spent.wait() == 30 * kNs);
  BOOST_TEST(spent.causes.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_wait_in_the_lsu_is_told_by_queue_and_exit) {
  ByHand h;
  const TraceTransaction& access = h.add(1, TraceKind::access, "load", {ByHand::hop(0, 0, 5 * kNs)});
  h.transactions.front().hops.front().depth = 24;
  TraceHop at_l1 = ByHand::hop(1, 20 * kNs, 20 * kNs);
  at_l1.left_queue = 15 * kNs;
  const TraceTransaction line = h.add(2, TraceKind::line, "load", {at_l1}, access.id);
  const TimeSpent spent = h.waits().arrival(line, 0);
  BOOST_TEST(spent.service == 0);
  BOOST_TEST(
      spent.text() ==
      "; waited: its queue was full 5.000 ns, behind 24 instructions of its queue 10.000 ns, the SM's exit: behind "
      "other requests 5.000 ns");
  at_l1.request = at_l1.accepted = 25 * kNs;
  const TraceTransaction second = h.add(3, TraceKind::line, "load", {at_l1}, 1);
  BOOST_TEST(h.waits().arrival(second, 0).service > 0);  // of the exit, for the first line
}

BOOST_AUTO_TEST_CASE(a_slices_answer_waits_for_dram_only_when_bytes_were_missing) {
  ByHand h;
  const Fs latency = h.config.l2.load_latency;
  TraceTransaction& t = h.add(1, TraceKind::line, "load", {ByHand::hop(3, 0, 0, latency + 100 * kNs)});
  BOOST_TEST(h.waits().answer(t, 0).text() == "; waited: behind other loads at the slice's data port");
  TraceEvent missed;
  missed.transaction = 1, missed.name = "load miss";
  h.events.push_back(missed);
  BOOST_TEST(h.waits().answer(t, 0).text() == "; waited: for its bytes from DRAM");
  BOOST_TEST(h.waits().answer(t, 0).service == latency);
  t.hops[0].response = latency;
  BOOST_TEST(h.waits().answer(t, 0).text().empty());
}

BOOST_AUTO_TEST_CASE(what_comes_from_below_is_not_told_twice) {
  ByHand h;
  h.add(1, TraceKind::access, "load", {ByHand::hop(0, 0, 0, 500 * kNs)});
  h.add(2, TraceKind::line, "load", {ByHand::hop(1, 0, 0, 500 * kNs)}, 1);
  h.add(3, TraceKind::fill, "load", {ByHand::hop(2, 10 * kNs, 10 * kNs, 500 * kNs)}, 2);
  const JourneyWaits waits = h.waits();
  for (const std::size_t i : {0U, 1U}) {
    const TimeSpent spent = waits.answer(h.transactions[i], 0);
    BOOST_TEST(spent.service == 0);
    BOOST_TEST(spent.wait() == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_load_that_l1_answers_hits_or_shares_a_fill) {
  ByHand h;
  const TraceTransaction& t =
      h.add(1, TraceKind::line, "load", {ByHand::hop(1, 0, 0, h.config.l1.hit_latency + 10 * kNs)});
  BOOST_TEST(h.waits().answer(t, 0).service == h.config.l1.hit_latency);
  BOOST_TEST(h.waits().answer(t, 0).text().find("for a fill of its line that another") != std::string::npos);
  TraceEvent hit;
  hit.transaction = 1, hit.name = "L1 hit";
  h.events.push_back(hit);
  BOOST_TEST(h.waits().answer(t, 0).text() == "; waited: behind other hits at L1's data port");
}

BOOST_AUTO_TEST_CASE(a_channel_serves_its_commands_and_the_rest_waits_for_others) {
  ByHand h;
  const DramTimingSpec& d = h.config.dram.timing;
  const auto ck = [&](double cycles) { return cycles_to_fs(cycles, d.clock_hz); };
  const Fs hit = ck(d.tCL + 3.0 * d.tCCDL + d.burst) + h.config.dram.response_latency;
  const TraceTransaction& t = h.add(1, TraceKind::fetch, "load", {ByHand::hop(5, 0, 0, hit)});
  BOOST_TEST(h.waits().answer(t, 0).service == hit);
  BOOST_TEST(h.waits().answer(t, 0).wait() == 0);
  h.transactions.front().hops.front().response = hit + 50 * kNs;
  BOOST_TEST(h.waits().answer(t, 0).wait() == 50 * kNs);
  const auto command = [&](const char* name, std::uint64_t transaction, Fs time) {
    TraceEvent e;
    e.track = 5, e.name = name, e.transaction = transaction, e.time = time, e.command = true;
    h.events.push_back(e);
  };
  command("activate", 2, 1 * kNs);  // ahead, by the controller
  command("read", 1, 30 * kNs);
  const TimeSpent opened = h.waits().answer(t, 0);
  BOOST_TEST(opened.service == ck(d.tRCDRD + d.tCL + 3.0 * d.tCCDL + d.burst) + h.config.dram.response_latency);
  BOOST_TEST(opened.service + opened.wait() == hit + 50 * kNs);
}

BOOST_AUTO_TEST_CASE(a_wait_at_a_controller_is_told_by_what_is_full) {
  ByHand h;
  TraceTransaction& read =
      h.add(1, TraceKind::fetch, "load", {ByHand::hop(4, 0, 3 * kNs), ByHand::hop(5, 90 * kNs, 95 * kNs)});
  BOOST_TEST(h.waits().acceptance(read, 0).text() == "; waited: its channel's read queue was full");
  BOOST_TEST(h.waits().acceptance(read, 1).text() == "; waited: the data bus was booked to its limit");
  read.hops[0].depth = 1;
  BOOST_TEST(h.waits().arrival(read, 1).text() == "; waited: behind 1 line in the read queues");
  read.hops[1].door_free = 90 * kNs;
  BOOST_TEST(h.waits().arrival(read, 1).text().find("its data bus was booked") != std::string::npos);
  read.kind = TraceKind::write_back;
  BOOST_TEST(h.waits().acceptance(read, 0).text() == "; waited: the write backlog was full");
}

BOOST_AUTO_TEST_CASE(what_is_explained_adds_up_to_what_the_units_count) {
  TextRun run(kBusy);
  Collected kept;
  TraceSelection selection;
  selection.explain = true;
  TraceRecorder recorder(run.simulation, selection);
  recorder.add(std::make_unique<CollectingSink>(kept));
  const Verdict verdict = run.run();
  BOOST_TEST(verdict.clean(), complaints(verdict));
  recorder.finish();
  std::map<std::string, Fs> told;
  for (const TraceTransaction& t : kept.transactions)
    for (const TraceHop& h : t.hops)
      for (const TraceStall& s : h.held_by) {
        BOOST_TEST(s.time > 0);
        told[s.why] += s.time;
      }
  const Gpu& gpu = run.simulation.gpu;
  const auto slices = [&](L2Slice::Stall cause) {
    Fs sum = 0;
    for (const auto& slice : gpu.mem.slices) sum += slice->stall_time(cause);
    return sum;
  };
  const auto ports = [&](Crossbar::Stall cause) {
    Fs sum = 0;
    for (std::size_t i = 0; i < gpu.mem.crossbar.sm.size(); ++i) sum += gpu.mem.crossbar.stall_time(i, cause);
    return sum;
  };
  Fs fills = 0;
  for (const auto& sm : gpu.sms) fills += sm->l1.stall_time(L1Cache::Stall::fills);
  BOOST_TEST(told["the write-back list is full: the controller withholds END_REQ"] ==
             slices(L2Slice::Stall::write_back_list));
  BOOST_TEST(told["no fetch entry is free"] == slices(L2Slice::Stall::fetch_entries));
  BOOST_TEST(told["the SM's share of the network is used up"] == ports(Crossbar::Stall::sm_share));
  BOOST_TEST(told["the slice's queue in the crossbar is full"] == ports(Crossbar::Stall::slice_queue));
  BOOST_TEST(told["no room for its fill: the fill sectors are under way"] == fills);
  for (const Fs counted : {slices(L2Slice::Stall::fetch_entries), ports(Crossbar::Stall::sm_share), fills})
    BOOST_TEST(counted > 0);  // the run is busy enough for all of them
}
