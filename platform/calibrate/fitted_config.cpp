// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/fitted_config.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "gputlm/config/config_loader.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/show.h"
#include "gputlm/version.h"

namespace gputlm {

namespace {

YamlNode scalar(const std::string& text) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = text;
  return node;
}

void add_key(YamlNode& map, const std::string& key, YamlNode value) {
  map.kind = YamlNode::Kind::map;
  map.keys.push_back(scalar(key));
  map.items.push_back(std::move(value));
}

/// Whether the targets hold the value, as far as that was found out.
bool is_held(const Calibration& result, std::size_t parameter, bool listed) {
  if (listed)
    return std::none_of(result.alternatives.begin(), result.alternatives.end(),
                        [&](const Alternative& a) { return a.parameter == parameter; });
  return !result.sensitivities || result.sensitivities->known_to[parameter].has_value();
}

Override fitted_value(ConfigLoader& loader, const TargetsFile& targets, const Calibration& result, std::size_t i) {
  const FittedParameter& p = targets.parameters[i];
  Override setting = *loader.read_override(p.path(), result.settings_after[i], targets.file);
  YamlNode value = std::move(setting.node);
  setting.place = p.place();
  value.line = setting.place.line;
  value.column = setting.place.column;
  setting.node = {};
  const bool held = is_held(result, i, p.is_list());
  add_key(setting.node, "value", std::move(value));
  add_key(setting.node, "confidence", scalar(held ? "inferred" : "assumed"));
  add_key(setting.node, "source", scalar("fitted to " + targets.name));
  add_key(setting.node, "note",
          scalar(fmt::format("was {}; allowed {}{}", result.settings_before[i], p.allowed(),
                             held ? "" : "; the targets alone do not determine it")));
  return setting;
}

void print_head(std::ostream& out, const TargetsFile& targets, const EvaluationOptions& options,
                const Calibration& result) {
  fmt::print(
      out,
      "# SPDX-License-Identifier: Apache-2.0\n#\n# {}, {} of its values fitted to {} by gputlm calibrate {}.\n#\n"
      "# Calibration inputs: what the model gives for them is no prediction.\n",
      options.config, targets.parameters.size(), targets.name, GPUTLM_VERSION_STRING);
  for (std::size_t i = 0; i < targets.targets.size(); ++i) {
    const Target& t = targets.targets[i];
    fmt::print(out, "#   {} = {} {} ({}); the model gives {:.6g}\n", t.name(), t.wanted.value, result.units[i],
               t.wanted.source, result.after[i]);
  }
}

}  // namespace

std::string fitted_config(const TargetsFile& targets, const EvaluationOptions& options, const Calibration& result) {
  Diagnostics diagnostics;
  ConfigLoader loader(diagnostics);
  loader.load_file(find_yaml(options.config, kConfigFolder));
  for (const std::string& text : options.overrides) loader.apply_override(text);
  for (std::size_t i = 0; i < targets.parameters.size(); ++i)
    loader.apply_override(fitted_value(loader, targets, result, i));
  const Config config = loader.finish();
  diagnostics.throw_if_any();
  std::ostringstream out;
  print_head(out, targets, options, result);
  show_yaml(out, config);
  return out.str();
}

}  // namespace gputlm
