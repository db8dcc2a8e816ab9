// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/config_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "gputlm/config/constraints.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/override_text.h"
#include "gputlm/config/yaml_reader.h"

namespace gputlm {

namespace {

constexpr std::size_t kDeepestBase = 16;
constexpr std::size_t kManyMissing = 5;
constexpr const char* kLeastConfidence = "assumed";

std::string canonical(const std::string& file) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::weakly_canonical(file, error);
  return error ? file : path.string();
}

}  // namespace

ConfigLoader::ConfigLoader(Diagnostics& diagnostics)
    : diagnostics_(diagnostics), schema_(Schema::instance()), slots_(schema_.parameters().size()) {
  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i].effective.path = schema_.parameters()[i].path;
}

void ConfigLoader::load_file(const std::string& file) {
  files_.push_back(file);
  YamlNode root;
  if (!load_yaml(file, root, diagnostics_)) {
    unreadable_ = true;
    return;
  }
  chain_.push_back(canonical(file));
  load_base(root, file);
  chain_.pop_back();
  if (root.find("base") != nullptr && root.find("name") != nullptr) leave_to_another_card();
  ++layer_;
  provenance_ = read_provenance(root, file);
  read_group(root, {}, file);
  provenance_ = {};
}

// However well a value is known of one card, that another one has it, too, is an assumption until its file says so.
void ConfigLoader::leave_to_another_card() {
  const std::string card = slots_[schema_.find("name")].effective.text;
  for (Slot& slot : slots_) {
    EffectiveValue& e = slot.effective;
    if (e.confidence.empty() || e.confidence == kLeastConfidence) continue;
    e.note = fmt::format("{} of the {}{}", e.confidence, card, e.note.empty() ? "" : "; " + e.note);
    e.confidence = kLeastConfidence;
  }
}

ConfigLoader::Provenance ConfigLoader::read_provenance(const YamlNode& root, const std::string& file) {
  Provenance stated;
  const YamlNode* node = root.find("provenance");
  if (node == nullptr) return stated;
  YamlReader reader(*node, "provenance", file, diagnostics_);
  reader.choice("confidence", stated.confidence, confidence_names());
  reader.text("source", stated.source);
  reader.text("note", stated.note, YamlReader::Need::optional);
  reader.finish();
  return stated;
}

void ConfigLoader::load_base(const YamlNode& root, const std::string& file) {
  const YamlNode* base = root.find("base");
  if (base == nullptr) return;
  const Place place{file, base->line, base->column};
  const std::size_t before = diagnostics_.count();
  std::string found;
  if (base->kind != YamlNode::Kind::scalar) {
    diagnostics_.add(place, "base", "must be the name or path of a configuration", base->describe());
  } else if (chain_.size() >= kDeepestBase) {
    diagnostics_.add(place, "base", fmt::format("more than {} base files in a row", kDeepestBase));
  } else {
    Diagnostics unknown;
    found = find_yaml(base->text, kConfigFolder, std::filesystem::path(file).parent_path().string(), unknown);
    for (const Diagnostic& d : unknown.list()) diagnostics_.add(place, "base", d.message, d.found, d.allowed);
  }
  const auto first = std::find(chain_.begin(), chain_.end(), canonical(found));
  if (!found.empty() && first != chain_.end()) {
    std::vector<std::string> cycle(first, chain_.end());
    cycle.push_back(*first);
    diagnostics_.add(place, "base", fmt::format("the base files form a cycle: {}", fmt::join(cycle, " -> ")));
  }
  if (diagnostics_.count() != before) {
    unreadable_ = true;
    return;
  }
  load_file(found);
}

void ConfigLoader::read_group(const YamlNode& map, const std::string& prefix, const std::string& file) {
  for (std::size_t i = 0; i < map.items.size(); ++i) {
    const YamlNode& key = map.keys[i];
    const YamlNode& value = map.items[i];
    if (prefix.empty() && (key.text == "base" || key.text == "provenance")) continue;
    const std::string path = prefix.empty() ? key.text : prefix + "." + key.text;
    if (key.text.find('.') != std::string::npos) {
      diagnostics_.add({file, key.line, key.column}, excerpt(path),
                       "a path of several names is written as nested maps");
      continue;
    }
    const std::size_t index = schema_.find(path);
    if (index != Schema::npos) {
      read_leaf(index, value, file);
    } else if (!schema_.is_group(path)) {
      report_unknown(path, {file, key.line, key.column});
    } else if (value.kind != YamlNode::Kind::map) {
      diagnostics_.add({file, value.line, value.column}, path, "must be a map of parameters", value.describe());
    } else {
      read_group(value, path, file);
    }
  }
}

void ConfigLoader::read_leaf(std::size_t index, const YamlNode& node, const std::string& file) {
  const Parameter& parameter = schema_.parameters()[index];
  Slot& slot = slots_[index];
  EffectiveValue effective;
  effective.path = parameter.path;
  effective.layer = layer_;
  const YamlNode* value = &node;
  if (node.kind == YamlNode::Kind::map) {
    YamlReader reader(node, parameter.path, file, diagnostics_);
    value = reader.node("value");
    reader.choice("confidence", effective.confidence, confidence_names(), YamlReader::Need::optional);
    reader.text("source", effective.source, YamlReader::Need::optional);
    reader.text("note", effective.note, YamlReader::Need::optional);
    reader.finish();
  }
  if (parameter.kind != Kind::text && effective.confidence.empty() && effective.source.empty() &&
      effective.note.empty()) {
    effective.confidence = provenance_.confidence;
    effective.source = provenance_.source;
    effective.note = provenance_.note;
  }
  slot.given = true;
  slot.valid = false;
  if (value != nullptr) {
    effective.origin = {file, value->line, value->column};
    const YamlNode* wrong = nullptr;
    std::string problem;
    slot.valid = parameter.parse(*value, slot.value, wrong, problem);
    if (slot.valid) {
      effective.text = parameter.format(slot.value);
    } else {
      diagnostics_.add({file, wrong->line, wrong->column}, parameter.path, problem, wrong->describe(),
                       parameter.allowed());
    }
  }
  slot.effective = std::move(effective);
}

void ConfigLoader::apply_override(const std::string& text) {
  const auto parts = split_override(text, diagnostics_);
  if (!parts) return;
  const std::optional<Override> override = read_override(parts->first, parts->second, set_origin(text));
  if (override) apply_override(*override);
}

std::optional<Override> ConfigLoader::read_override(const std::string& path, const std::string& value,
                                                    const std::string& origin) {
  const std::size_t index = schema_.find(path);
  if (index == Schema::npos) {
    report_unknown(path, {origin});
    return {};
  }
  std::optional<YamlNode> node = override_value(value, origin);
  if (node) return Override{path, value, {origin}, std::move(*node)};
  diagnostics_.add({origin}, path, "the value is not one YAML value", excerpt(value),
                   schema_.parameters()[index].allowed());
  return {};
}

void ConfigLoader::apply_override(const Override& override) {
  ++layer_;
  const std::size_t index = schema_.find(override.path);
  if (index == Schema::npos)
    report_unknown(override.path, override.place);
  else
    read_leaf(index, override.node, override.place.file);
}

void ConfigLoader::report_unknown(const std::string& path, const Place& place) {
  if (diagnostics_.full()) return diagnostics_.add(place, {}, {});
  const std::string shown = excerpt(path);
  if (schema_.is_group(path)) {
    diagnostics_.add(place, shown, "is a group of parameters, not one of them");
    return;
  }
  const std::string near = did_you_mean(path, schema_.paths());
  diagnostics_.add(place, shown, "unknown parameter" + near, {}, near.empty() ? "what gputlm config show lists" : "");
}

void ConfigLoader::report_missing() {
  std::size_t missing = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].given) continue;
    ++missing;
    const Parameter& parameter = schema_.parameters()[i];
    diagnostics_.add({files_.front()}, parameter.path, "has no value", {}, parameter.allowed());
  }
  if (missing > kManyMissing) {
    diagnostics_.add({files_.front()}, {},
                     "a configuration that sets only some parameters starts from a complete one: base: rtx4090");
  }
}

void ConfigLoader::check_constraints(const Config& config) {
  for (const Constraint& constraint : constraints()) {
    const Slot* latest = nullptr;
    bool known = true;
    std::vector<std::string> found;
    for (const std::string& path : constraint.paths) {
      const Slot& slot = slots_[schema_.find(path)];
      known = known && slot.valid;
      if (latest == nullptr || slot.effective.layer > latest->effective.layer) latest = &slot;
      found.push_back(fmt::format("{} = {}", path, excerpt(slot.effective.text)));
    }
    if (!known || constraint.holds(config)) continue;
    diagnostics_.add(latest->effective.origin, {}, constraint.rule, join_names(found),
                     constraint.allowed ? constraint.allowed(config) : std::string());
  }
}

namespace {

/// A fence's trip to L2 and back takes what a load's takes, whatever shares that sum is split into.
Fs fence_round_trip(const Config& c) {
  return c.l1.miss_latency + c.crossbar.request_latency + c.l2.load_latency + c.crossbar.response_latency;
}

}  // namespace

Config ConfigLoader::finish() {
  if (!unreadable_) report_missing();
  Config config;
  std::vector<EffectiveValue> effective;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (slot.valid) {
      for (const Field& field : schema_.parameters()[i].fields) field.set(config, slot.value);
    }
    effective.push_back(slot.effective);
  }
  config.lsu.gpu_fence_round_trip = fence_round_trip(config);
  check_constraints(config);
  config.effective = EffectiveConfig(std::move(effective), files_);
  return config;
}

}  // namespace gputlm
