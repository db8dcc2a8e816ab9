// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "gputlm/config/schema.h"
#include "gputlm/config/show.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using gputlm::test::TempFolder;

namespace {

const std::vector<std::string> kOverrides{"l2.ways=12",
                                          "clocks.l2=1957 MHz",
                                          "mmu.miss_latency=1234567 fs",
                                          "sm.store_issue_interval=0.3333333333333333",
                                          "crossbar.sm_position=[]",
                                          R"(l2.fetch_entries={value: 7, note: 'a "quoted" \ note: # x'})"};

template <class Show, class... More>
std::string shown(Show show, const Config& config, const More&... more) {
  std::ostringstream out;
  show(out, config, more...);
  return out.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_shown_as_yaml_loads_to_the_same_configuration) {
  const TempFolder dir;
  const Config before = Config::load("rtx4090", kOverrides);
  std::ofstream(dir.path("effective.yaml")) << shown(show_yaml, before);
  const Config after = Config::load(dir.path("effective.yaml"));
  for (const Parameter& parameter : Schema::instance().parameters()) {
    BOOST_TEST_CONTEXT(parameter.path) {
      for (const Field& field : parameter.fields) BOOST_TEST((field.get(before) == field.get(after)));
      const EffectiveValue& was = *before.effective.find(parameter.path);
      const EffectiveValue& is = *after.effective.find(parameter.path);
      BOOST_TEST(is.text == was.text);
      BOOST_TEST(is.confidence == was.confidence);
      BOOST_TEST(is.source == was.source);
      BOOST_TEST(is.note == was.note);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_table_has_a_line_per_parameter_with_origin_and_confidence) {
  const std::string text = shown(show_table, Config::load("rtx4090", kOverrides), "");
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  BOOST_TEST(lines == Schema::instance().parameters().size() + 1);
  std::istringstream in(text);
  std::string line, ways, sets;
  while (std::getline(in, line)) {
    if (line.find("l2.ways ") == 0) ways = line;
    if (line.find("l2.sets ") == 0) sets = line;
  }
  BOOST_TEST(ways.find("12 ways") != std::string::npos);
  BOOST_TEST(ways.find("--set l2.ways=12") != std::string::npos);
  BOOST_TEST(sets.find("1024 sets") != std::string::npos);
  BOOST_TEST(sets.find("measured") != std::string::npos);
  BOOST_TEST(sets.find("rtx4090.yaml:") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(json_escapes_and_names_every_column) {
  const std::string text = shown(show_json, Config::load("rtx4090", kOverrides), "");
  BOOST_TEST(text.find("\"path\": \"l2.ways\",\n    \"value\": \"12\"") != std::string::npos);
  BOOST_TEST(text.find("a \\\"quoted\\\" \\\\ note: # x") != std::string::npos);
  for (const char* key : {"unit", "allowed", "confidence", "source", "note", "origin", "description"}) {
    BOOST_TEST(text.find("\"" + std::string(key) + "\":") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_group_is_shown_alone) {
  const Config config = Config::load("rtx4090");
  const std::string rows = shown(show_table, config, "l2.janitor");
  BOOST_TEST(rows.find("l2.janitor.dirty_threshold") != std::string::npos);
  BOOST_TEST(rows.find("l2.ways") == std::string::npos);
  BOOST_TEST(nlohmann::json::parse(shown(show_json, config, "l2.ways")).size() == 1U);
  BOOST_CHECK_THROW(shown(show_table, config, "l2.jan"), ConfigError);
}

BOOST_AUTO_TEST_CASE(the_reference_in_docs_is_up_to_date) {
  std::ifstream in(GPUTLM_DOCS_DIR "/configuration.md");
  std::stringstream docs;
  docs << in.rdbuf();
  BOOST_REQUIRE(!docs.str().empty());
  const bool same = docs.str() == shown(generate_reference, Config::load("rtx4090"));
  BOOST_TEST(same, "docs/configuration.md is out of date: build the target docs_configuration");
}
