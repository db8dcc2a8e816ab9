// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "gputlm/config/document_overrides.h"

using namespace gputlm;

namespace {

const std::string kDocument =
    "experiment: e\nbuffers: {a: {size: 1 KiB}}\nphases:\n  - {name: w, grid: 1}\n  - {grid: 2}\n"
    "probe: {parameters: {n: [1, 2]}}\n";

struct Changed {
  YamlNode root;
  Diagnostics diagnostics;

  explicit Changed(std::vector<std::string> overrides) {
    parse_yaml(kDocument, "e.yaml", root, diagnostics);
    DocumentOverrides::take(overrides, diagnostics).apply(root, diagnostics);
  }
  const YamlNode& phase(std::size_t i) const { return root.find("phases")->items.at(i); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(those_of_documents_are_taken_and_the_others_stay_in_order) {
  std::vector<std::string> overrides{"l2.ways=8", "experiment.seed=1", " probe.parameters.n=2", "experimental=1",
                                     "l2.sets=4"};
  Diagnostics diagnostics;
  DocumentOverrides::take(overrides, diagnostics);
  BOOST_TEST((overrides == std::vector<std::string>{"l2.ways=8", "experimental=1", "l2.sets=4"}));
  BOOST_TEST(diagnostics.empty());
}

BOOST_AUTO_TEST_CASE(items_go_by_name_by_number_or_all_together) {
  const Changed c({"experiment.phases.w.grid=7", "experiment.phases.1.grid=8"});
  BOOST_TEST(c.phase(0).find("grid")->text == "7");
  BOOST_TEST(c.phase(1).find("grid")->text == "8");
  const Changed all({"experiment.phases.*.grid=9"});
  BOOST_TEST(all.phase(0).find("grid")->text == "9");
  BOOST_TEST(all.phase(1).find("grid")->text == "9");
}

BOOST_AUTO_TEST_CASE(a_new_key_may_be_added_at_the_end_of_a_path_alone) {
  const Changed c({"experiment.seed=5", "experiment.buffers.a.at=0", "probe.parameters.m=[1]"});
  BOOST_TEST(c.diagnostics.text() == "");
  BOOST_TEST(c.root.find("seed")->text == "5");
  BOOST_TEST(c.root.find("probe")->find("parameters")->find("m")->items.size() == 1U);
  BOOST_TEST(Changed({"experiment.image.a.kind=zeros"}).diagnostics.list().at(0).message ==
             "leads nowhere in the file: there is no 'image'");
}

BOOST_AUTO_TEST_CASE(a_value_stands_where_the_one_before_stood) {
  const Changed c({"experiment.phases.1.grid=[1, {x: 2}]"});
  const YamlNode& grid = *c.phase(1).find("grid");
  BOOST_TEST(grid.line == 5U);
  BOOST_TEST(grid.items.at(1).items.at(0).line == 5U);
}

BOOST_AUTO_TEST_CASE(what_leads_nowhere_or_is_no_value_is_told) {
  const auto text = [](const std::string& override) { return Changed({override}).diagnostics.text(); };
  BOOST_TEST(text("experiment.phases.ww.grid=1") ==
             "--set experiment.phases.ww.grid=1: experiment.phases.ww.grid: leads nowhere in the file: there is no "
             "'ww'; did you mean w? (allowed w, 1)");
  BOOST_TEST(text("experiment.phases.2.grid=1").find("there is no '2'") != std::string::npos);
  BOOST_TEST(text("experiment.experiment.x=1").find("there is no 'x'") != std::string::npos);
  BOOST_TEST(text("experiment.=1").find("there is no ''") != std::string::npos);
  BOOST_TEST(text("experiment.seed=[1").find("is not one YAML value") != std::string::npos);
  BOOST_TEST(text("experiment.seed").find("path=value") != std::string::npos);
}
