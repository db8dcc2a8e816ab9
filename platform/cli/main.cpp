// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "commands.h"
#include "gputlm/config/diagnostics.h"
#include "gputlm/tlm/host_memory.h"
#include "gputlm/tlm/systemc_guard.h"

namespace {

volatile std::sig_atomic_t stop = 0;

// The first Ctrl-C ends the run cleanly, the second one at once.
void on_interrupt(int signal) {
  if (stop != 0) std::_Exit(128 + signal);
  stop = 1;
}

int run(int argc, char** argv) {
  CLI::App app{"SystemC TLM-2.0 model of the RTX 4090's memory system"};
  app.name("gputlm");
  app.set_version_flag("--version", "gputlm " GPUTLM_VERSION);
  app.require_subcommand(1);
  gputlm::Action action;
  gputlm::add_run_command(app, action);
  gputlm::add_probe_command(app, action);
  gputlm::add_bench_command(app, action);
  gputlm::add_config_command(app, action);
  gputlm::add_list_command(app, action);
  gputlm::add_litmus_command(app, action);
  gputlm::add_stress_command(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? gputlm::kDone : gputlm::kBadInput;
  }
  try {
    return action();
  } catch (const gputlm::ConfigError& e) {
    std::cerr << e.what() << '\n';
    return gputlm::kBadInput;
  } catch (const sc_core::sc_report& e) {
    std::cerr << "gputlm: the model broke one of its own rules: " << e.what() << '\n';
    return gputlm::kFound;
  } catch (const std::exception& e) {
    std::cerr << "gputlm: " << e.what() << '\n';
    return gputlm::kBadInput;
  }
}

}  // namespace

bool gputlm::stop_requested() {
  return stop != 0;
}

int sc_main(int argc, char** argv) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  // A broken invariant is reported by this program, not by the kernel's abort().
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  return run(argc, argv);
}

int main(int argc, char** argv) {
  constexpr std::size_t kHeap = std::size_t{64} << 20;  // more than the elaborated card takes
  gputlm::put_heap_on_huge_pages(kHeap);
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
