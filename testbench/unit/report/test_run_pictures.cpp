// SPDX-License-Identifier: Apache-2.0
//
// What a run keeps for its pictures, and that it is no other run for it.
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <memory>

#include "gputlm/process/child_process.h"
#include "gputlm/report/run_pictures.h"
#include "gputlm/system/summary.h"
#include "run_text.h"

using namespace gputlm;

namespace {

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

const char* const kSet = R"(
experiment: set
config: tiny
buffers:
  lines: {size: 16 MiB}
phases:
  - {name: one-set, pattern: one_set, buffer: lines, slice: 0, set: 5, stores: 12, loads: 8, sms: 0}
)";

struct PicturedRun {
  explicit PicturedRun(const char* text) : run(text), pictures(run.simulation) { run.run(); }

  TextRun run;
  RunPictures pictures;
};

/// Of a run in a process of its own.
nlohmann::json results_of(bool pictured) {
  return ChildProcess([pictured] {
           TextRun run(kBoth);
           const auto pictures = pictured ? std::make_unique<RunPictures>(run.simulation) : nullptr;
           run.run();
           nlohmann::json all = nlohmann::json::parse(make_statistics(run.simulation.gpu).dump());
           all["end"] = now();
           all["pictures"] = pictures ? pictures->document().dump() : "";
           return all;
         })
      .result();
}

}  // namespace

BOOST_AUTO_TEST_CASE(frames_hold_what_the_card_held) {
  PicturedRun pictured(kBoth);
  const Json document = pictured.pictures.document();
  BOOST_TEST(document["format"] == kPicturesFormat);
  const Json& list = document["frames"]["list"];
  BOOST_TEST(list.size() >= FrameSeries::kMost / 2);
  BOOST_TEST(list.size() <= FrameSeries::kMost);
  BOOST_TEST(list.back()["time_ns"] == to_ns(now()));
  const auto& mem = pictured.run.simulation.gpu.mem;
  BOOST_TEST(list.back()["requests"][0] == mem.slices[0]->counters().requests);
  std::uint64_t columns = 0;
  for (const Json& c : list.back()["write_columns"]) columns += c.get<std::uint64_t>();
  BOOST_TEST(columns * kSectorBytes == mem.dram_bytes().written);
  // The sets, decoded frame by frame, add up to what the slice says at the end, and were fuller before.
  SetCounts sets(document["frames"]["sets"].get<std::size_t>());
  unsigned most = 0;
  for (const Json& frame : list) {
    BOOST_TEST(decode_sets(frame["dirty"][0].get<std::string>(), sets));
    most = std::max(most, static_cast<unsigned>(*std::max_element(sets.begin(), sets.end())));
  }
  unsigned end = 0;
  for (const std::uint8_t n : sets) end += n;
  BOOST_TEST(end == mem.slices[0]->dirty_lines());
  BOOST_TEST(most == mem.slices[0]->counters().dirty_lines_per_set_peak);
}

BOOST_AUTO_TEST_CASE(distributions_are_percentiles) {
  PicturedRun pictured(kBoth);
  const Json all = pictured.pictures.document()["distributions"];
  const Json& stores = all["lsu.store_latency"]["percentiles_ns"];
  BOOST_TEST(stores.size() == 101U);
  BOOST_TEST(std::is_sorted(stores.begin(), stores.end()));
  BOOST_TEST(all["lsu.store_latency"]["count"] == (1U << 20) / 128);
  BOOST_TEST(all.contains("mc.read_latency"));
  BOOST_TEST(!all.contains("lsu.atomic_latency"));  // there was none
}

BOOST_AUTO_TEST_CASE(the_life_of_a_set_is_told_step_by_step) {
  PicturedRun pictured(kSet);
  const Json set = pictured.pictures.document()["set"];
  BOOST_TEST(set["slice"] == 0);
  BOOST_TEST(set["set"] == 5);
  BOOST_TEST(set["ways"] == 16);
  BOOST_TEST(set["left_out"] == 0);
  std::vector<Json> ways(16);
  double before = -1;
  bool janitor = false;
  for (const Json& step : set["steps"]) {
    BOOST_TEST(step["time_ns"].get<double>() > before);
    before = step["time_ns"];
    BOOST_TEST(!step["what"].empty());
    for (const auto& entry : step["ways"].items()) ways.at(std::stoul(entry.key())) = entry.value();
    for (const Json& what : step["what"])
      janitor = janitor || what.get<std::string>().find("janitor") != std::string::npos;
  }
  BOOST_TEST(janitor);  // the threshold is below 12
  const std::vector<L2Way> end = pictured.run.simulation.gpu.mem.slices[0]->view_set(5);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    BOOST_TEST(ways[i].is_null() != end[i].present);
    if (end[i].present) BOOST_TEST(ways[i]["rrpv"] == end[i].rrpv);
    if (end[i].present) BOOST_TEST(ways[i]["dirty"] == end[i].dirty.count());
  }
}

BOOST_AUTO_TEST_CASE(a_run_with_pictures_is_no_other_run_and_they_are_always_the_same) {
  nlohmann::json plain = results_of(false), pictured = results_of(true), again = results_of(true);
  BOOST_TEST((pictured == again));
  BOOST_TEST(!pictured["pictures"].get<std::string>().empty());
  for (nlohmann::json* results : {&plain, &pictured}) results->erase("pictures");
  BOOST_TEST((plain == pictured));
}
