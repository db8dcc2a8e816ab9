// SPDX-License-Identifier: Apache-2.0
//
// Runs one experiment in a child process. SystemC elaborates once per process, and a probe needs many runs; the parent
// forks before it has made any module and reads the measurement from a pipe.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "gputlm/config/config.h"
#include "gputlm/probe/measurement.h"
#include "gputlm/workload/experiment.h"

namespace gputlm {

/// A run that gave no measurement: it crashed, faulted, stalled, was stopped, or a judge found something.
class ProbeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The card's address functions do not give a probe the lines that it needs.
class ProbeDoesNotApply : public ProbeError {
 public:
  using ProbeError::ProbeError;
};

/// What a run is asked to keep besides counters and phases.
enum class Recording { accesses, counters };

/// Asked now and then; false ends the run.
using KeepGoing = std::function<bool()>;

/// Elaborates, runs and judges in a child. Throws ProbeError when it does not end clean, ConfigError when the
/// experiment does not fit the card. `name` stands for the case in messages.
Measurement run_case(const std::string& name, const Experiment& experiment, const Config& config,
                     const BuildOptions& build, Recording recording, const KeepGoing& keep_going);

}  // namespace gputlm
