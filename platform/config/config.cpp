// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/config.h"

#include "gputlm/config/config_loader.h"
#include "gputlm/config/data_dir.h"

namespace gputlm {

namespace {

/// Fields that follow from other parameters and so have no key of their own.
void derive(Config& config) {
  // Which bytes of a sector are wanted matters only to a slice that may serve part of one.
  config.lsu.byte_exact_loads = config.l2.partial_sector_load == "serve_valid";
}

}  // namespace

Config Config::load(const std::string& name_or_path, const std::vector<std::string>& overrides) {
  return load(name_or_path, {}, overrides);
}

Config Config::load(const std::string& name_or_path, const std::vector<Override>& experiment,
                    const std::vector<std::string>& overrides) {
  Diagnostics diagnostics;
  ConfigLoader loader(diagnostics);
  loader.load_file(find_yaml(name_or_path, kConfigFolder));
  for (const Override& o : experiment) loader.apply_override(o);
  for (const std::string& text : overrides) loader.apply_override(text);
  Config config = loader.finish();
  diagnostics.throw_if_any();
  derive(config);
  return config;
}

}  // namespace gputlm
