// SPDX-License-Identifier: Apache-2.0
#include "experiment_overrides.h"

namespace gputlm {

Config ExperimentOverrides::card(const std::optional<std::string>& config, const ExperimentHead& experiment) const {
  return Config::load(config ? *config : find_config(experiment), experiment.overrides, card_);
}

std::vector<std::string> ExperimentOverrides::all(const ExperimentHead& experiment) const {
  std::vector<std::string> all;
  for (const Override& own : experiment.overrides) all.push_back(own.path + "=" + own.value);
  all.insert(all.end(), given_.begin(), given_.end());
  return all;
}

}  // namespace gputlm
