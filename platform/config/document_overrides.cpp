// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/document_overrides.h"

#include <algorithm>

#include "gputlm/config/quantity.h"

namespace gputlm {

namespace {

constexpr std::string_view kExperiment = "experiment.", kProbe = "probe.";

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

/// The steps of a path below the document's root.
std::vector<std::string> steps_of(std::string_view path) {
  if (begins(path, kExperiment)) path.remove_prefix(kExperiment.size());
  std::vector<std::string> steps;
  for (;;) {
    const std::size_t dot = path.find('.');
    steps.emplace_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return steps;
    path.remove_prefix(dot + 1);
  }
}

std::string name_of(const YamlNode& item) {
  const YamlNode* name = item.find("name");
  return name == nullptr ? std::string() : name->text;
}

YamlNode* item_of(YamlNode& list, const std::string& step) {
  for (YamlNode& item : list.items)
    if (!step.empty() && name_of(item) == step) return &item;
  const Parsed<std::uint64_t> number = parse_count(step);
  return number && number.value < list.items.size() ? &list.items[number.value] : nullptr;
}

YamlNode* child_of(YamlNode& node, const std::string& step) {
  if (node.kind == YamlNode::Kind::list) return item_of(node, step);
  const auto key =
      std::find_if(node.keys.begin(), node.keys.end(), [&](const YamlNode& known) { return known.text == step; });
  return key == node.keys.end() ? nullptr : &node.items[static_cast<std::size_t>(key - node.keys.begin())];
}

std::vector<std::string> children_of(const YamlNode& node) {
  std::vector<std::string> names;
  if (node.kind == YamlNode::Kind::list)
    for (std::size_t i = 0; i < node.items.size(); ++i)
      names.push_back(name_of(node.items[i]).empty() ? std::to_string(i) : name_of(node.items[i]));
  for (const YamlNode& key : node.keys) names.push_back(key.text);
  return names;
}

YamlNode& new_child(YamlNode& map, const std::string& step) {
  YamlNode key;
  key.kind = YamlNode::Kind::scalar;
  key.text = step;
  key.place_at(map.line, map.column);
  map.keys.push_back(key);
  map.items.push_back(std::move(key));
  return map.items.back();
}

void put(YamlNode& at, const YamlNode& value) {
  const unsigned line = at.line, column = at.column;
  at = value;
  at.place_at(line, column);
}

void apply_one(YamlNode& root, const Override& override, Diagnostics& diagnostics) {
  YamlNode* node = &root;
  const std::vector<std::string> steps = steps_of(override.path);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    YamlNode* next = child_of(*node, steps[i]);
    const bool may_be_new = i + 1 == steps.size() && node->kind == YamlNode::Kind::map && !steps[i].empty();
    if (next == nullptr && may_be_new) next = &new_child(*node, steps[i]);
    if (next == nullptr) {
      const std::vector<std::string> names = children_of(*node);
      diagnostics.add(
          override.place, excerpt(override.path),
          "leads nowhere in the file: there is no '" + excerpt(steps[i]) + "'" + did_you_mean(steps[i], names), {},
          join_names(names));
      return;
    }
    node = next;
  }
  put(*node, override.node);
}

}  // namespace

bool DocumentOverrides::concerns(std::string_view path) {
  return begins(path, kExperiment) || begins(path, kProbe);
}

DocumentOverrides DocumentOverrides::take(std::vector<std::string>& overrides, Diagnostics& diagnostics) {
  const auto first = std::stable_partition(overrides.begin(), overrides.end(), [](const std::string& text) {
    return !concerns(std::string_view(text).substr(std::min(text.find_first_not_of(" \t"), text.size())));
  });
  DocumentOverrides taken;
  for (auto text = first; text != overrides.end(); ++text) {
    const auto parts = split_override(*text, diagnostics);
    if (!parts) continue;
    const std::string origin = set_origin(*text);
    std::optional<YamlNode> value = override_value(parts->second, origin);
    if (value)
      taken.add({parts->first, parts->second, {origin}, std::move(*value)});
    else
      diagnostics.add({origin}, parts->first, "the value is not one YAML value", excerpt(parts->second));
  }
  overrides.erase(first, overrides.end());
  return taken;
}

void DocumentOverrides::apply(YamlNode& root, Diagnostics& diagnostics) const {
  for (const Override& override : list_) apply_one(root, override, diagnostics);
}

}  // namespace gputlm
