// SPDX-License-Identifier: Apache-2.0
//
// Files that a command reads: what it writes may take the place of none of them.
#pragma once

#include <string>
#include <vector>

#include "gputlm/launchspec/launch_spec.h"
#include "gputlm/workload/experiment.h"

namespace gputlm {

/// The experiment's own file and the contents of its buffers.
std::vector<std::string> input_files(const std::string& file, const Experiment& experiment);
/// The launch's file (empty: it was given on the command line), its listing, contents and expected bytes.
std::vector<std::string> input_files(const std::string& file, const LaunchSpec& launch);
/// The configuration's file and its bases.
void add_input_files(std::vector<std::string>& files, const Config& config);

}  // namespace gputlm
