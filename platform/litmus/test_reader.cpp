// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <sstream>

#include "gputlm/config/regular_file.h"
#include "gputlm/litmus/litmus_test.h"
#include "gputlm/litmus/program_reader.h"

namespace gputlm {
namespace {

constexpr std::size_t kColumns = 7;
constexpr std::size_t kLargestFile = std::size_t{64} << 20;
// A CTA's warps must fit an SM, and a person must be able to read the outcome.
constexpr std::size_t kMostThreads = 8, kMostInstructions = 64, kMostLocations = 16;

/// A test's texts in the order of the table's columns.
struct Fields {
  std::string section, name, placement, program, condition, verdict, seen;
};

void check_variables(const LitmusTest& test, std::vector<std::string>& problems) {
  for (const LitmusVariable& v : test.condition.variables()) {
    bool known = false;
    if (v.thread < 0)
      for (const LitmusLocation& l : test.locations) known = known || l.name == v.name;
    else if (static_cast<std::size_t>(v.thread) < test.threads.size())
      for (const std::string& r : test.threads[static_cast<std::size_t>(v.thread)].registers)
        known = known || r == v.name;
    if (!known) problems.push_back("condition: the program has no " + v.text());
  }
}

void check_size(const LitmusTest& test, std::vector<std::string>& problems) {
  if (test.threads.size() > kMostThreads)
    problems.push_back("has more than " + std::to_string(kMostThreads) + " threads");
  if (test.locations.size() > kMostLocations)
    problems.push_back("has more than " + std::to_string(kMostLocations) + " locations");
  for (const LitmusThread& t : test.threads)
    if (t.instructions.size() > kMostInstructions)
      problems.push_back("has a thread of more than " + std::to_string(kMostInstructions) + " instructions");
}

LitmusTest make_test(const Fields& f, const Place& place, Diagnostics& diagnostics) {
  LitmusTest test;
  test.section = f.section;
  test.name = f.name;
  test.placement = f.placement;
  test.program = f.program;
  test.condition_text = f.condition;
  test.seen = f.seen;
  test.place = place;
  std::vector<std::string> problems;
  if (f.name.empty()) problems.emplace_back("has no name");
  read_program(f.program, test, problems);
  read_placement(f.placement, test, problems);
  std::string problem;
  test.condition = Condition::parse(f.condition, problem);
  if (!problem.empty()) problems.push_back("condition: " + problem);
  if (f.verdict != "forbidden" && f.verdict != "allowed")
    problems.push_back("verdict '" + excerpt(f.verdict) + "' is neither forbidden nor allowed");
  test.verdict = f.verdict == "forbidden" ? LitmusVerdict::forbidden : LitmusVerdict::allowed;
  if (problems.empty()) {
    check_size(test, problems);
    check_variables(test, problems);
  }
  for (std::string& p : problems) diagnostics.add(place, f.name.empty() ? "test" : excerpt(f.name), std::move(p));
  return test;
}

std::vector<LitmusTest> read_table(std::istream& in, const std::string& file, Diagnostics& diagnostics) {
  std::vector<LitmusTest> tests;
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    if (number == 1 || trimmed(line).empty()) continue;  // the header
    const std::vector<std::string_view> c = split(line, "\t");
    const Place place{file, number, 1};
    if (c.size() != kColumns) {
      diagnostics.add(place, "", "wrong number of columns", std::to_string(c.size()),
                      "7: section, name, placement, program, condition, verdict, seen on silicon");
      continue;
    }
    const auto text = [&](std::size_t i) { return std::string(c[i]); };
    tests.push_back(make_test({text(0), text(1), text(2), text(3), text(4), text(5), text(6)}, place, diagnostics));
  }
  return tests;
}

// A thread's line: P0: ..., P1: ...
bool names_thread(const std::string& key) {
  return key.size() > 1 && key[0] == 'P' && key.find_first_not_of("0123456789", 1) == std::string::npos;
}

std::vector<LitmusTest> read_single(std::istream& in, const std::string& file, Diagnostics& diagnostics) {
  Fields f;
  const std::map<std::string, std::string*> keys = {
      {"section", &f.section}, {"name", &f.name},           {"placement", &f.placement},
      {"program", &f.program}, {"condition", &f.condition}, {"verdict", &f.verdict},
      {"seen", &f.seen}};
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text[0] == '#') continue;
    const std::size_t colon = text.find(':');
    const std::string key(trimmed(text.substr(0, colon)));
    const auto known = keys.find(key);
    if (colon != std::string_view::npos && names_thread(key))
      f.program += (f.program.empty() ? "" : " || ") + std::string(text);
    else if (colon == std::string_view::npos || known == keys.end())
      diagnostics.add({file, number, 1}, "", "no key of a litmus test", excerpt(text),
                      "section, name, placement, program (or P0, P1, ...), condition, verdict, seen");
    else
      *known->second = std::string(trimmed(text.substr(colon + 1)));
  }
  return {make_test(f, {file, 1, 1}, diagnostics)};
}

}  // namespace

const char* name_of(LitmusVerdict verdict) {
  return verdict == LitmusVerdict::forbidden ? "forbidden" : "allowed";
}

std::vector<LitmusTest> parse_litmus_tests(const std::string& text, const std::string& file) {
  Diagnostics diagnostics;
  std::istringstream in(text);
  const bool table = text.substr(0, text.find('\n')).find('\t') != std::string::npos;
  std::vector<LitmusTest> tests = table ? read_table(in, file, diagnostics) : read_single(in, file, diagnostics);
  if (tests.empty() && diagnostics.empty()) diagnostics.add({file, 0, 0}, "", "holds no litmus test");
  diagnostics.throw_if_any();
  return tests;
}

std::vector<LitmusTest> read_litmus_tests(const std::string& file) {
  return parse_litmus_tests(read_input_file(file, kLargestFile), file);
}

std::string litmus_text(const LitmusTest& test) {
  std::string text = "name: " + test.name + "\nsection: " + test.section + "\nplacement: " + test.placement + "\n";
  for (const std::string_view thread : split(test.program, "||")) text += std::string(thread) + "\n";
  return text + "condition: " + test.condition_text + "\nverdict: " + name_of(test.verdict) + "\nseen: " + test.seen +
         "\n";
}

}  // namespace gputlm
