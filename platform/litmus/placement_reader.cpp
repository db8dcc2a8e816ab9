// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gputlm/config/quantity.h"
#include "gputlm/litmus/program_reader.h"

namespace gputlm {
namespace {

constexpr std::string_view kForms =
    "'1 thread', 'same CTA: P0,P1', 'same GPU, diff CTA: P0 / P1', 'same GPU, mixed CTA: P0,P1 / P2', 'diff GPU: P0 / "
    "P1' or 'threads per CTA: 0_12'";

bool starts_with(std::string_view text, std::string_view what) {
  return text.substr(0, what.size()) == what;
}

void add_thread(std::vector<unsigned>& cta, std::string_view number, const LitmusTest& test,
                std::vector<std::string>& problems) {
  const Parsed<std::uint64_t> n = parse_count(number);
  if (!n || n.value >= test.threads.size())
    problems.push_back("placement names thread '" + excerpt(number) + "', which the program does not have");
  else
    cta.push_back(static_cast<unsigned>(n.value));
}

// `P0,P1 / P2`
void read_list(std::string_view list, LitmusTest& test, std::vector<std::string>& problems) {
  for (const std::string_view group : split(list, "/")) {
    std::vector<unsigned> cta;
    for (const std::string_view thread : split(group, ","))
      add_thread(cta, starts_with(thread, "P") ? thread.substr(1) : thread, test, problems);
    test.ctas.push_back(std::move(cta));
  }
}

// `0_12`
void read_digits(std::string_view digits, LitmusTest& test, std::vector<std::string>& problems) {
  for (const std::string_view group : split(digits, "_")) {
    std::vector<unsigned> cta;
    for (std::size_t i = 0; i < group.size(); ++i) add_thread(cta, group.substr(i, 1), test, problems);
    test.ctas.push_back(std::move(cta));
  }
}

int location_named(const LitmusTest& test, std::string_view name) {
  const auto at = std::find_if(test.locations.begin(), test.locations.end(),
                               [&](const LitmusLocation& l) { return l.name == name; });
  return at == test.locations.end() ? -1 : static_cast<int>(at - test.locations.begin());
}

// `y virtual alias of x` or `a1 and a2 virtual aliases`
void read_alias(std::string_view text, LitmusTest& test, std::vector<std::string>& problems) {
  const std::vector<std::string_view> one = split(text, " virtual alias of ");
  std::vector<std::string_view> both = split(text, " and ");
  constexpr std::string_view kEnd = " virtual aliases";
  int alias = -1, original = -1;
  if (one.size() == 2) {
    alias = location_named(test, one[0]);
    original = location_named(test, one[1]);
  } else if (both.size() == 2 && both[1].size() > kEnd.size()) {
    original = location_named(test, both[0]);
    alias = location_named(test, both[1].substr(0, both[1].size() - kEnd.size()));
  }
  if (alias < 0 || original < 0 || alias == original || test.locations[static_cast<unsigned>(original)].alias_of >= 0)
    problems.push_back("'" + excerpt(text) + "' is neither 'X virtual alias of Y' nor 'X and Y virtual aliases' of " +
                       "two locations of the program");
  else
    test.locations[static_cast<unsigned>(alias)].alias_of = original;
}

void check_each_once(const LitmusTest& test, std::vector<std::string>& problems) {
  std::vector<unsigned> placed(test.threads.size());
  for (const auto& cta : test.ctas)
    for (const unsigned thread : cta) ++placed[thread];
  for (std::size_t i = 0; i < placed.size(); ++i)
    if (placed[i] != 1)
      problems.push_back("placement must name thread " + std::to_string(i) + " once, not " + std::to_string(placed[i]) +
                         " times");
}

}  // namespace

void read_placement(std::string_view placement, LitmusTest& test, std::vector<std::string>& problems) {
  std::string_view where = placement, extra;
  const std::size_t semicolon = placement.find(';');
  const std::size_t comma = placement.find(',');
  if (semicolon != std::string_view::npos) {
    where = trimmed(placement.substr(0, semicolon));
    extra = trimmed(placement.substr(semicolon + 1));
  } else if (starts_with(placement, "1 thread") && comma != std::string_view::npos) {
    where = trimmed(placement.substr(0, comma));
    extra = trimmed(placement.substr(comma + 1));
  }
  const std::size_t colon = where.find(':');
  const std::string_view form = where.substr(0, colon);
  const std::string_view list = colon == std::string_view::npos ? std::string_view() : trimmed(where.substr(colon + 1));
  const std::size_t before = problems.size();
  if (form == "1 thread")
    test.ctas = {{0}};
  else if (form == "threads per CTA")
    read_digits(list, test, problems);
  else if (form == "same CTA" || form == "same GPU, diff CTA" || form == "same GPU, mixed CTA" || form == "diff GPU")
    read_list(list, test, problems);
  else
    problems.push_back("placement '" + excerpt(placement) + "' not known (" + std::string(kForms) + ")");
  if (form == "diff GPU") test.skip_reason = "needs a second GPU; the platform has one";
  if (problems.size() == before) check_each_once(test, problems);
  if (!extra.empty()) read_alias(extra, test, problems);
}

}  // namespace gputlm
