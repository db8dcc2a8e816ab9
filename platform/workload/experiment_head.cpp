// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/experiment_head.h"

#include <filesystem>

namespace gputlm {

void check_result_name(YamlReader& reader, std::string_view key, const char* what, const std::string& name) {
  constexpr std::size_t kLongest = 100;
  const bool right = !name.empty() && name.size() <= kLongest && name[0] != '.' && name[0] != '-' && name[0] != ' ' &&
                     name.find_first_of("/\\\t\n\r") == std::string::npos;
  if (!right)
    reader.error(key, std::string("is no name of ") + what, name.empty() ? "an empty text" : excerpt(name),
                 "up to 100 bytes in one line, without / and \\, not beginning with . or - or a blank");
}

void read_experiment_head(YamlReader& root, const std::string& file, ExperimentHead& head) {
  head.file = file;
  if (root.text("experiment", head.name)) check_result_name(root, "experiment", "an experiment", head.name);
  root.text("description", head.description, kOptional);
  root.text("config", head.config, kOptional);
  head.config_place = root.place_of("config");
  root.count("seed", head.seed, YamlReader::kAnyCount, kOptional);
  YamlReader set = root.map("set", kOptional);
  for (const std::string& path : set.keys()) {
    const YamlNode* value = set.node(path);
    head.overrides.push_back({path, override_text(*value), set.place_of(path), *value});
  }
}

std::string find_config(const ExperimentHead& head) {
  const std::string folder = std::filesystem::path(head.file).parent_path().string();
  Diagnostics unknown, diagnostics;
  std::string found = find_yaml(head.config, kConfigFolder, folder, unknown);
  for (const Diagnostic& d : unknown.list())
    diagnostics.add(head.config_place, "config", d.message, d.found, d.allowed);
  diagnostics.throw_if_any();
  return found;
}

}  // namespace gputlm
