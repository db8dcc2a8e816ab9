// SPDX-License-Identifier: Apache-2.0
#include "gputlm/report/report_page.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "gputlm/config/diagnostics.h"
#include "gputlm/report/frame_series.h"
#include "gputlm/report/page_parts.h"
#include "gputlm/report/run_folder.h"
#include "gputlm/report/sweep_folder.h"

namespace gputlm {
namespace {

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

void check_number(std::size_t runs) {
  Diagnostics mistakes;
  if (runs > kMostRuns)
    mistakes.add({}, "RUN", "too many runs for one report", std::to_string(runs), fmt::format("1 to {}", kMostRuns));
  mistakes.throw_if_any();
}

/// Leaves out every second frame of the run that has the most.
bool thin_longest(Json& runs) {
  const auto frames_of = [](Json& run) -> Json* {
    return run["pictures"].is_null() ? nullptr : &run["pictures"]["frames"];
  };
  Json* longest = nullptr;
  for (Json& run : runs)
    if (Json* frames = frames_of(run); frames != nullptr)
      if (longest == nullptr || (*frames)["list"].size() > (*longest)["list"].size()) longest = frames;
  constexpr std::size_t kFewest = 8;
  if (longest == nullptr || (*longest)["list"].size() <= kFewest) return false;
  *longest = thin_frames(*longest);
  return true;
}

std::string title_of(const std::vector<std::string>& names) {
  std::string title;
  for (const std::string& name : names) title += (title.empty() ? "" : " and ") + name;
  return title;
}

/// Puts texts in place of marks, which stand in the page in this order; what is put in is not searched.
std::string fill(std::string_view page, const std::vector<std::pair<std::string_view, std::string_view>>& texts) {
  std::string filled;
  for (const auto& [mark, text] : texts) {
    const std::size_t at = page.find(mark);
    filled.append(page.substr(0, at)).append(text);
    page.remove_prefix(at + mark.size());
  }
  return filled.append(page);
}

}  // namespace

std::string page_json(const Json& document) {
  const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  // Of what may stand in JSON, only this can end a script or begin a comment; outside of texts it does not occur.
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

namespace {

/// `script`: the part of the page that draws the data.
std::string filled_page(const std::string& title, const std::string& json, std::string_view library,
                        std::string_view script) {
  return fill(page_part("page"), {{"{{title}}", html_text(title)},
                                  {"{{style}}", page_part("style")},
                                  {"{{data}}", json},
                                  {"{{library}}", library},
                                  {"{{script}}", script}});
}

std::string page_of_runs(const std::vector<std::filesystem::path>& folders, const std::string& version) {
  Json data{{"version", version}, {"runs", Json::array()}};
  Diagnostics mistakes;
  for (const auto& folder : folders) gather(mistakes, [&] { data["runs"].push_back(read_run_folder(folder)); });
  mistakes.throw_if_any();
  std::vector<std::string> names;
  for (const Json& run : data["runs"]) names.push_back(run["summary"]["experiment"]);
  std::string json = page_json(data);
  while (json.size() > kPageBytes && thin_longest(data["runs"])) json = page_json(data);
  return filled_page(title_of(names), json, page_part("library"), page_part("script"));
}

std::string page_of_sweeps(const std::vector<std::filesystem::path>& folders, const std::string& version) {
  Json data{{"version", version}, {"sweeps", Json::array()}};
  Diagnostics mistakes;
  for (const auto& folder : folders) gather(mistakes, [&] { data["sweeps"].push_back(read_sweep_folder(folder)); });
  mistakes.throw_if_any();
  std::vector<std::string> names;
  for (const Json& sweep : data["sweeps"]) names.push_back(sweep["sweep"]);
  return filled_page(title_of(names), page_json(data), {}, page_part("sweep_script"));
}

}  // namespace

std::string report_page(const std::vector<std::filesystem::path>& folders, const std::string& version) {
  check_number(folders.size());
  std::error_code ignored;
  const auto swept = [&](const std::filesystem::path& folder) {
    return std::filesystem::exists(folder / kSweepFile, ignored);
  };
  const auto sweeps = std::count_if(folders.begin(), folders.end(), swept);
  if (sweeps == 0) return page_of_runs(folders, version);
  Diagnostics mistakes;
  for (const auto& folder : folders)
    if (!swept(folder))
      mistakes.add({folder.string()}, {}, "is no sweep's directory, as another one of this report is", {},
                   "runs alone, or sweeps alone");
  mistakes.throw_if_any();
  return page_of_sweeps(folders, version);
}

}  // namespace gputlm
