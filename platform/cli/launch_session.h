// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capture_option.h"
#include "gputlm/config/config.h"
#include "gputlm/launch/hosted_gpu.h"
#include "gputlm/launchspec/launch_spec.h"
#include "trace_option.h"

namespace gputlm {

/// A launch with everything that it runs on, as `gputlm launch` and an experiment with a `launch:` section both give
/// it.
struct LaunchSession {
  LaunchSpec spec;
  std::string name = "launch";  ///< Of the experiment.
  std::string configuration;    ///< Name or file, as given.
  std::vector<std::string> overrides;
  std::optional<std::string> out;   ///< Directory for results; none: nothing is written.
  std::optional<std::string> dump;  ///< File for what the driver wrote.
  std::string experiment_file;      ///< Where the experiment was read from; empty: given on the command line.
  std::string experiment_text;      ///< The experiment's file, kept with the results.
  std::string format = "table";
  bool check = false;
  TraceOption trace;
  CaptureOption capture;
};

/// Adds the ports of the link to what is recorded.
void listen_to_link(TraceRecorder& recorder, HostedGpu& machine);

/// Runs it and prints what came of it; returns the exit code.
int run_launch(LaunchSession& session, const Config& config);

}  // namespace gputlm
