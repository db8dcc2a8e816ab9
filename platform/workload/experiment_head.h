// SPDX-License-Identifier: Apache-2.0
//
// What every experiment says about itself, whatever it runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/yaml_reader.h"

namespace gputlm {

struct ExperimentHead {
  std::string name;
  std::string description;
  std::string file;                     ///< Where it was read from.
  std::string config = kDefaultConfig;  ///< Name or path of the configuration.
  Place config_place;
  std::vector<Override> overrides;
  std::uint64_t seed = 1;  ///< Of everything random; may be replaced before the experiment runs.
};

/// Reports a name that cannot be a directory's: results go to one of that name, which must not lead elsewhere. `what`
/// is named so, as in "an experiment".
void check_result_name(YamlReader& reader, std::string_view key, const char* what, const std::string& name);

/// Reads `experiment`, `description`, `config`, `set` and `seed` from the root map of an experiment's document.
void read_experiment_head(YamlReader& root, const std::string& file, ExperimentHead& head);

/// The file of the experiment's configuration: a path is relative to the experiment's own folder, as `base:` is to its
/// file's. Throws ConfigError for an unknown name.
std::string find_config(const ExperimentHead& head);

}  // namespace gputlm
