// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_catalogue.h"

#include <algorithm>

#include "gputlm/config/data_dir.h"

namespace gputlm {

const ProbeFunction& find_probe(const std::string& name) {
  const auto& table = probe_functions();
  const auto at = std::find_if(table.begin(), table.end(), [&](const ProbeFunction& p) { return name == p.name; });
  if (at != table.end()) return *at;
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const ProbeFunction& p : table) names.emplace_back(p.name);
  Diagnostics diagnostics;
  diagnostics.add({}, {}, "there is no probe of that name" + did_you_mean(name, names), excerpt(name),
                  join_names(names));
  diagnostics.throw_if_any();
  return *at;
}

ProbeFile find_probe_file(const std::string& name, bool full, const DocumentOverrides& overrides) {
  return read_probe_file(find_yaml(find_probe(name).name, kProbeFolder), full, overrides);
}

bool is_own_card(const ProbeFile& file, const ProbeOptions& options) {
  return options.config.empty() ||
         Config::load(options.config, options.overrides).name == Config::load(file.config).name;
}

std::vector<ProbeRow> run_probe(const std::string& name, const ProbeOptions& options) {
  ProbeFile file = find_probe_file(name, options.full, options.document);
  if (!is_own_card(file, options)) file.adapt_to(Config::load(options.config, options.overrides).name);
  if (!options.compare) file.references.clear();
  ProbeRun run(file, options);
  find_probe(name).run(run);
  run.check_references();
  return run.rows();
}

}  // namespace gputlm
