// SPDX-License-Identifier: Apache-2.0
#include "gputlm/report/run_folder.h"

#include <algorithm>
#include <sstream>
#include <system_error>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/config/show.h"
#include "gputlm/report/frame_series.h"
#include "gputlm/report/json_document.h"
#include "gputlm/report/run_pictures.h"

namespace gputlm {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostRows = 1500;

[[noreturn]] void refuse(const fs::path& what, const std::string& why, const std::string& allowed = {}) {
  Diagnostics mistakes;
  mistakes.add({what.string()}, {}, why, {}, allowed);
  throw ConfigError(mistakes);
}

bool there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

Json read_summary(const fs::path& folder) {
  if (!there(folder))
    refuse(folder, "there is no such directory", "an output directory of gputlm run (a launch experiment included)");
  const fs::path file = folder / "summary.json";
  if (!there(file))
    refuse(folder, "is no run's directory: it holds no summary.json",
           "an output directory of gputlm run (a launch experiment included)");
  Json summary = read_json_object(file.string());
  const Json none;
  for (const char* key : {"version", "experiment"})
    if (!summary.value(key, none).is_string()) refuse(file, std::string("is no run's summary: no ") + key);
  for (const char* key : {"seed", "complete"})
    if (!summary.contains(key)) refuse(file, std::string("is no run's summary: no ") + key);
  return summary;
}

/// Every parameter with its value and where it comes from.
Json read_configuration(const fs::path& folder) {
  std::ostringstream text;
  show_json(text, Config::load((folder / "config.yaml").string()));
  Json rows = Json::parse(text.str());
  for (Json& row : rows) {
    row.erase("origin");  // a place in somebody's files
    row.erase("allowed");
  }
  return rows;
}

Json read_series(const fs::path& folder) {
  const fs::path file = folder / "timeseries.csv";
  if (!there(file)) return nullptr;  // of a launch
  Json columns = columns_of(read_input_file(file.string(), kLargestReportInput), kMostRows);
  if (columns.is_null()) refuse(file, "is no whole time series");
  return columns;
}

Json read_pictures(const fs::path& folder) {
  const fs::path file = folder / kPicturesFile;
  if (!there(file)) return nullptr;  // of an earlier version
  Json pictures = read_json_object(file.string());
  if (pictures.value("format", Json()) != kPicturesFormat)
    refuse(file, "is of another form than this version's", std::to_string(kPicturesFormat));
  try {
    thin_frames(pictures.at("frames"));
    for (const char* key : {"distributions", "set"}) pictures.at(key);
  } catch (const std::exception& e) {
    refuse(file, std::string("is not whole: ") + e.what());
  }
  return pictures;
}

bool is_journey(const Json& journey) {
  const Json none, stations = journey.value("stations", none);
  return stations.is_array() && std::all_of(stations.begin(), stations.end(), [&](const Json& s) {
           return s.is_object() && s.value("unit", none).is_string() && s.value("event", none).is_string() &&
                  s.value("time_ns", none).is_number();
         });
}

/// What gputlm follow has written there.
Json read_journeys(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("journey", 0) == 0 && entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  Json journeys = Json::array();
  for (const fs::path& file : files) {
    journeys.push_back(read_json_object(file.string()));
    if (!is_journey(journeys.back())) refuse(file, "is no journey of gputlm follow");
  }
  return journeys;
}

}  // namespace

Json read_run_folder(const fs::path& folder) {
  Json run{{"directory", folder.string()}};
  run["summary"] = read_summary(folder);
  run["seed"] = run["summary"]["seed"].dump();  // beyond what a page's numbers hold
  run["statistics"] = by_kind(read_json_object((folder / "stats.json").string()));
  run["configuration"] = read_configuration(folder);
  run["experiment"] = read_input_file((folder / "experiment.yaml").string(), kLargestReportInput);
  run["series"] = read_series(folder);
  run["pictures"] = read_pictures(folder);
  run["journeys"] = read_journeys(folder);
  return run;
}

}  // namespace gputlm
