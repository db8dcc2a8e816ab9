// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <string>

#include "gputlm/config/parameter_view.h"
#include "gputlm/config/schema.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(every_parameter_is_seen_with_unit_and_provenance) {
  const ParameterView view("rtx4090");
  BOOST_TEST(view.parameters().size() == Schema::instance().parameters().size());
  const ParameterText* ways = view.find("l2.ways");
  BOOST_REQUIRE(ways != nullptr);
  BOOST_TEST(ways->value == "16");
  BOOST_TEST(!ways->description.empty());
  BOOST_TEST(!ways->confidence.empty());
  BOOST_TEST(ways->origin.find("rtx4090.yaml:") != std::string::npos);
  BOOST_TEST(view.find("l2") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_setting_reaches_the_configuration_with_its_origin) {
  ParameterView view("rtx4090");
  view.set("l2.ways", "12", "sweep");
  view.set("l2.ways", " 8 ", "broker");
  BOOST_TEST(view.find("l2.ways")->value == "8");
  BOOST_TEST(view.find("l2.ways")->origin == "broker");
  const Config config = view.config();
  BOOST_TEST(config.l2.ways == 8U);
  BOOST_TEST(config.effective.find("l2.ways")->origin.text() == "broker");
}

BOOST_AUTO_TEST_CASE(every_value_can_be_set_to_what_is_read) {
  ParameterView view("rtx4090");
  const ParameterView as_loaded("rtx4090");
  for (const ParameterText& p : as_loaded.parameters()) {
    if (Schema::instance().parameters()[Schema::instance().find(p.path)].kind == Kind::text) continue;
    view.set(p.path, p.value, "again");
    BOOST_TEST(view.find(p.path)->value == p.value, p.path);
  }
  const Config config = view.config();
  for (const ParameterText& p : as_loaded.parameters())
    BOOST_TEST(parameter_text(config, Schema::instance().find(p.path)).value == p.value, p.path);
}

BOOST_AUTO_TEST_CASE(what_is_not_allowed_is_refused_and_changes_nothing) {
  ParameterView view("rtx4090");
  BOOST_CHECK_THROW(view.set("l2.wayz", "8", "broker"), ConfigError);
  BOOST_CHECK_THROW(view.set("l2", "8", "broker"), ConfigError);
  for (const char* value : {"many", "0", "", "[1, 2]", "8\nl1: 3", "{", "\x01"})
    BOOST_CHECK_THROW(view.set("l2.ways", value, "broker"), ConfigError);
  BOOST_TEST(view.find("l2.ways")->value == "16");
  BOOST_TEST(view.config().l2.ways == 16U);
}

BOOST_AUTO_TEST_CASE(how_values_fit_together_is_judged_at_the_end) {
  ParameterView view("rtx4090");
  view.set("l2.slices", "35", "broker");
  BOOST_CHECK_THROW(view.config(), ConfigError);
  view.set("l2.slices", "36", "broker");
  BOOST_TEST(view.config().l2.ways == 16U);
}
