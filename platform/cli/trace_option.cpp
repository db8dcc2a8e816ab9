// SPDX-License-Identifier: Apache-2.0
#include "trace_option.h"

#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/ostream.h>

#include "common_options.h"
#include "gputlm/config/diagnostics.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/tlm/wait_list.h"
#include "gputlm/trace/background_sink.h"
#include "gputlm/trace/csv_writer.h"
#include "gputlm/trace/perfetto_writer.h"
#include "gputlm/trace/sqlite_writer.h"

namespace gputlm {

void TraceOption::add_to(CLI::App& app) {
  const CLI::Validator named = not_empty("FILE");
  const std::string group = "Recording (docs/trace.md)";
  app.add_option("--trace", json_, "Record transactions for the Perfetto UI (JSON)")->check(named)->group(group);
  app.add_option("--trace-db", database_, "Record them as an SQLite database; see gputlm trace")
      ->check(named)
      ->group(group);
  app.add_option("--trace-csv", csv_, "Record their hops as comma-separated values")->check(named)->group(group);
  app.add_option("--vcd", vcd_, "Record queues and states for GTKWave")->check(named)->group(group);
  app.add_option("--vcd-signals", signals_,
                 "Which of them: patterns with commas between, e.g. 'sm[0-3].*,controller*.write_backlog'")
      ->check(named)
      ->group(group);
  app.add_option("--trace-window", window_, "BEGIN:END, times with units: record only what begins in between")
      ->group(group);
  app.add_option("--trace-filter", filter_, "Record only this, e.g. 'sm==3 && op==store && address>=0x7f4000000000'")
      ->group(group);
}

std::string TraceOption::given() const {
  const std::pair<const char*, const std::string*> all[] = {
      {"--trace", &json_},          {"--trace-db", &database_},   {"--trace-csv", &csv_},      {"--vcd", &vcd_},
      {"--vcd-signals", &signals_}, {"--trace-window", &window_}, {"--trace-filter", &filter_}};
  std::string names;
  for (const auto& [name, text] : all)
    if (!text->empty()) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

void TraceOption::check_files(const std::vector<std::string>& inputs, Diagnostics& mistakes) const {
  std::map<std::filesystem::path, const char*> taken;  // by the files themselves, not by what they are called
  const std::pair<const char*, const std::string*> files[] = {
      {"--trace", &json_}, {"--trace-db", &database_}, {"--trace-csv", &csv_}, {"--vcd", &vcd_}};
  for (const auto& [option, file] : files) {
    if (file->empty()) continue;
    std::error_code failed;
    const std::filesystem::path real = std::filesystem::weakly_canonical(*file, failed);
    const auto [other, first] = taken.emplace(failed ? std::filesystem::path(*file) : real, option);
    if (!first) mistakes.add({*file}, {}, std::string("named by ") + other->second + " and by " + option);
    gather(mistakes, [&f = *file, &inputs] { check_output_file(f, inputs); });
  }
}

VcdSelection TraceOption::selected_signals(const Config& config) const {
  return signals_.empty() ? VcdSelection() : VcdSelection::parse(signals_, config, "--vcd-signals");
}

void TraceOption::prepare(const std::vector<std::string>& inputs, const Config* config) {
  Diagnostics mistakes;
  if (!window_.empty()) gather(mistakes, [&] { selection_.window = parse_trace_window(window_, "--trace-window"); });
  if (!filter_.empty()) gather(mistakes, [&] { selection_.filter = TraceFilter::parse(filter_, "--trace-filter"); });
  if (!signals_.empty() && config != nullptr) gather(mistakes, [&] { selected_signals(*config); });
  if (vcd_.empty() && !signals_.empty()) mistakes.add({}, "--vcd-signals", "nothing is dumped", {}, "with --vcd");
  if (!recorded() && !filter_.empty())
    mistakes.add({}, "--trace-filter", "nothing is recorded", {}, "with --trace, --trace-db or --trace-csv");
  if (!recorded() && vcd_.empty() && !window_.empty())
    mistakes.add({}, "--trace-window", "nothing is recorded", {}, "with --trace, --trace-db, --trace-csv or --vcd");
  check_files(inputs, mistakes);
  mistakes.throw_if_any();
}

void TraceOption::attach(JudgedGpu& machine, const std::function<void(TraceRecorder&)>& more) {
  if (!vcd_.empty()) {
    // SystemC would tell on the standard output which unit of time it writes.
    sc_core::sc_report_handler::set_actions("default timescale unit used for tracing", sc_core::SC_INFO,
                                            sc_core::SC_DO_NOTHING);
    changes_ = std::make_unique<VcdWriter>("vcd", vcd_, machine.gpu, selection_.window,
                                           selected_signals(machine.gpu.config()));
  }
  if (!recorded()) return;
  recorder_ = std::make_unique<TraceRecorder>(machine, selection_);
  if (more) more(*recorder_);
  const auto write = [this](std::unique_ptr<TraceSink> file) {
    recorder_->add(std::make_unique<BackgroundSink>(std::move(file)));
  };
  if (!json_.empty()) write(std::make_unique<PerfettoWriter>(json_));
  if (!database_.empty()) write(std::make_unique<SqliteWriter>(database_, machine.gpu));
  if (!csv_.empty()) write(std::make_unique<CsvWriter>(csv_));
}

void TraceOption::finish(std::ostream& out) {
  if (recorder_) recorder_->finish();
  if (changes_) changes_->finish();
  note_what_is_missing(out);
  changes_.reset();
}

void TraceOption::note_what_is_missing(std::ostream& out) const {
  const bool happened = (recorder_ && recorder_->happened()) || (changes_ && changes_->happened());
  if (!window_.empty() && (recorder_ || changes_) && !happened)
    fmt::print(out, "gputlm: nothing happens in --trace-window {}: the run ends at {}\n", window_, ns_text(now()));
  else if (recorder_ && recorder_->recorded() == 0)
    fmt::print(out, "gputlm: nothing that happens in the window is what --trace-filter keeps\n");
  if (!recorder_) return;
  const TraceLoss& loss = recorder_->loss();
  if (loss.any())
    fmt::print(out,
               "gputlm: the recording is full ({} hops and events): {} transactions and {} events from {} on were left "
               "out; --trace-window and --trace-filter narrow it\n",
               selection_.most, loss.transactions, loss.events, ns_text(loss.since));
}

}  // namespace gputlm
