// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/ostream.h>

#include "commands.h"
#include "common_options.h"
#include "gputlm/config/diagnostics.h"
#include "gputlm/config/figure_text.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/report/report_page.h"
#include "gputlm/version.h"
#include "input_files.h"

namespace gputlm {
namespace {

struct ReportOptions {
  std::vector<std::filesystem::path> runs;
  std::string output = "report.html";
};

/// What is read in the runs' directories, where an earlier report may lie, too.
std::vector<std::string> inputs_of(const std::vector<std::filesystem::path>& runs) {
  std::vector<std::string> files;
  for (const std::filesystem::path& run : runs) {
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(run, failed))
      if (entry.path().extension() != ".html") files.push_back(entry.path().string());
    const std::filesystem::path config = run / "config.yaml";
    Diagnostics told_elsewhere;
    gather(told_elsewhere, [&] { add_input_files(files, Config::load(config.string())); });
  }
  return files;
}

int report(const ReportOptions& o) {
  Diagnostics mistakes;
  std::string page;
  gather(mistakes, [&] { page = report_page(o.runs, GPUTLM_VERSION_STRING); });
  gather(mistakes, [&] { check_output_file(o.output, inputs_of(o.runs)); });
  mistakes.throw_if_any();
  if (!replace_file(o.output, page)) throw std::runtime_error("cannot write " + o.output);
  fmt::print(std::cout, "{}: {}, {}; open it in a browser\n", o.output,
             o.runs.size() == 1 ? "one directory" : fmt::format("{} directories", o.runs.size()),
             size_text(static_cast<double>(page.size())));
  return kDone;
}

}  // namespace

void add_report_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* report_app = app.add_subcommand("report",
                                            "Pictures of a run, of several in comparison, or of sweeps, as one HTML "
                                            "file that works offline (docs/report.md)");
  report_app
      ->add_option(
          "run", options->runs,
          fmt::format(
              "Output directories of gputlm run (a launch experiment included), up to {}; several are compared. Or "
              "directories of gputlm sweep",
              kMostRuns))
      ->required();
  const CLI::Validator named = not_empty("FILE");
  report_app->add_option("-o,--out", options->output, "The file")->check(named)->capture_default_str();
  report_app->callback([&action, options] { action = [options] { return report(*options); }; });
}

}  // namespace gputlm
