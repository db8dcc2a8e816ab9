// SPDX-License-Identifier: Apache-2.0
//
// Probes on other cards than their own: figures of one card are no reference for another, docs/cards.md is what comes
// out, and the teaching card's latencies are those that one adds up by hand. This process elaborates nothing.
#include "gputlm/test_support/sc_test.h"
//
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "gputlm/config/data_dir.h"
#include "gputlm/litmus/litmus_runner.h"
#include "gputlm/probe/probe_catalogue.h"
#include "gputlm/probe/probe_report.h"
#include "gputlm/process/child_process.h"
#include "gputlm/stress/stress_draw.h"
#include "gputlm/stress/stress_runner.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

ProbeOptions on(const std::string& card) {
  ProbeOptions options;
  options.config = card;
  options.check = true;
  return options;
}

std::set<std::string> lines_of(std::istream& in) {
  std::set<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.insert(line);
  return lines;
}

/// Every line that the probes' rows make stands in docs/cards.md.
void stands_in_the_document(const std::string& card, const std::vector<std::string>& probes) {
  std::ifstream document(GPUTLM_CARDS);
  const std::set<std::string> known = lines_of(document);
  std::vector<ProbeRow> rows;
  for (const std::string& name : probes)
    for (ProbeRow& row : run_probe(name, on(card))) rows.push_back(std::move(row));
  std::stringstream made;
  print_card(made, rows, Config::load(card));
  for (const std::string& line : lines_of(made)) BOOST_TEST((known.count(line) == 1), line);
  for (const ProbeRow& row : rows) BOOST_TEST(row.ok(), row.probe << " " << row.case_name);
}

const char* const kProbe = R"(
experiment: example
buffers: {m: {size: $size}}
phases: [{pattern: stream_store, buffer: m}]
probe:
  parameters: {size: 1 MiB, other: 3}
  full: {other: 4}
  references:
    a: {value: 1, tolerance: 0, source: X, kind: prediction}
  cards:
    tiny:
      parameters: {size: 2 KiB}
      references:
        a: {value: 2, tolerance: 0, source: Y, kind: prediction}
    else: {}
)";

ProbeFile file_of(const std::string& text, bool full = false, std::vector<std::string> set = {}) {
  const TempFolder folder;
  Diagnostics mistakes;
  const DocumentOverrides overrides = DocumentOverrides::take(set, mistakes);
  return read_probe_file(folder.file("probe.yaml", text), full, overrides);
}

std::string parameter(const ProbeFile& file, const std::string& name) {
  const YamlNode* found = file.parameters.find(name);
  return found == nullptr ? "" : override_text(*found);
}

}  // namespace

BOOST_AUTO_TEST_CASE(another_card_has_its_own_parameters_and_references) {
  ProbeFile own = file_of(kProbe, true);
  BOOST_TEST(own.reference("a")->value == 1);
  BOOST_TEST(own.parameters.find("size")->text == "1 MiB");
  ProbeFile tiny = own, unknown = own;
  tiny.adapt_to("tiny");
  BOOST_TEST(tiny.reference("a")->value == 2);
  BOOST_TEST(tiny.parameters.find("size")->text == "2 KiB");
  BOOST_TEST(tiny.parameters.find("other")->text == "4");  // of --full
  unknown.adapt_to("a card of which the file says nothing");
  BOOST_TEST(unknown.references.empty());
  BOOST_TEST(unknown.parameters.find("size")->text == "1 MiB");
}

BOOST_AUTO_TEST_CASE(what_the_user_sets_holds_over_the_cards_and_the_full_parameters) {
  ProbeFile file = file_of(kProbe, true, {"probe.parameters.size=1 MiB", "probe.parameters.other=5"});
  file.adapt_to("tiny");
  BOOST_TEST(parameter(file, "size") == "1 MiB");  // the file's own value, wanted all the same
  BOOST_TEST(parameter(file, "other") == "5");
  ProbeFile later = file_of(kProbe);
  later.set_parameter("other", *file.parameters.find("other"));
  later.set_parameter("size", *file.parameters.find("size"));
  later.adapt_to("tiny");
  BOOST_TEST(parameter(later, "size") == "1 MiB");
  std::string lists = kProbe;
  lists.replace(lists.find("{size: 2 KiB}"), 13, "{other: [7, 8]}");
  lists.replace(lists.find("other: 3"), 8, "other: [3]");
  ProbeFile item = file_of(lists, false, {"probe.parameters.other.0=9"});
  item.adapt_to("tiny");
  BOOST_TEST(parameter(item, "other") == "[9, 8]");
}

BOOST_AUTO_TEST_CASE(a_parameter_that_the_probe_does_not_have_is_refused) {
  BOOST_CHECK_EXCEPTION(file_of(kProbe, false, {"probe.parameters.sise=1 MiB"}), ConfigError, [](const auto& e) {
    return std::string(e.what()).find("probe.parameters.sise: the probe has no such parameter; did you mean size") !=
           std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(references_that_hold_on_every_card_stay) {
  std::string text = kProbe;
  text.insert(text.find("  cards:"), "  every_card: true\n");
  ProbeFile file = file_of(text);
  file.adapt_to("else");
  BOOST_TEST(file.reference("a")->value == 1);
  file.adapt_to("tiny");
  BOOST_TEST(file.reference("a")->value == 2);  // what the card's own part says goes first
}

BOOST_AUTO_TEST_CASE(a_cards_part_with_an_unknown_parameter_or_key_is_refused) {
  const auto refused = [](const std::string& what, const std::string& by, const std::string& wanted) {
    std::string text = kProbe;
    text.replace(text.find(what), what.size(), by);
    try {
      file_of(text);
      BOOST_ERROR("is read: " + by);
    } catch (const ConfigError& e) {
      BOOST_TEST(std::string(e.what()).find(wanted) != std::string::npos, e.what());
    }
  };
  refused("{size: 2 KiB}", "{sise: 2 KiB}", "is no parameter");
  refused("else: {}", "else: {parametres: {}}", "parametres");
  refused("  cards:", "  every_card: perhaps\n  cards:", "every_card");
}

BOOST_AUTO_TEST_CASE(a_configuration_of_the_same_name_is_the_probes_own_card) {
  const ProbeFile latency = find_probe_file("latency", false);
  BOOST_TEST(is_own_card(latency, ProbeOptions{}));
  BOOST_TEST(is_own_card(latency, on("rtx4090")));
  const TempFolder dir;
  BOOST_TEST(is_own_card(latency, on(dir.file("mine.yaml", "base: rtx4090\nl2: {ways: 8}\n"))));
  BOOST_TEST(!is_own_card(latency, on("l40")));
}

BOOST_AUTO_TEST_CASE(every_card_that_a_probe_speaks_of_is_shipped) {
  std::set<std::string> names;
  for (const std::string& card : list_yaml(kConfigFolder)) names.insert(Config::load(card).name);
  unsigned parts = 0;
  for (const ProbeFunction& probe : probe_functions())
    for (const ProbeCard& card : find_probe_file(probe.name, false).cards) {
      BOOST_TEST((names.count(card.name) == 1), probe.name << ": " << card.name);
      ++parts;
    }
  BOOST_TEST(parts >= 5U);
}

// The references of these are sums made by hand, with no tolerance.
BOOST_AUTO_TEST_CASE(the_teaching_cards_latencies_are_those_of_mental_arithmetic) {
  std::map<std::string, double> latency;
  for (const ProbeRow& row : run_probe("latency", on("teach"))) {
    BOOST_TEST(row.ok(), row.case_name);
    latency[row.case_name] = row.value.value_or(0);
  }
  BOOST_TEST(latency.at("l1") == 10.0);
  BOOST_TEST(latency.at("l2") == 10.0 + 15 + 20 + 15);
  BOOST_TEST(latency.at("dram") == 60.0 + 8 + 10 + 10 + 4 + 8);
  BOOST_TEST(latency.at("dram,translation") == 5.0);
}

BOOST_AUTO_TEST_CASE(what_quick_probes_give_on_other_cards_stands_in_the_document) {
  stands_in_the_document("l40", {"slice-balance"});
  stands_in_the_document("rtx4080", {"slice-balance"});
  stands_in_the_document("teach", {"latency"});
}

BOOST_AUTO_TEST_CASE(random_programs_on_other_cards_are_clean) {
  for (const char* card : {"teach", "l40", "rtx4080", "a100"}) {
    const StressResult r = run_in_child(draw_stress_case(1, card), card, 60);
    BOOST_TEST(r.legal, card << ": " << r.refusal);
    BOOST_TEST(r.problem == "", card << ": " << r.problem);
  }
}

BOOST_AUTO_TEST_CASE(message_passing_on_other_cards_shows_nothing_forbidden) {
  const auto tests = parse_litmus_tests(
      "name: mp\nplacement: same GPU, diff CTA: P0 / P1\nP0: st.weak x 1; fence.sc.gpu; st.relaxed.gpu y 1\n"
      "P1: ld.relaxed.gpu y r1; fence.sc.gpu; ld.weak x r2\ncondition: P1:r1=1 & P1:r2=0\nverdict: forbidden\n",
      "mp");
  for (const char* card : {"teach", "l40", "a100"}) {
    // In a child: the runner elaborates the card.
    const auto result = ChildProcess([&]() -> nlohmann::json {
                          LitmusOptions options;
                          options.runs = 5;
                          options.seed = 3;
                          options.check_protocol = true;
                          nlohmann::json outcome;
                          run_litmus_tests(
                              tests, Config::load(card), options,
                              [&](std::size_t i, const LitmusOutcome& o) {
                                outcome = {{"runs", o.runs}, {"ok", o.ok(tests[i])}, {"witness", o.witness}};
                              },
                              [] { return true; });
                          return outcome;
                        }).result();
    BOOST_TEST(result.at("runs").get<unsigned>() == 5U, card);
    BOOST_TEST(result.at("ok").get<bool>(), card << "\n" << result.at("witness").get<std::string>());
  }
}
