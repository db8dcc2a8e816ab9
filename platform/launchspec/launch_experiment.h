// SPDX-License-Identifier: Apache-2.0
//
// An experiment that launches compiled code: the head that every experiment has, and a `launch:` section instead of
// buffers and phases.
#pragma once

#include <string>

#include "gputlm/config/document_overrides.h"
#include "gputlm/config/yaml_document.h"
#include "gputlm/launchspec/launch_spec.h"
#include "gputlm/workload/experiment_head.h"

namespace gputlm {

struct LaunchExperiment : ExperimentHead {
  LaunchSpec launch;  ///< Its seed is the head's.
};

/// The document has a `launch:` section.
bool is_launch_experiment(const YamlNode& root);

/// The same of a file; false, too, for one that is no YAML.
bool is_launch_file(const std::string& file);

/// Reads the root map of an experiment's document; `file` names it in messages, and its folder is where relative paths
/// start. Mistakes go to `diagnostics`; with any, what comes back is only what could be read.
LaunchExperiment launch_experiment_of(const YamlNode& root, const std::string& file, Diagnostics& diagnostics);
/// The same from a file, with values in place of the file's. Throws ConfigError with every mistake found.
LaunchExperiment read_launch_experiment(const std::string& file, const DocumentOverrides& overrides = {});

/// The file of a listing: a path (relative to `folder` when given, else to the working directory) or the name of a
/// shipped one, with or without `.sass`. Empty, with a diagnostic, for an unknown name.
std::string find_listing(const std::string& name_or_path, const std::string& folder, Diagnostics& diagnostics);

}  // namespace gputlm
