// SPDX-License-Identifier: Apache-2.0
#include "launch_session.h"

#include <iostream>
#include <memory>

#include <fmt/ostream.h>

#include "commands.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/config/show.h"
#include "gputlm/launch/launch_run.h"
#include "gputlm/report/run_pictures.h"
#include "gputlm/system/output_directory.h"
#include "gputlm/system/summary.h"
#include "gputlm/version.h"
#include "input_files.h"
#include "status_line.h"

namespace gputlm {
namespace {

constexpr const char *kConfiguration = "config.yaml", *kExperiment = "experiment.yaml", *kStatistics = "stats.json",
                     *kSummary = "summary.json";

Json summary_of(const LaunchSession& session, const Config& config, const LaunchResult& result) {
  Json summary{{"version", GPUTLM_VERSION_STRING}, {"experiment", session.name}, {"config", session.configuration},
               {"set", session.overrides},         {"timing", config.timing},    {"seed", session.spec.seed}};
  summary.update(json_of(result));
  return summary;
}

void write_results(const OutputDirectory& out, const LaunchSession& session, const Config& config,
                   const HostedGpu& machine, const Json& pictures, const Json& summary) {
  out.replace({{kConfiguration, [&](std::ostream& o) { show_yaml(o, config); }},
               {kExperiment, [&](std::ostream& o) { o << session.experiment_text; }},
               {kStatistics, [&](std::ostream& o) { o << make_statistics(machine.gpu).dump(1) << '\n'; }},
               {kPicturesFile, [&](std::ostream& o) { o << pictures.dump() << '\n'; }},
               {kSummary, [&](std::ostream& o) { o << text_of(summary); }}});
}

bool as_expected(const LaunchResult& result) {
  bool right = result.problems.empty();
  for (const ReadBack& r : result.reads) right = right && r.mismatches == 0;
  return right;
}

void show_progress(const StatusLine& line, const HostedGpu& machine) {
  if (!line.visible()) return;
  line.show(fmt::format("{:.1f} us, {} blocks on SMs", to_ns(now()) / 1e3, machine.blocks_on_sms()));
}

/// The kernel as a trace names it.
TracegHeader header_of(const LaunchSpec& spec, const SassCode& code, const SassSpec& windows) {
  TracegHeader h;
  h.kernel = spec.kernel;
  h.id = 1;
  h.grid = {spec.grid.x, spec.grid.y, spec.grid.z};
  h.block = {spec.block.x, spec.block.y, spec.block.z};
  h.shared_bytes = static_cast<std::uint32_t>(spec.shared_bytes);
  h.registers = code.registers();
  h.binary_version = 89;
  h.shared_base = windows.shared_window;
  h.local_base = windows.local_window;
  return h;
}

LaunchResult simulate(HostedGpu& machine, const LaunchSpec& spec, std::unique_ptr<SassCode> code) {
  const StatusLine line;
  machine.keep_going = [&] {
    show_progress(line, machine);
    return !stop_requested();
  };
  return LaunchRun(machine, spec, std::move(code)).run();
}

}  // namespace

void listen_to_link(TraceRecorder& recorder, HostedGpu& machine) {
  for (unsigned i = 0; i < machine.host.link.device.size(); ++i)
    recorder.listen(machine.host.link.device[i]->arrow, TraceUnit::host, i, fmt::format("PCIe link port {}", i));
}

int run_launch(LaunchSession& session, const Config& config) {
  std::unique_ptr<SassCode> code = code_of(session.spec, config);
  BuildOptions build;
  build.check_protocol = session.check;
  Diagnostics mistakes;
  std::vector<std::string> inputs = input_files(session.experiment_file, session.spec);
  add_input_files(inputs, config);
  if (session.dump) gather(mistakes, [&] { check_output_file(*session.dump, inputs); });
  gather(mistakes, [&] { session.trace.prepare(inputs, &config); });
  gather(mistakes, [&] { session.capture.prepare(inputs); });
  mistakes.throw_if_any();
  HostedGpu machine(config, build);
  // Not before the launch has been accepted: one that is refused leaves earlier results alone.
  std::optional<OutputDirectory> out;
  if (session.out)
    out.emplace(*session.out,
                std::vector<std::string>{kConfiguration, kExperiment, kStatistics, kPicturesFile, kSummary});
  PushbufferDump dump;
  if (session.dump) machine.driver.keep(dump);
  session.trace.attach(machine, [&](TraceRecorder& recorder) { listen_to_link(recorder, machine); });
  const TracegHeader header = header_of(session.spec, *code, config.sass);
  session.capture.attach(machine, {header}, {});
  std::optional<RunPictures> pictures;
  if (out) pictures.emplace(machine);
  const LaunchResult result = simulate(machine, session.spec, std::move(code));
  if (session.dump) dump.write(*session.dump);
  const Json summary = summary_of(session, config, result);
  if (out) write_results(*out, session, config, machine, pictures->document(), summary);
  session.trace.finish(std::cerr);
  session.capture.finish(result.complete && result.problems.empty());
  if (session.format == "json") {
    std::cout << text_of(summary);
  } else {
    print_launch(std::cout, result);
    if (config.loosely_timed()) std::cout << kLooseNote;
    if (out) fmt::print(std::cout, "\n  results in {}\n", out->path().string());
  }
  for (const std::string& problem : result.problems) fmt::print(std::cerr, "gputlm: {}\n", problem);
  if (!result.complete) {
    fmt::print(std::cerr, "gputlm: stopped by {}; what was measured is marked incomplete\n", stop_name());
    return 128 + stop_signal();
  }
  return as_expected(result) ? kDone : kFound;
}

}  // namespace gputlm
