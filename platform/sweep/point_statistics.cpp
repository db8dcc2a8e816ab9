// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "gputlm/sweep/results_table.h"
#include "gputlm/sweep/whole_file.h"

namespace gputlm {

namespace {

namespace fs = std::filesystem;

Json read_whole_json(const fs::path& file) {
  std::optional<Json> document = read_json(file);
  if (!document) throw std::runtime_error(file.string() + " is not whole");
  return std::move(*document);
}

bool begins_with(const std::string& text, const char* with) {
  return text.compare(0, std::strlen(with), with) == 0;
}

/// The files of a run, read when they are asked for.
class PointFiles {
 public:
  explicit PointFiles(const fs::path& run) : run_(run), summary_(read_whole_json(run / "summary.json")) {}

  std::vector<Statistic> headline() const { return headline_statistics(summary_); }

  std::optional<Statistic> find(const std::string& path) {
    if (begins_with(path, kSummaryPrefix)) return summary_statistic(summary_, path.substr(std::strlen(kSummaryPrefix)));
    if (begins_with(path, kStatsPrefix)) {
      if (stats_.is_null()) stats_ = read_whole_json(run_ / "stats.json");
      return tree_statistic(stats_, path.substr(std::strlen(kStatsPrefix)));
    }
    return named(named_statistics(summary_), path);
  }

  static std::optional<Statistic> named(const std::vector<Statistic>& all, const std::string& name) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Statistic& s) { return s.name == name; });
    return found == all.end() ? std::nullopt : std::optional<Statistic>(*found);
  }

 private:
  fs::path run_;
  Json summary_, stats_;
};

template <class Find>
std::vector<Statistic> chosen(const std::vector<StatisticChoice>& choices, Find find) {
  std::vector<Statistic> list;
  for (const StatisticChoice& choice : choices) {
    std::optional<Statistic> found = find(choice.path);
    if (!found) continue;
    found->name = choice.name;
    if (choice.unit) found->unit = *choice.unit;
    if (!choice.better.empty()) found->better = choice.better;
    list.push_back(std::move(*found));
  }
  return list;
}

}  // namespace

std::vector<Statistic> point_statistics(const SweepFile& file, const fs::path& folder) {
  if (file.probe) {
    std::vector<Statistic> rows = probe_statistics(read_whole_json(folder / kPointRows));
    if (file.statistics.empty()) return rows;
    return chosen(file.statistics, [&](const std::string& path) { return PointFiles::named(rows, path); });
  }
  PointFiles files(folder / kPointRun);
  if (file.statistics.empty()) return files.headline();
  return chosen(file.statistics, [&](const std::string& path) { return files.find(path); });
}

}  // namespace gputlm
