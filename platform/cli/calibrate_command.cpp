// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/ostream.h>

#include "commands.h"
#include "common_options.h"
#include "gputlm/calibrate/calibration_report.h"
#include "gputlm/calibrate/fitted_config.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/system/summary.h"
#include "status_line.h"

namespace gputlm {
namespace {

struct CalibrateOptions {
  EvaluationOptions run;
  std::string targets, out, format = "table";
  std::size_t budget = 200;
  bool resume = false;
};

/// What a calibration leaves, beside each other.
struct Outputs {
  std::string config, text, json, journal;

  explicit Outputs(const std::string& out) : config(out) {
    std::filesystem::path base(out);
    if (base.extension() == kYamlExtension) base.replace_extension();
    text = base.string() + ".report.txt";
    json = base.string() + ".report.json";
    journal = base.string() + ".journal";
  }
  void check(const std::vector<std::string>& inputs) const {
    for (const std::string& file : {config, text, json, journal}) check_output_file(file, inputs);
  }
};

std::string default_out(const std::string& config) {
  return std::filesystem::path(config).stem().string() + "-fitted" + kYamlExtension;
}

void write(const std::string& file, const std::string& content) {
  if (!replace_file(file, content)) throw std::runtime_error(file + ": cannot be written");
}

/// The configuration comes last: where it is, the report is too.
void write_results(const Outputs& outputs, const TargetsFile& targets, const EvaluationOptions& run,
                   const Calibration& result) {
  std::ostringstream text;
  print_report(text, targets, run.config, result);
  write(outputs.text, text.str());
  write(outputs.json, text_of(report_json(targets, run.config, result)));
  write(outputs.config, fitted_config(targets, run, result));
}

void print_result(const CalibrateOptions& options, const Outputs& outputs, const TargetsFile& targets,
                  const Calibration& result) {
  if (options.format == "json") {
    std::cout << text_of(report_json(targets, options.run.config, result));
    return;
  }
  print_report(std::cout, targets, options.run.config, result);
  fmt::print(std::cout, "\nconfiguration in {}, report in {} and {}, evaluations in {}\n", outputs.config, outputs.text,
             outputs.json, outputs.journal);
}

void tell_of_earlier(const Journal& journal) {
  if (journal.dropped() > 0)
    fmt::print(std::cerr, "gputlm: {} evaluations of an earlier calibration in {} are dropped (--resume goes on)\n",
               journal.dropped(), journal.file());
  if (journal.taken_over() > 0)
    fmt::print(std::cerr, "gputlm: goes on with the {} evaluations in {}\n", journal.taken_over(), journal.file());
}

int calibrate(CalibrateOptions& options) {
  Diagnostics mistakes;
  std::optional<TargetsFile> targets;
  std::optional<Config> start;
  gather(mistakes, [&] { targets = read_targets(options.targets); });
  gather(mistakes, [&] { start = Config::load(options.run.config, options.run.overrides); });
  mistakes.throw_if_any();
  const Outputs outputs(options.out.empty() ? default_out(options.run.config) : options.out);
  outputs.check({targets->file, find_yaml(options.run.config, kConfigFolder)});
  Journal journal(outputs.journal, journal_subject(*targets, *start), options.resume);
  tell_of_earlier(journal);
  const StatusLine status;
  options.run.keep_going = [] { return !stop_requested(); };
  options.run.progress = [&](std::size_t evaluations) {
    status.show(fmt::format("{} of at most {} evaluations", evaluations, options.budget));
  };
  try {
    const Calibration result = calibrate(*targets, *start, options.run, journal, options.budget);
    status.clear();
    write_results(outputs, *targets, options.run, result);
    print_result(options, outputs, *targets, result);
    return result.met(*targets) ? kDone : kFound;
  } catch (const CalibrationStopped&) {
    status.clear();
    fmt::print(std::cerr, "gputlm: stopped by {}; the evaluations in {} are kept, --resume goes on with them\n",
               stop_name(), journal.file());
  } catch (const NoStart& e) {
    status.clear();
    fmt::print(std::cerr, "gputlm: {}\n", e.what());
  }
  return kFound;
}

}  // namespace

void add_calibrate_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<CalibrateOptions>();
  options->run.jobs = std::max(1U, std::thread::hardware_concurrency());
  CLI::App* c = app.add_subcommand("calibrate", "Fit parameters so that probes meet measured values");
  const CLI::Validator named = not_empty("TEXT");
  c->add_option("config", options->run.config, "Configuration, name or file, to start from")->required()->check(named);
  c->add_option("--targets", options->targets, "What to fit to what, name or file (docs/calibrate.md)")
      ->required()
      ->check(named);
  c->add_option("--out", options->out,
                "The new configuration (default: CONFIG-fitted.yaml); report and evaluations go beside it")
      ->check(named);
  add_overrides(*c, options->run.overrides);
  c->add_option("--jobs", options->run.jobs, "Evaluations at a time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  constexpr std::size_t kMostBudget = 1'000'000;
  c->add_option("--budget", options->budget, "Most evaluations of the model")
      ->check(CLI::Range(kLeastBudget, kMostBudget))
      ->capture_default_str();
  c->add_flag("--resume", options->resume, "Go on with the evaluations of a calibration that was stopped");
  c->add_option("--format", options->format, "What to print")->check(CLI::IsMember({"table", "json"}));
  c->callback([&action, options] { action = [options] { return calibrate(*options); }; });
}

}  // namespace gputlm
