// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/statistic.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "gputlm/config/quantity.h"
#include "gputlm/sweep/sweep_parameter.h"

namespace gputlm {

namespace {

constexpr const char* kKey = "statistics";
constexpr const char* kPhasePrefix = "phases.";

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

/// The node at a path below another, as far as it leads: `rest` is what is left of the path.
const Json* walk(const Json& root, std::string_view path, std::string_view& rest) {
  const Json* node = &root;
  while (!path.empty()) {
    const std::string step(path.substr(0, path.find('.')));
    const Json* next = nullptr;
    if (node->is_object() && node->contains(step)) next = &(*node)[step];
    if (node->is_array())
      if (const auto number = parse_count(step); number && number.value < node->size()) next = &(*node)[number.value];
    if (next == nullptr) break;
    node = next;
    path.remove_prefix(std::min(path.size(), step.size() + 1));
  }
  rest = path;
  return node;
}

/// Of a number in summary.json, whose keys say it.
std::string unit_of_key(std::string_view path) {
  if (path.find("_ns") != std::string_view::npos) return "ns";
  if (path.find("peak_bytes_per") != std::string_view::npos) return "GB/s";
  return path.find("bytes") != std::string_view::npos ? "B" : "";
}

/// Reads the list; what a name may be depends on what runs.
class ChoiceReader {
 public:
  ChoiceReader(const std::string& file, bool probe, Diagnostics& diagnostics)
      : file_(file), probe_(probe), diagnostics_(diagnostics) {}

  void read(const YamlNode& item, const std::string& path) {
    const Place place{file_, item.line, item.column};
    StatisticChoice choice;
    choice.place = place;
    if (item.kind == YamlNode::Kind::scalar) {
      choice.path = choice.name = item.text;
      check(place, path, choice.path);
    } else {
      YamlReader reader(item, path, file_, diagnostics_);
      if (reader.text("path", choice.path)) check(reader.place_of("path"), reader.path_of("path"), choice.path);
      choice.name = choice.path;
      reader.text("name", choice.name, kOptional);
      std::string unit;
      if (reader.text("unit", unit, kOptional)) choice.unit = unit;
      reader.choice("better", choice.better, {"higher", "lower"}, kOptional);
      reader.finish();
    }
    choices_.push_back(std::move(choice));
  }

  std::vector<StatisticChoice> finish() { return std::move(choices_); }

 private:
  void check(const Place& place, const std::string& at, const std::string& path) {
    if (probe_) return;  // its cases are known when it has run
    const std::vector<std::string> names = statistic_names();
    if (std::find(names.begin(), names.end(), path) != names.end()) return;
    for (const char* prefix : {kSummaryPrefix, kStatsPrefix, kPhasePrefix})
      if (begins(path, prefix)) return;
    diagnostics_.add(place, at, "no statistic has this name" + did_you_mean(path, names), excerpt(path),
                     join_names(names) + ", phases.NAME.FIGURE, summary.PATH, stats.PATH");
  }

  const std::string& file_;
  bool probe_;
  Diagnostics& diagnostics_;
  std::vector<StatisticChoice> choices_;
};

}  // namespace

std::string Statistic::column() const {
  return column_name(name, unit);
}

std::vector<StatisticChoice> read_statistic_choices(YamlReader& root, const std::string& file, bool probe,
                                                    Diagnostics& diagnostics) {
  const YamlNode* node = root.node(kKey, kOptional);
  if (node == nullptr) return {};
  if (node->kind != YamlNode::Kind::list || node->items.empty())
    root.error(kKey, "must be a list of names or of maps with path, name, unit and better", node->describe());
  ChoiceReader reader(file, probe, diagnostics);
  for (std::size_t i = 0; node->kind == YamlNode::Kind::list && i < node->items.size(); ++i)
    reader.read(node->items[i], fmt::format("{}[{}]", kKey, i));
  return reader.finish();
}

std::vector<Statistic> probe_statistics(const Json& rows) {
  std::vector<Statistic> list;
  for (const Json& row : rows) {
    if (!row["value"].is_number()) continue;
    list.push_back({row["case"].get<std::string>(), row["unit"].get<std::string>(), "", "A case of the probe",
                    row["value"].get<double>()});
  }
  return list;
}

std::optional<Statistic> summary_statistic(const Json& summary, const std::string& path) {
  std::string_view rest;
  const Json* node = walk(summary, path, rest);
  if (!rest.empty() || !node->is_number()) return {};
  return Statistic{kSummaryPrefix + path, unit_of_key(path), "", "Of summary.json", node->get<double>()};
}

std::optional<Statistic> tree_statistic(const Json& stats, const std::string& path) {
  std::string_view rest;
  const Json* node = walk(stats, path, rest);
  if (!node->is_object() || !node->contains("value") || !node->contains("unit")) return {};
  const Json* value = &(*node)["value"];
  if (value->is_object()) {
    const std::string part = rest.empty() ? "mean" : std::string(rest);
    if (!value->contains(part)) return {};
    value = &(*value)[part];
  } else if (!rest.empty()) {
    return {};
  }
  if (!value->is_number()) return {};
  return Statistic{kStatsPrefix + path, (*node)["unit"].get<std::string>(), "",
                   (*node)["description"].get<std::string>(), value->get<double>()};
}

}  // namespace gputlm
