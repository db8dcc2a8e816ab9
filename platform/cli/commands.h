// SPDX-License-Identifier: Apache-2.0
//
// The subcommands of gputlm. Each adds its options to the parser and leaves a function that runs it.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace gputlm {

/// Exit codes of the command; a run that was stopped ends with 128 + the signal.
inline constexpr int kDone = 0, kFound = 1, kBadInput = 2;

/// Set by a subcommand when it was chosen; returns the exit code.
using Action = std::function<int()>;

void add_run_command(CLI::App& app, Action& action);
void add_config_command(CLI::App& app, Action& action);
void add_probe_command(CLI::App& app, Action& action);
void add_bench_command(CLI::App& app, Action& action);
void add_list_command(CLI::App& app, Action& action);
/// A line for each probe.
void list_probes();
void add_litmus_command(CLI::App& app, Action& action);
void add_stress_command(CLI::App& app, Action& action);
void add_coverage_command(CLI::App& app, Action& action);
void add_launch_command(CLI::App& app, Action& action);
void add_decode_command(CLI::App& app, Action& action);
void add_follow_command(CLI::App& app, Action& action);
void add_trace_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, Action& action);
void add_replay_command(CLI::App& app, Action& action);
void add_calibrate_command(CLI::App& app, Action& action);
void add_sweep_command(CLI::App& app, Action& action);

/// From now on the first SIGINT (Ctrl-C), SIGTERM or SIGHUP asks to stop, the second one ends the process at once.
void watch_signals();
/// The signal with which the user has asked to stop; 0: not yet.
int stop_signal();
inline bool stop_requested() {
  return stop_signal() != 0;
}
/// What it is to people: Ctrl-C, or the signal's description.
const char* stop_name();

}  // namespace gputlm
