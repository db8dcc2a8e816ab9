// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/experiment_head.h"

#include <filesystem>

namespace gputlm {

namespace {

/// A value of `set:` as one would write it after `--set path=`.
std::string override_text(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::scalar || node.kind == YamlNode::Kind::null) return node.text;
  const bool list = node.kind == YamlNode::Kind::list;
  std::string text;
  for (std::size_t i = 0; i < node.items.size(); ++i)
    text += (i == 0 ? "" : ", ") + (list ? "" : node.keys[i].text + ": ") + override_text(node.items[i]);
  return list ? "[" + text + "]" : "{" + text + "}";
}

// Results go to a directory of this name, so it must be one and must not lead elsewhere.
void check_name(YamlReader& root, const std::string& name) {
  constexpr std::size_t kLongest = 100;
  const bool right = !name.empty() && name.size() <= kLongest && name[0] != '.' && name[0] != '-' && name[0] != ' ' &&
                     name.find_first_of("/\\\t\n\r") == std::string::npos;
  if (!right)
    root.error("experiment", "is no name of an experiment", name.empty() ? "an empty text" : excerpt(name),
               "up to 100 bytes in one line, without / and \\, not beginning with . or - or a blank");
}

}  // namespace

void read_experiment_head(YamlReader& root, const std::string& file, ExperimentHead& head) {
  head.file = file;
  if (root.text("experiment", head.name)) check_name(root, head.name);
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
