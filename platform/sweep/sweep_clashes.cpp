// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/sweep_clashes.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "gputlm/config/document_overrides.h"

namespace gputlm {

namespace {

constexpr std::size_t kMostColumns = 2000;   // SQLITE_MAX_COLUMN
constexpr const char* kCardStep = "config";  // of an experiment: what a parameter `config` changes

std::string without_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// One leads to the other's value, or to something in it.
bool meet(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return b.substr(0, a.size()) == a && (a.size() == b.size() || b[a.size()] == '.');
}

std::vector<std::string> places_of(const SweepParameter& p, const YamlNode& document) {
  if (p.target == SweepTarget::card) return {kCardStep};
  if (p.target == SweepTarget::value) return {};  // the schema knows each value by one path
  return DocumentOverrides::places(document, p.path);
}

}  // namespace

void check_columns(const SweepFile& sweep, Diagnostics& diagnostics) {
  std::set<std::string> taken{"point", "state"};
  const auto take = [&](const std::string& name, const Place& place) {
    if (!taken.insert(without_case(name)).second)
      diagnostics.add(place, excerpt(name), "another column of the table has the same name", {},
                      "names that differ by more than case from each other, from point and from state");
  };
  for (const SweepParameter& p : sweep.parameters) take(p.path, p.place);
  for (const StatisticChoice& s : sweep.statistics) take(s.name, s.place);
  if (taken.size() > kMostColumns)
    diagnostics.add(sweep.place, "parameters", "the table has too many columns", std::to_string(taken.size()),
                    std::to_string(kMostColumns) + " at most, point and state among them");
}

void check_one_path_each(const SweepFile& sweep, const YamlNode& document, Diagnostics& diagnostics) {
  std::vector<std::pair<std::string, const SweepParameter*>> taken;
  for (const SweepParameter& p : sweep.parameters) {
    const std::vector<std::string> places = places_of(p, document);
    for (const std::string& place : places) {
      const auto other =
          std::find_if(taken.begin(), taken.end(), [&](const auto& known) { return meet(known.first, place); });
      if (other == taken.end()) continue;
      diagnostics.add(p.place, p.path, "changes the same value as another parameter", other->second->path);
      break;
    }
    for (const std::string& place : places) taken.emplace_back(place, &p);
  }
}

}  // namespace gputlm
