// SPDX-License-Identifier: Apache-2.0
//
// Directories of runs and sweeps as reports read them: one file of an otherwise right directory has the fuzzer's text.
// The text's first line names the file.
#include <algorithm>
#include <array>
#include <filesystem>

#include "gputlm/report/report_page.h"
#include "gputlm/test_support/temp_folder.h"

#include "fuzz_target.h"

namespace {

using gputlm::test::TempFolder;

/// A run's directory; the configuration has a target of its own.
struct Run {
  const TempFolder folder;
  Run() {
    folder.file("config.yaml", "base: tiny\n");
    folder.file("experiment.yaml", "experiment: one\n");
    for (const char* name : {"summary.json", "stats.json"}) restore(name);
  }
  void restore(const std::string& name) const {
    if (name == "summary.json")
      folder.file(name, R"({"version": "1", "experiment": "one", "seed": 1, "complete": true})");
    else if (name == "stats.json")
      folder.file(name, R"({"gpu": {"sm0": {"lsu": {"stores": {"value": 1, "unit": "", "description": ""}}}}})");
    else
      std::filesystem::remove(folder.path(name));
  }
};

}  // namespace

void gputlm::fuzz(const std::string& text) {
  static const Run run;
  static const std::array<std::string, 6> names{"summary.json",   "stats.json",   "pictures.json",
                                                "timeseries.csv", "journey.json", "sweep.json"};
  const std::size_t end = std::min(text.find('\n'), text.size());
  const auto* const name = std::find(names.begin(), names.end(), text.substr(0, end));
  if (name == names.end()) return;
  run.folder.file(*name, text.substr(std::min(end + 1, text.size())));
  struct Restore {
    const std::string& name;
    ~Restore() { run.restore(name); }
  } const restore{*name};
  report_page({run.folder.path()}, "1");
}
