// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "gputlm/config/plain_text.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/litmus/litmus_test.h"
#include "gputlm/litmus/program_reader.h"

namespace gputlm {
namespace {

constexpr std::size_t kColumns = 7;
constexpr std::size_t kLargestFile = std::size_t{64} << 20;
// A CTA's warps must fit an SM, and a person must be able to read the outcome.
constexpr std::size_t kMostThreads = 8, kMostInstructions = 64, kMostLocations = 16;

/// One text of a test and where it stands; a program that is written in lines has several places, one a thread.
struct Field {
  std::string text;
  std::vector<Place> places;

  const Place& place(std::size_t part = 0) const { return places[std::min(part, places.size() - 1)]; }
};

enum Column : std::size_t { kSection, kName, kPlacement, kProgram, kCondition, kVerdict, kSeen };
constexpr std::array<const char*, kColumns> kKeys{"section",   "name",    "placement", "program",
                                                  "condition", "verdict", "seen"};
// A name is matched with a regular expression, whose recursion grows with it.
constexpr std::array<std::size_t, kColumns> kLongest{200, 200, 1000, 16384, 16384, 200, 1000};

/// A test's texts in the order of the table's columns.
using Fields = std::array<Field, kColumns>;

bool has_variable(const LitmusTest& test, const LitmusVariable& v) {
  if (v.thread < 0)
    return std::any_of(test.locations.begin(), test.locations.end(),
                       [&](const LitmusLocation& l) { return l.name == v.name; });
  const auto thread = static_cast<std::size_t>(v.thread);
  if (thread >= test.threads.size()) return false;
  const auto& all = test.threads[thread].registers;
  return std::find(all.begin(), all.end(), v.name) != all.end();
}

// `broken`: the threads with mistakes, which may have what is missing.
void check_variables(const LitmusTest& test, const std::vector<std::size_t>& broken,
                     std::vector<std::string>& problems) {
  for (const LitmusVariable& v : test.condition.variables()) {
    const bool unsure =
        v.thread < 0 ? !broken.empty()
                     : std::find(broken.begin(), broken.end(), static_cast<std::size_t>(v.thread)) != broken.end();
    if (!unsure && !has_variable(test, v)) problems.push_back("condition: the program has no " + v.text());
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

/// Adds problems with the name of the test.
class Reporter {
 public:
  Reporter(Diagnostics& diagnostics, const std::string& name)
      : diagnostics_(diagnostics), name_(name.empty() ? "test" : excerpt(name)) {}
  void add(const Place& place, std::string problem) { diagnostics_.add(place, name_, std::move(problem)); }
  void add(const Place& place, std::vector<std::string>& problems) {
    for (std::string& p : problems) add(place, std::move(p));
    problems.clear();
  }

 private:
  Diagnostics& diagnostics_;
  std::string name_;
};

void check_lengths(const Fields& f, Reporter& report) {
  for (std::size_t i = 0; i < kColumns; ++i)
    if (f[i].text.size() > kLongest[i])
      report.add(f[i].place(), std::string(kKeys[i]) + " is longer than " + std::to_string(kLongest[i]) + " bytes");
}

void read_threads(const Field& program, LitmusTest& test, std::vector<std::size_t>& broken, Reporter& report) {
  std::vector<std::string> problems;
  read_program(program.text, test, problems, broken);
  for (std::size_t i = 0; i < problems.size(); ++i) report.add(program.place(broken[i]), std::move(problems[i]));
  problems.clear();
  check_size(test, problems);
  report.add(program.place(), problems);
}

void read_condition(const Field& condition, const std::vector<std::size_t>& broken, LitmusTest& test,
                    Reporter& report) {
  std::string problem;
  std::vector<std::string> problems;
  test.condition = Condition::parse(condition.text, problem);
  if (problem.empty())
    check_variables(test, broken, problems);
  else
    problems.push_back("condition: " + problem);
  report.add(condition.place(), problems);
}

LitmusTest make_test(const Fields& f, const Place& place, Diagnostics& diagnostics) {
  Reporter report(diagnostics, f[kName].text);
  const std::size_t before = diagnostics.count();
  LitmusTest test;
  check_lengths(f, report);
  if (diagnostics.count() != before) return test;
  test.section = f[kSection].text;
  test.name = f[kName].text;
  test.placement = f[kPlacement].text;
  test.program = f[kProgram].text;
  test.condition_text = f[kCondition].text;
  test.seen = f[kSeen].text;
  test.place = place;
  if (test.name.empty()) report.add(f[kName].place(), "has no name");
  std::vector<std::size_t> broken;
  read_threads(f[kProgram], test, broken, report);
  std::vector<std::string> problems;
  read_placement(test.placement, test, problems);
  report.add(f[kPlacement].place(), problems);
  read_condition(f[kCondition], broken, test, report);
  const std::string& verdict = f[kVerdict].text;
  if (verdict != "forbidden" && verdict != "allowed")
    report.add(f[kVerdict].place(), "verdict '" + excerpt(verdict) + "' is neither forbidden nor allowed");
  test.verdict = verdict == "forbidden" ? LitmusVerdict::forbidden : LitmusVerdict::allowed;
  return test;
}

/// Where `part` of `line` begins.
Place place_in(const std::string& file, unsigned number, const std::string& line, std::string_view part) {
  const bool inside = !part.empty();
  return {file, number, inside ? static_cast<unsigned>(part.data() - line.data()) + 1 : 1};
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
    Fields f;
    for (std::size_t i = 0; i < kColumns; ++i) f[i] = {std::string(c[i]), {place_in(file, number, line, c[i])}};
    tests.push_back(make_test(f, place, diagnostics));
  }
  return tests;
}

// A thread's line: P0: ..., P1: ...
bool names_thread(const std::string& key) {
  return key.size() > 1 && key[0] == 'P' && key.find_first_not_of("0123456789", 1) == std::string::npos;
}

/// Takes in the lines of a one-test file.
class SingleReader {
 public:
  SingleReader(const std::string& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  void take(unsigned number, const std::string& line) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text[0] == '#') return;
    const std::size_t colon = text.find(':');
    const std::string key(trimmed(text.substr(0, colon)));
    const Place place = place_in(file_, number, line, text);
    const auto* const known = std::find(kKeys.begin(), kKeys.end(), key);
    if (colon == std::string_view::npos || (known == kKeys.end() && !names_thread(key))) {
      diagnostics_.add(place, "", "no key of a litmus test", excerpt(text),
                       "section, name, placement, program (or P0, P1, ...), condition, verdict, seen");
      return;
    }
    const bool thread = known == kKeys.end();
    Field& field = fields_[thread ? kProgram : static_cast<std::size_t>(known - kKeys.begin())];
    const bool mixed = !field.places.empty() && (!thread || keys_.count(kKeys[kProgram]) != 0);
    const bool again = !keys_.insert(key).second;
    if (again || mixed) {
      diagnostics_.add(place, "", again ? "given twice" : "the program is given in two forms", key);
      return;
    }
    if (thread) field.text += (field.text.empty() ? "" : " || ") + std::string(text);
    if (!thread) field.text = std::string(trimmed(text.substr(colon + 1)));
    field.places.push_back(thread ? place : place_in(file_, number, line, trimmed(text.substr(colon + 1))));
  }

  LitmusTest finish() {
    for (Field& f : fields_)
      if (f.places.empty()) f.places.push_back({file_, 1, 1});
    return make_test(fields_, {file_, 1, 1}, diagnostics_);
  }

 private:
  const std::string& file_;
  Diagnostics& diagnostics_;
  Fields fields_;
  std::set<std::string> keys_;
};

std::vector<LitmusTest> read_single(std::istream& in, const std::string& file, Diagnostics& diagnostics) {
  SingleReader reader(file, diagnostics);
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) reader.take(number, line);
  return {reader.finish()};
}

// What a terminal or JSON could not take.
void check_text(const std::string& text, const std::string& file) {
  const TextFault fault = find_text_fault(text);
  if (!fault) return;
  const auto line =
      static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(fault.at), '\n')) + 1;
  const std::size_t begin = text.rfind('\n', fault.at) + 1;  // npos + 1 is the first line's beginning
  Diagnostics diagnostics;
  diagnostics.add({file, line, static_cast<unsigned>(fault.at - begin) + 1}, "",
                  std::string("not a text file: ") + fault.problem);
  diagnostics.throw_if_any();
}

}  // namespace

const char* name_of(LitmusVerdict verdict) {
  return verdict == LitmusVerdict::forbidden ? "forbidden" : "allowed";
}

std::vector<LitmusTest> parse_litmus_tests(const std::string& text, const std::string& file) {
  check_text(text, file);
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
