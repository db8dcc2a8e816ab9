// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/ostream.h>

#include "capture_option.h"
#include "commands.h"
#include "common_options.h"
#include "coverage_option.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/figure_text.h"
#include "gputlm/coverage/coverage_collector.h"
#include "gputlm/replay/kernel_list.h"
#include "gputlm/replay/line_counter.h"
#include "gputlm/replay/replay_experiment.h"
#include "gputlm/report/run_pictures.h"
#include "gputlm/version.h"
#include "input_files.h"
#include "run_loop.h"
#include "status_line.h"
#include "trace_option.h"

namespace gputlm {
namespace {

/// Of a thread block's instructions, while it runs; what is more goes to a temporary file.
constexpr std::uint64_t kTapeMemory = std::uint64_t{256} << 20;

struct ReplayOptions {
  std::string trace, config = kDefaultConfig, format = "text", out = "runs/replay";
  std::vector<std::string> overrides;
  std::uint64_t seed = 1;
  bool check = false, live = false, lenient = false;
  CoverageOption coverage;
  TraceOption recording;
  CaptureOption capture;
};

/// Reads the whole trace, with a line that says how far it has come.
ReplayTrace survey(const ReplayOptions& options, const Config& config) {
  constexpr std::chrono::milliseconds kBetween{100};
  const StatusLine line;
  auto shown = std::chrono::steady_clock::now();
  return survey_trace(options.trace, options.lenient, {config.mmu.page_bytes, config.memory_bytes()},
                      [&](const SurveyProgress& p) {
                        const auto now = std::chrono::steady_clock::now();
                        if (line.visible() && now - shown >= kBetween) {
                          shown = now;
                          line.show(fmt::format("reading {}, {}", p.file, size_text(static_cast<double>(p.bytes))));
                        }
                        return !stop_requested();
                      });
}

/// What of the trace was run, and what left the SMs for it.
Json counts(const ReplayTrace& trace, const Simulation& simulation, const ReplayState& state,
            const LineCounter& lines) {
  KernelCounters sum;
  std::uint64_t blocks = 0, warps = 0, copied = 0;
  for (const Phase& phase : simulation.workload.phases())
    for (const auto& kernel : phase.kernels) {
      const KernelCounters& c = kernel->counters;
      sum.loads += c.loads, sum.stores += c.stores, sum.atomics += c.atomics, sum.fences += c.fences;
      blocks += kernel->shape().grid;
      warps += kernel->shape().warps();
    }
  for (const ReplayCopy& copy : trace.copies) copied += copy.bytes;
  return Json{{"kernels", trace.kernels.size()},
              {"blocks", blocks},
              {"warps", warps},
              {"instructions", state.counters.instructions},
              {"global_loads", sum.loads},
              {"global_stores", sum.stores},
              {"global_atomics", sum.atomics},
              {"on_chip_accesses", state.counters.shared},
              {"fences", sum.fences},
              {"barriers", state.counters.barriers},
              {"lines_loaded", lines.loaded().lines},
              {"lines_stored", lines.stored().lines},
              {"lines_atomic", lines.atomics().lines},
              {"sectors_loaded", lines.loaded().sectors},
              {"sectors_stored", lines.stored().sectors},
              {"sectors_atomic", lines.atomics().sectors},
              {"copies", trace.copies.size()},
              {"copied_bytes", copied},
              {"pages", trace.pages.size()},
              {"skipped", trace.skipped}};
}

void print_counts(std::ostream& out, const Json& j) {
  const auto count = [&](const char* key) { return fmt::format("{}", j.at(key).get<std::uint64_t>()); };
  out << '\n';
  print_figure(out, "kernels", count("kernels"), count("blocks") + " thread blocks of " + count("warps") + " warps");
  print_figure(out, "instructions", count("instructions"), "of warps, as the trace has them");
  print_figure(out, "global loads", count("global_loads"),
               count("lines_loaded") + " line requests of " + count("sectors_loaded") + " sectors");
  print_figure(out, "global stores", count("global_stores"),
               count("lines_stored") + " line requests of " + count("sectors_stored") + " sectors");
  print_figure(out, "global atomics", count("global_atomics"),
               count("lines_atomic") + " line requests of " + count("sectors_atomic") + " sectors");
  print_figure(out, "fences", count("fences"), "MEMBAR, and CCTL.IVALL on its own");
  print_figure(out, "skipped", count("skipped"), "damaged lines and kernels");
}

void print_skipped(const ReplayTrace& trace) {
  if (trace.skipped == 0) return;
  fmt::print(std::cerr, "{}\ngputlm: {} mistakes in the trace were skipped\n", trace.damage.text(), trace.skipped);
}

/// As the kernels are run: blocks that are missing are not there.
std::vector<TracegHeader> headers_of(const ReplayTrace& trace) {
  std::vector<TracegHeader> headers;
  for (const ReplayedKernel& k : trace.kernels) {
    headers.push_back(k.header);
    if (k.blocks != k.header.grid.count()) headers.back().grid = {static_cast<std::uint32_t>(k.blocks), 1, 1};
  }
  return headers;
}

std::vector<std::string> inputs_of(const std::string& list, const ReplayTrace& trace) {
  std::vector<std::string> files{list};
  for (const ReplayedKernel& k : trace.kernels) files.push_back(k.file);
  return files;
}

int replay(ReplayOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Diagnostics mistakes;
  options.trace = find_shipped(options.trace, kTraceFolder, kTraceExtension, {}, mistakes);
  std::optional<Config> config;
  gather(mistakes, [&] { config = Config::load(options.config, options.overrides); });
  mistakes.throw_if_any();
  const ReplayTrace trace = survey(options, *config);
  std::vector<std::string> inputs = inputs_of(options.trace, trace);
  add_input_files(inputs, *config);
  gather(mistakes, [&] { options.recording.prepare(inputs, &*config); });
  gather(mistakes, [&] { options.coverage.prepare(inputs); });
  gather(mistakes, [&] { options.capture.prepare(inputs); });
  mistakes.throw_if_any();
  ReplayState state(kTapeMemory);
  const Experiment experiment = make_replay_experiment(trace, *config, options.seed, state);
  BuildOptions build;
  build.check_protocol = options.check;
  Simulation simulation(experiment, *config, build);
  LineCounter lines;
  simulation.lsu_observers.add(lines);
  // Not before the trace has been accepted: one that is refused leaves earlier results alone.
  const OutputDirectory out(options.out, run_files());
  std::optional<CoverageCollector> collector;
  if (options.coverage.wanted()) collector.emplace(simulation);
  options.recording.attach(simulation);
  options.capture.attach(simulation, headers_of(trace), trace.copies);
  RunPictures pictures(simulation);
  const Verdict verdict = run_to_end(simulation, options.live, [&] { return state.failure.has_value(); });
  if (state.failure) throw ConfigError(*state.failure);
  RunRecord record{GPUTLM_VERSION_STRING, options.config, options.overrides, 0};
  record.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (collector) options.coverage.add(collector->collect());
  Json summary = make_summary(experiment, simulation, verdict, record);
  summary["trace"] = options.trace;
  summary.update(counts(trace, simulation, state, lines));
  write_run(out, simulation, {"# gputlm replay " + options.trace + "\n", pictures.document(), Json(), summary});
  options.recording.finish(std::cerr);
  options.capture.finish(verdict.end == RunEnd::complete);
  if (options.format == "json") {
    std::cout << text_of(summary);
  } else {
    print_summary(std::cout, summary);
    print_counts(std::cout, summary);
    fmt::print(std::cout, "\n  results in {}\n", out.path().string());
  }
  options.coverage.finish(options.format == "json" ? std::cerr : std::cout);
  print_skipped(trace);
  print_problems(verdict, out);
  return exit_code(verdict);
}

int replay_or_stop(ReplayOptions& options) {
  try {
    return replay(options);
  } catch (const SurveyStopped&) {
    fmt::print(std::cerr, "gputlm: stopped by {} before the trace was read; nothing was written\n", stop_name());
    return 128 + stop_signal();
  }
}

}  // namespace

void add_replay_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* replay_app =
      app.add_subcommand("replay", "Run an Accel-Sim / NVBit trace, or one written by hand (see docs/replay.md)");
  const CLI::Validator named = not_empty("TEXT");
  replay_app
      ->add_option("trace", options->trace,
                   "kernelslist.g, a kernel's .traceg (or .traceg.xz), a text of accesses, or a shipped trace by name")
      ->required();
  replay_app->add_option("--config", options->config, "Configuration, name or file")
      ->check(named)
      ->capture_default_str();
  add_overrides(*replay_app, options->overrides);
  replay_app->add_option("--out", options->out, "Directory for the results")->check(named)->capture_default_str();
  add_seed(*replay_app, "Of what memory holds and of what is stored (default: 1)",
           [options](std::uint64_t seed) { options->seed = seed; });
  replay_app->add_option("--format", options->format, "What to print")->check(CLI::IsMember({"text", "json"}));
  replay_app->add_flag("--lenient", options->lenient, "Skip and count what is damaged instead of refusing the trace");
  replay_app->add_flag(
      "--check", options->check,
      "A base-protocol checker on every arrow, a command checker on every DRAM channel, a judge of fences");
  replay_app->add_flag("--live", options->live, "Show the key series as the run goes, on the standard error");
  options->coverage.add_to(*replay_app);
  options->recording.add_to(*replay_app);
  options->capture.add_to(*replay_app);
  replay_app->callback([&action, options] { action = [options] { return replay_or_stop(*options); }; });
}

}  // namespace gputlm
