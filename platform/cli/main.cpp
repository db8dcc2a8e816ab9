// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "commands.h"
#include "gputlm/config/diagnostics.h"
#include "gputlm/process/child_process.h"
#include "gputlm/tlm/host_memory.h"
#include "gputlm/tlm/systemc_guard.h"
#include "gputlm/version.h"

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 done; 1 a mismatch, a fault, a stall or a missed reference; 2 bad input or output that cannot be "
    "written;\n"
    "130 stopped by Ctrl-C, 143 by SIGTERM (what was measured is written and marked incomplete).\n"
    "./gputlm test, of the launcher in the source tree, builds and runs all tests.";

// A file that the run opens must not take the place of a closed standard stream.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1) ::open("/dev/null", O_RDONLY);
}

/// The exit code, when everything printed has also arrived.
int after_output(int code) {
  std::cout.flush();
  if (gputlm::stop_requested() && code != gputlm::kDone) return 128 + gputlm::stop_signal();
  if (std::cout) return code;
  std::cerr << "gputlm: cannot write to the standard output\n";
  return code == gputlm::kDone ? gputlm::kBadInput : code;
}

/// What is wrong with the first argument when it should name a subcommand and does not; else empty.
std::string unknown_subcommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string> names;
  for (const CLI::App* subcommand : app.get_subcommands({})) names.push_back(subcommand->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return {};
  return fmt::format("gputlm: {} is no subcommand{} (allowed {})\n", gputlm::excerpt(argv[1]),
                     gputlm::did_you_mean(argv[1], names), gputlm::join_names(names));
}

int out_of_memory() {
  std::cerr << "gputlm: not enough memory for this run\n";
  return gputlm::kBadInput;
}

int run(int argc, char** argv) {
  CLI::App app{"SystemC TLM-2.0 model of the RTX 4090's memory system"};
  app.name("gputlm");
  app.set_version_flag("--version", "gputlm " GPUTLM_VERSION_STRING);
  app.require_subcommand(1);
  app.footer(kExitCodes);
  gputlm::Action action;
  gputlm::add_run_command(app, action);
  gputlm::add_probe_command(app, action);
  gputlm::add_bench_command(app, action);
  gputlm::add_config_command(app, action);
  gputlm::add_list_command(app, action);
  gputlm::add_litmus_command(app, action);
  gputlm::add_stress_command(app, action);
  gputlm::add_coverage_command(app, action);
  gputlm::add_launch_command(app, action);
  gputlm::add_decode_command(app, action);
  gputlm::add_follow_command(app, action);
  gputlm::add_trace_command(app, action);
  gputlm::add_report_command(app, action);
  gputlm::add_replay_command(app, action);
  gputlm::add_calibrate_command(app, action);
  gputlm::add_sweep_command(app, action);
  if (const std::string wrong = unknown_subcommand(app, argc, argv); !wrong.empty()) {
    std::cerr << wrong;
    return gputlm::kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return after_output(app.exit(e) == 0 ? gputlm::kDone : gputlm::kBadInput);
  }
  try {
    return after_output(action());
  } catch (const gputlm::ConfigError& e) {
    std::cerr << e.what() << '\n';
    return gputlm::kBadInput;
  } catch (const gputlm::ChildCrashed& e) {
    std::cerr << "gputlm: " << e.what() << '\n';
    return gputlm::kFound;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const sc_core::sc_report& e) {
    // What a process throws comes out of the kernel as a report of its text.
    if (std::strstr(e.what(), std::bad_alloc().what()) != nullptr) return out_of_memory();
    std::cerr << "gputlm: the model broke one of its own rules: " << e.what() << '\n';
    return gputlm::kFound;
  } catch (const std::exception& e) {
    std::cerr << "gputlm: " << e.what() << '\n';
    return gputlm::kBadInput;
  }
}

}  // namespace

int sc_main(int argc, char** argv) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  // A broken invariant is reported by this program, not by the kernel's abort().
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  gputlm::watch_signals();
  return run(argc, argv);
}

int main(int argc, char** argv) {
  occupy_closed_streams();
  constexpr std::size_t kHeap = std::size_t{64} << 20;  // more than the elaborated card takes
  gputlm::put_heap_on_huge_pages(kHeap);
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
