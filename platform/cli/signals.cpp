// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "commands.h"

namespace gputlm {
namespace {

volatile std::sig_atomic_t stop = 0;

void on_signal(int signal) {
  if (stop != 0) std::_Exit(128 + signal);
  stop = signal;
}

}  // namespace

// Without SA_RESTART: a call that waits for a file or a pipe returns and the request is seen.
void watch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  // A file that may not grow further is a failed write with a message, not the end of the process.
  action.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &action, nullptr);
}

int stop_signal() {
  return stop;
}

const char* stop_name() {
  return stop == SIGINT ? "Ctrl-C" : ::strsignal(stop);
}

}  // namespace gputlm
