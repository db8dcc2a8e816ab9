// SPDX-License-Identifier: Apache-2.0
//
// All probes: the function of each (one file in probes/) and its YAML (one file in configs/probes/ of the same name).
#pragma once

#include <string>
#include <vector>

#include "gputlm/probe/probe_run.h"

namespace gputlm {

inline constexpr const char* kProbeFolder = "configs/probes";

/// A probe's name and what turns its runs into rows.
struct ProbeFunction {
  const char* name;
  void (*run)(ProbeRun&);
};

/// The table, made from the file names, in alphabetical order.
const std::vector<ProbeFunction>& probe_functions();

/// The probe of that name. Throws ConfigError, which lists the known ones.
const ProbeFunction& find_probe(const std::string& name);

/// Its file as read, with values in place of the file's. Throws ConfigError.
ProbeFile find_probe_file(const std::string& name, bool full, const DocumentOverrides& overrides = {});

/// Whether the probe runs on the card that its references were measured on: a configuration of the same `name`.
bool is_own_card(const ProbeFile& file, const ProbeOptions& options);

/// Runs one probe; on another card with what the file says of that card. Throws ProbeError or ConfigError.
std::vector<ProbeRow> run_probe(const std::string& name, const ProbeOptions& options);

}  // namespace gputlm
