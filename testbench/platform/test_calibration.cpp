// SPDX-License-Identifier: Apache-2.0
//
// docs/calibration.md is what the probes give: the quick ones are run here, and every line made of them must stand
// there.
#include "gputlm/test_support/sc_test.h"
//
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "gputlm/config/data_dir.h"
#include "gputlm/probe/probe_catalogue.h"
#include "gputlm/probe/probe_report.h"

using namespace gputlm;

namespace {

std::string document() {
  std::ifstream in(GPUTLM_CALIBRATION);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.insert(line);
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_quick_probes_give_stands_in_the_document) {
  const std::set<std::string> known = lines_of(document());
  ProbeOptions options;
  options.check = true;
  std::vector<ProbeRow> rows;
  for (const char* name : {"tlb", "coalesce", "l1-store-policy", "refresh", "sm-egress", "l2-geometry"})
    for (ProbeRow& row : run_probe(name, options)) rows.push_back(std::move(row));
  std::ostringstream made;
  print_calibration(made, rows, Config::load("rtx4090"));
  for (const std::string& line : lines_of(made.str())) BOOST_TEST((known.count(line) == 1), line);
}

BOOST_AUTO_TEST_CASE(every_source_of_a_reference_stands_in_the_configurations_head) {
  std::ifstream in(find_yaml("rtx4090", "configs"));
  std::set<std::string> known;
  for (std::string line, name; std::getline(in, line) && line.rfind('#', 0) == 0;) {
    if (const std::size_t key = line.find("source:"); key != std::string::npos) line.erase(0, key + 7);
    std::istringstream words(line.substr(std::min<std::size_t>(1, line.size())));
    if (words >> name) known.insert(name);
  }
  for (const ProbeFunction& probe : probe_functions())
    for (const Reference& r : find_probe_file(probe.name, false).references) {
      std::istringstream names(r.source);
      for (std::string name; std::getline(names >> std::ws, name, ',');)
        BOOST_TEST((known.count(name) == 1), std::string(probe.name) + ": " + name);
    }
}

BOOST_AUTO_TEST_CASE(every_value_that_a_measurement_chose_stands_among_the_fitted) {
  const std::string text = document();
  for (const char* path :
       {"mmu.entries", "l2.replacement.levels", "l2.replacement.load_hit_rrpv", "l2.fifo_drain_interval",
        "dram.map.column_bits", "dram.map.channel_mask", "dram.timing.commands_per_clock", "dram.write_queue_entries"})
    BOOST_TEST((text.find("| `" + std::string(path) + "` |") != std::string::npos), path);
}

BOOST_AUTO_TEST_CASE(every_probe_and_every_fitted_value_stands_in_the_document) {
  const std::string text = document();
  for (const ProbeFunction& probe : probe_functions()) {
    BOOST_TEST((text.find(std::string("| ") + probe.name) != std::string::npos), probe.name);
    for (const Reference& r : find_probe_file(probe.name, false).references)
      for (const std::string& path : r.fits) BOOST_TEST((text.find("| `" + path + "` |") != std::string::npos), path);
  }
}
