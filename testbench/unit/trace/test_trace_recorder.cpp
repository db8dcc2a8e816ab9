// SPDX-License-Identifier: Apache-2.0
//
// What a recording holds, against runs whose transactions are known.
#include "gputlm/test_support/sc_test.h"

#include <map>
#include <set>

#include "collecting_sink.h"
#include "gputlm/process/child_process.h"
#include "gputlm/system/summary.h"
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

TraceSelection only(const char* filter) {
  TraceSelection s;
  s.filter = TraceFilter::parse(filter, "filter");
  return s;
}

/// A recorded run of a text.
struct Recorded {
  Recorded(const char* text, TraceSelection selection) : run(text), recorder(run.simulation, std::move(selection)) {
    recorder.add(std::make_unique<CollectingSink>(kept));
    verdict = run.run();
    recorder.finish();
  }
  TraceUnit unit(const TraceHop& h) const { return recorder.description().tracks[h.track].unit; }

  TextRun run;
  TraceRecorder recorder;
  Collected kept;
  Verdict verdict;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_lone_store_is_recorded_with_every_hop_at_its_time) {
  Recorded r(kLoneStore, {});
  BOOST_TEST(r.verdict.clean(), complaints(r.verdict));
  const Config& c = r.run.config;
  const TraceTransaction& line = r.kept.only(TraceKind::line);
  const Fs at_mmu = c.l1.miss_latency, at_crossbar = at_mmu + c.mmu.miss_latency,
           at_l2 = at_crossbar + c.crossbar.request_latency, answered = at_l2 + c.l2.store_latency,
           back = answered + c.crossbar.response_latency;
  const std::vector<std::pair<TraceUnit, Fs>> expected{
      {TraceUnit::l1, 0}, {TraceUnit::mmu, at_mmu}, {TraceUnit::crossbar, at_crossbar}, {TraceUnit::l2, at_l2}};
  BOOST_REQUIRE(line.hops.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    BOOST_TEST((r.unit(line.hops[i]) == expected[i].first));
    BOOST_TEST(line.hops[i].request == expected[i].second);
    BOOST_TEST(line.hops[i].response == (i == 3 ? answered : back));
  }
  const TraceTransaction& access = r.kept.only(TraceKind::access);
  BOOST_TEST(line.parent == access.id);
  BOOST_TEST(access.parent == 0U);
  BOOST_TEST(access.bytes == 128U);
  BOOST_TEST(std::string(line.operation) == "store");
  BOOST_TEST(line.line() == r.run.simulation.gpu.pages.find(line.virtual_address)->translate(line.virtual_address));
  const TraceTransaction& write_back = r.kept.only(TraceKind::write_back);
  BOOST_TEST(write_back.line() == line.line());
  BOOST_TEST(write_back.hops.size() == 2U);  // controller, channel
  BOOST_TEST(!write_back.from_sm());
}

BOOST_AUTO_TEST_CASE(what_happens_to_a_lone_store_is_recorded_in_order) {
  Recorded r(kLoneStore, {});
  std::map<std::string, Fs> at;
  for (const TraceEvent& e : r.kept.events) at[e.name] = e.time;
  for (const char* event : {"L1 updated", "way chosen", "store visible", "flush: write-back queued", "in DRAM"})
    BOOST_TEST(r.kept.count(event) == 1U, event);
  BOOST_TEST(at["way chosen"] == at["store visible"]);
  BOOST_TEST(at["store visible"] < at["flush: write-back queued"]);
  BOOST_TEST(at["write"] < at["in DRAM"]);
  BOOST_TEST(r.kept.count("activate") == 1U);
  BOOST_TEST(r.kept.count("write") == 4U);  // a column command for each sector
  for (const TraceEvent& e : r.kept.events)
    if (e.name == std::string("way chosen")) BOOST_TEST(e.transaction == r.kept.only(TraceKind::line).id);
}

BOOST_AUTO_TEST_CASE(every_transaction_of_a_busy_run_is_recorded_whole_and_once) {
  Recorded r(kBoth, {});
  BOOST_TEST(r.verdict.clean(), complaints(r.verdict));
  BOOST_TEST(r.kept.finished);
  BOOST_TEST(r.kept.batches > 1U);
  BOOST_TEST(!r.recorder.loss().any());
  std::set<std::uint64_t> ids;
  std::map<TraceKind, std::uint64_t> kinds;
  for (const TraceTransaction& t : r.kept.transactions) {
    BOOST_TEST(ids.insert(t.id).second);
    ++kinds[t.kind];
    for (const TraceHop& h : t.hops) {
      BOOST_TEST(h.request <= h.accepted);
      BOOST_TEST(h.accepted <= h.response);
      BOOST_TEST(h.response <= h.done);
      BOOST_TEST(h.done != kNever);
    }
  }
  BOOST_TEST(kinds[TraceKind::line] == r.run.simulation.line_requests());
  StatisticSum fills({"fills"});
  for (const auto& sm : r.run.simulation.gpu.sms) fills.over(sm->l1);
  BOOST_TEST(static_cast<double>(kinds[TraceKind::fill]) == fills.total());
  const L2Counters& l2 = r.run.simulation.gpu.mem.slices[0]->counters();
  BOOST_TEST(kinds[TraceKind::fetch] == l2.fetches);
  BOOST_TEST(kinds[TraceKind::write_back] == l2.write_backs);
  for (const TraceTransaction& t : r.kept.transactions)
    if (t.kind == TraceKind::line || t.kind == TraceKind::fill || t.kind == TraceKind::fetch)
      BOOST_TEST(ids.count(t.parent) == 1U);
}

BOOST_AUTO_TEST_CASE(requests_and_responses_of_an_arrow_share_no_time) {
  Recorded r(kBoth, {});
  std::map<std::uint32_t, std::vector<std::pair<Fs, Fs>>> requests;
  for (const TraceTransaction& t : r.kept.transactions)
    for (const TraceHop& h : t.hops)
      if (h.request_alone) requests[h.track].emplace_back(h.request, h.accepted);
  for (auto& [track, spans] : requests) {
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); ++i) BOOST_TEST(spans[i - 1].second <= spans[i].first);
  }
}

BOOST_AUTO_TEST_CASE(a_filter_keeps_its_hops_and_no_others) {
  Recorded r(kBoth, only("sm==1 && op==load && (unit==l1 || unit==l2)"));
  BOOST_TEST(r.kept.transactions.size() > 0U);
  for (const TraceTransaction& t : r.kept.transactions) {
    BOOST_TEST(t.origin.sm == 1U);
    BOOST_TEST(std::string(t.operation) == "load");
    for (const TraceHop& h : t.hops) BOOST_TEST((r.unit(h) == TraceUnit::l1 || r.unit(h) == TraceUnit::l2));
  }
}

BOOST_AUTO_TEST_CASE(a_window_keeps_whole_what_begins_in_it) {
  TraceSelection selection;
  selection.window = parse_trace_window("1us:2us", "window");
  Recorded r(kBoth, selection);
  BOOST_TEST(r.kept.transactions.size() > 0U);
  bool ends_later = false;
  for (const TraceTransaction& t : r.kept.transactions) {
    BOOST_TEST(selection.window.contains(t.begin()));
    ends_later = ends_later || t.end() >= selection.window.end;
  }
  BOOST_TEST(ends_later);
  for (const TraceEvent& e : r.kept.events) BOOST_TEST(selection.window.contains(e.time));
  for (const TraceSample& s : r.kept.samples) BOOST_TEST(selection.window.contains(s.time));
  BOOST_TEST(r.kept.samples.size() >= 5U);
  BOOST_TEST(r.recorder.happened());
}

BOOST_AUTO_TEST_CASE(the_first_sample_of_a_window_counts_from_its_beginning) {
  TextRun run(kBoth);
  Collected whole, windowed;
  TraceSelection selection;
  TraceRecorder all(run.simulation, selection);
  all.add(std::make_unique<CollectingSink>(whole));
  selection.window = parse_trace_window("1us:2us", "window");
  TraceRecorder some(run.simulation, selection);
  some.add(std::make_unique<CollectingSink>(windowed));
  BOOST_TEST(run.run().clean());
  all.finish();
  some.finish();
  BOOST_REQUIRE(!windowed.samples.empty());
  const TraceSample& first = windowed.samples.front();
  const auto same = std::find_if(whole.samples.begin(), whole.samples.end(),
                                 [&](const TraceSample& s) { return s.time == first.time; });
  BOOST_REQUIRE((same != whole.samples.end()));
  BOOST_TEST((same - 1)->time >= selection.window.begin);  // where that sample of the whole run counts from
  BOOST_TEST(first.values == same->values, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_window_in_which_nothing_happens_has_no_sample) {
  TraceSelection selection;
  selection.window = parse_trace_window("1s:2s", "window");
  Recorded r(kBoth, selection);
  BOOST_TEST(!r.recorder.happened());
  BOOST_TEST(r.kept.samples.empty());
  BOOST_TEST(r.recorder.recorded() == 0U);
}

BOOST_AUTO_TEST_CASE(past_its_bound_a_recording_counts_what_it_leaves_out) {
  TraceSelection selection;
  selection.most = 1000;
  Recorded r(kBoth, selection);
  std::size_t hops = 0;
  for (const TraceTransaction& t : r.kept.transactions) hops += t.hops.size();
  BOOST_TEST(hops + r.kept.events.size() >= 1000U);
  BOOST_TEST(r.recorder.loss().transactions > 0U);
  BOOST_TEST(r.recorder.loss().events > 0U);
  BOOST_TEST(r.recorder.loss().since < now());
}

namespace {

/// Of a run in a process of its own.
nlohmann::json statistics(bool recorded) {
  return ChildProcess([recorded] {
           TextRun run(kBoth);
           Collected kept;
           std::unique_ptr<TraceRecorder> recorder;
           if (recorded) {
             recorder = std::make_unique<TraceRecorder>(run.simulation, TraceSelection());
             recorder->add(std::make_unique<CollectingSink>(kept));
           }
           run.run();
           return nlohmann::json::parse(make_statistics(run.simulation.gpu).dump());
         })
      .result();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_recorded_run_is_no_other_run) {
  const nlohmann::json plain = statistics(false);
  BOOST_TEST(!plain.empty());
  BOOST_TEST((plain == statistics(true)));
}
