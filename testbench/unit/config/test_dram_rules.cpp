// SPDX-License-Identifier: Apache-2.0
//
// The DRAM's figures: the shipped ones are those of the unit tests, each says where it is from and why, and
// docs/dram.md has every one of them beside tests that exist.
#include "gputlm/test_support/sc_test.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "dram_facts.h"
#include "gputlm/config/schema.h"

using namespace gputlm;

namespace {

bool is_dram(const std::string& path) {
  return path.rfind("dram.", 0) == 0;
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Names in backticks of the cells [from, to) of all table rows.
std::set<std::string> named_in_cells(const std::string& document, std::size_t from, std::size_t to) {
  static const std::regex name("`([^`]+)`");
  std::set<std::string> names;
  std::istringstream in(document);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("| ", 0) != 0) continue;
    std::istringstream row(line.substr(1));
    std::string cell;
    for (std::size_t i = 0; std::getline(row, cell, '|'); ++i)
      if (i >= from && i < to)
        for (std::sregex_iterator m(cell.begin(), cell.end(), name), end; m != end; ++m) names.insert((*m)[1]);
  }
  return names;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_unit_tests_run_on_the_shipped_figures) {
  const Config shipped = Config::load("rtx4090");
  Config tested = shipped;
  tested.dram = rtx4090_dram();
  for (const Parameter& p : Schema::instance().parameters())
    if (is_dram(p.path) || p.path == "clocks.dram") BOOST_TEST(p.value_text(tested) == p.value_text(shipped), p.path);
}

BOOST_AUTO_TEST_CASE(every_figure_has_a_source_and_every_guess_a_reason) {
  const Config shipped = Config::load("rtx4090");
  for (const EffectiveValue& v : shipped.effective.values()) {
    if (!is_dram(v.path)) continue;
    BOOST_TEST(!v.source.empty(), v.path);
    BOOST_TEST(!v.confidence.empty(), v.path);
    if (v.confidence == "inferred" || v.confidence == "assumed") BOOST_TEST(!v.note.empty(), v.path);
  }
}

BOOST_AUTO_TEST_CASE(the_document_has_every_figure_and_its_tests_exist) {
  const std::string document = contents(GPUTLM_SOURCE_DIR "/docs/dram.md");
  std::set<std::string> figures;
  for (const std::string& path : Schema::instance().paths())
    if (is_dram(path)) figures.insert(path);
  BOOST_TEST(named_in_cells(document, 1, 2) == figures, boost::test_tools::per_element());

  std::string sources;
  for (const char* folder : {"/testbench/unit/dram", "/testbench/platform"})
    for (const auto& file : std::filesystem::directory_iterator(std::string(GPUTLM_SOURCE_DIR) + folder))
      if (file.path().extension() == ".cpp") sources += contents(file.path());
  for (const std::string& test : named_in_cells(document, 3, 5))
    BOOST_TEST((sources.find("TEST_CASE(" + test + ")") != std::string::npos), test);
}
