// SPDX-License-Identifier: Apache-2.0
//
// What a report makes of a run's files: sets as text, frames, tables, and JSON inside a page.
#include "gputlm/test_support/sc_test.h"

#include "gputlm/config/diagnostics.h"
#include "gputlm/report/frame_series.h"
#include "gputlm/report/json_document.h"
#include "gputlm/report/page_parts.h"
#include "gputlm/report/report_page.h"
#include "gputlm/report/run_folder.h"
#include "gputlm/report/sweep_folder.h"

using namespace gputlm;

namespace {

Frame frame_at(Fs time, std::uint8_t dirty = 0) {
  Frame f;
  f.time = time;
  f.dirty = {SetCounts{dirty, 0}};
  return f;
}

/// A sweep of one point, with one text in place of another.
std::string sweep_text(const std::string& part = "", const std::string& instead = "") {
  std::string text = R"({"format": 1, "sweep": "s", "description": "", "version": "1", "kind": "experiment",
    "target": "vadd", "config": "tiny", "method": "grid", "seed": 18446744073709551615,
    "parameters": [{"path": "l2.ways", "unit": "ways", "numeric": true, "scale": "linear", "description": "",
                    "values": [8]}],
    "statistics": [{"name": "load_latency", "unit": "ns", "better": "lower", "description": ""}],
    "points": [{"point": 1, "folder": "points/0001", "state": "done", "parameters": {"l2.ways": 8},
                "statistics": {"load_latency": 512.25}, "problem": ""}]})";
  if (!part.empty()) text.replace(text.find(part), part.size(), instead);
  return text;
}

/// What is wrong with it; empty: nothing.
template <class Read>
std::string complaint(Read read) {
  try {
    read();
  } catch (const ConfigError& e) {
    return e.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_sweep_is_read_whole_or_refused_with_what_is_wrong) {
  BOOST_TEST(parse_sweep(sweep_text(), "sweep.json")["points"].size() == 1U);
  const std::pair<const char*, std::pair<const char*, const char*>> wrong[] = {
      {"of another form", {"\"format\": 1", "\"format\": 2"}},
      {"the sweep has no target", {"\"target\": \"vadd\",", ""}},
      {"the sweep: method is no text", {"\"grid\"", "5"}},
      {"a parameter: numeric is neither true nor false", {"\"numeric\": true", "\"numeric\": 1"}},
      {"a parameter: values are neither a list nor a range", {"[8]", "8"}},
      {"a statistic: unit is no text", {"\"ns\"", "null"}},
      {"entry 1 of points: point is no number", {"\"point\": 1", "\"point\": \"1\""}},
      {"entry 1 of points's parameters has no l2.ways", {"{\"l2.ways\": 8}", "{}"}},
      {"entry 1 of points: l2.ways is no value of the parameter", {"{\"l2.ways\": 8}", "{\"l2.ways\": \"8\"}"}},
      {"entry 1 of points: a statistic is no number", {"512.25", "\"512.25\""}}};
  for (const auto& [why, change] : wrong) {
    const std::string told = complaint([&c = change] { parse_sweep(sweep_text(c.first, c.second), "sweep.json"); });
    BOOST_TEST(told.find("sweep.json: is ") == 0U, told);
    BOOST_TEST(told.find(why) != std::string::npos, told);
  }
  BOOST_TEST(complaint([] { parse_sweep(sweep_text().substr(0, 300), "f"); }) == "f: is no whole JSON document");
}

BOOST_AUTO_TEST_CASE(json_of_no_program_is_refused) {
  for (const char* text : {"", "[]", "5", "{\"a\": 1", "{\"a\": 1e999}", "\xff"})
    BOOST_TEST(complaint([text] { parse_json_object(text, "f"); }) == "f: is no whole JSON document", text);
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{\"a\":[";
  BOOST_TEST(complaint([&] { parse_json_object(deep, "f"); }).find("f: is nested too deeply") == 0U);
  BOOST_TEST(parse_json_object("{\"a\": [[[1]]]}", "f")["a"][0][0][0] == 1);
}

BOOST_AUTO_TEST_CASE(frames_of_more_sets_than_a_card_has_are_refused) {
  for (const char* sets : {"18446744073709551615", "1000000000000"})
    BOOST_CHECK_THROW(
        thin_frames(Json::parse("{\"sets\": " + std::string(sets) + ", \"list\": [{\"dirty\": [\"1\"]}]}")),
        std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(sets_are_coded_by_what_has_changed) {
  const SetCounts none(60, 0);
  SetCounts now = none;
  BOOST_TEST(encode_sets(none, now).empty());
  now[0] = 3;
  now[2] = 12;
  now[57] = 35;
  BOOST_TEST(encode_sets(none, now) == "3AcZZBz");  // 1, then 26 + 26 + 2 as they were
  BOOST_TEST(encode_sets(now, none) == "0A0ZZB0");
}

BOOST_AUTO_TEST_CASE(coded_sets_are_read_back) {
  SetCounts before(200), now(200);
  for (std::size_t i = 0; i < now.size(); ++i) {
    before[i] = static_cast<std::uint8_t>(i % 5);
    now[i] = static_cast<std::uint8_t>(i % 7 == 0 ? i % 17 : before[i]);
  }
  SetCounts read = before;
  BOOST_TEST(decode_sets(encode_sets(before, now), read));
  BOOST_TEST(read == now, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(text_that_codes_no_sets_is_refused) {
  for (const char* text : {"123", "C", "A00", "0-", "\xc3\xa4", "a b"}) {
    SetCounts sets(2);
    BOOST_TEST(!decode_sets(text, sets), text);
  }
}

BOOST_AUTO_TEST_CASE(frames_stay_few_and_evenly_spaced) {
  FrameSeries series;
  for (int i = 0; i < 1000; ++i) {
    series.add(frame_at(series.next()));
    BOOST_TEST(series.frames().size() < FrameSeries::kMost);
  }
  const auto& frames = series.frames();
  BOOST_TEST(frames.front().time == 0);
  const Fs distance = frames[1].time;
  BOOST_TEST(distance % FrameSeries::kFirstInterval == 0);
  BOOST_TEST(distance > FrameSeries::kFirstInterval);
  for (std::size_t i = 1; i < frames.size(); ++i) BOOST_TEST(frames[i].time - frames[i - 1].time == distance);
  BOOST_TEST(series.next() == frames.back().time + distance);
  series.add_last(frame_at(frames.back().time + 1));
  BOOST_TEST(series.next() == kNever);
  BOOST_TEST(frames.back().time - frames[frames.size() - 2].time == 1);
}

BOOST_AUTO_TEST_CASE(thinned_frames_show_what_their_frames_showed) {
  FrameSeries series;
  for (std::uint8_t i = 0; i < 6; ++i) series.add(frame_at(series.next(), i));
  const Json thin = thin_frames(series.document());
  BOOST_TEST(thin["list"].size() == 4U);  // 0, 2, 4 and the last
  SetCounts sets(2);
  for (const auto& [place, dirty] : {std::pair{0U, 0}, {1U, 2}, {2U, 4}, {3U, 5}}) {
    BOOST_TEST(decode_sets(thin["list"][place]["dirty"][0].get<std::string>(), sets));
    BOOST_TEST(unsigned{sets[0]} == static_cast<unsigned>(dirty));
  }
  Json broken = series.document();
  broken["list"][1]["dirty"][0] = "!";
  BOOST_CHECK_THROW(thin_frames(broken), std::exception);
  BOOST_CHECK_THROW(thin_frames(Json{{"list", 5}}), std::exception);
}

BOOST_AUTO_TEST_CASE(statistics_are_turned_round) {
  const auto leaf = [](Json value) { return Json{{"value", std::move(value)}, {"unit", "ns"}, {"description", "d"}}; };
  const Json statistics{{"gpu",
                         {{"sm0", {{"l1", {{"loads", leaf(3)}}}}},
                          {"sm1", {{"l1", {{"loads", leaf(4)}}}}},
                          {"mem", {{"l2_0", {{"latency", leaf({{"mean", 2.5}, {"count", 1}})}}}}}}},
                        {"total", {{"l1", {{"loads", leaf(7)}}}}}};
  const Json kinds = by_kind(statistics);
  BOOST_TEST(kinds["l1"]["loads"]["values"] == Json::array({3, 4}));
  BOOST_TEST(kinds["l2"]["latency"]["values"] == Json::array({2.5}));
  BOOST_TEST(kinds["l2"]["latency"]["unit"] == "ns");
}

BOOST_AUTO_TEST_CASE(a_long_time_series_keeps_its_ends) {
  std::string csv = "time_ns,x\n";
  for (int i = 0; i < 100; ++i) csv += std::to_string(i) + "," + std::to_string(2 * i) + "\n";
  const Json columns = columns_of(csv, 10);
  BOOST_TEST(columns["time_ns"].size() <= 11U);
  BOOST_TEST(columns["time_ns"].front() == 0);
  BOOST_TEST(columns["time_ns"].back() == 99);
  BOOST_TEST(columns["x"].back() == 198);
  BOOST_TEST(columns_of("time_ns,x\n1,2\n", 10)["x"] == Json::array({2.0}));
  for (const char* text : {"", "time_ns,x\n1,2", "time_ns,x\n1\n", "time_ns,x\n1,y\n"})
    BOOST_TEST(columns_of(text, 10).is_null(), text);
}

BOOST_AUTO_TEST_CASE(json_in_a_page_cannot_end_its_script) {
  const Json hostile{{"</script><!--", "<script>\xff"}};
  const std::string text = page_json(hostile);
  BOOST_TEST(text.find('<') == std::string::npos);
  BOOST_TEST(Json::parse(text).contains("</script><!--"));
}

BOOST_AUTO_TEST_CASE(the_page_is_whole_in_the_program) {
  for (const char* part : {"page", "style", "library", "script"}) BOOST_TEST(!page_part(part).empty(), part);
  BOOST_TEST(page_part("library").find("MIT licence") != std::string_view::npos);
  BOOST_TEST(page_part("library").find("Dygraph") != std::string_view::npos);
  for (const char* part : {"library", "script"})
    BOOST_TEST(page_part(part).find("</script") == std::string_view::npos, part);
  BOOST_TEST(page_part("nothing").empty());
}
