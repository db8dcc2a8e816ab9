// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/document_overrides.h"

#include <algorithm>

#include "gputlm/config/quantity.h"

namespace gputlm {

namespace {

constexpr std::string_view kExperiment = "experiment.", kProbe = "probe.", kAll = "*";

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

constexpr std::size_t kNowhere = std::string::npos;

std::size_t item_at(const YamlNode& list, const std::string& step) {
  for (std::size_t i = 0; i < list.items.size(); ++i)
    if (!step.empty() && name_of(list.items[i]) == step) return i;
  const Parsed<std::uint64_t> number = parse_count(step);
  return number && number.value < list.items.size() ? number.value : kNowhere;
}

/// Which of a node's items a step leads to.
std::size_t child_at(const YamlNode& node, const std::string& step) {
  if (node.kind == YamlNode::Kind::list) return item_at(node, step);
  const auto key =
      std::find_if(node.keys.begin(), node.keys.end(), [&](const YamlNode& known) { return known.text == step; });
  return key == node.keys.end() ? kNowhere : static_cast<std::size_t>(key - node.keys.begin());
}

/// Follows the steps of a path from a node on; `*` leads to every item. `arrived` is told the nodes at the path's end,
/// `lost` the nodes from which a step leads nowhere, with the step's number; both the steps so far, items of lists by
/// their numbers.
template <class Node, class Arrived, class Lost>
void follow(Node& node, const std::vector<std::string>& steps, std::size_t at, const std::string& so_far,
            const Arrived& arrived, const Lost& lost) {
  if (at == steps.size()) return arrived(node, so_far);
  const auto go = [&](std::size_t i) {
    const std::string step = node.kind == YamlNode::Kind::list ? std::to_string(i) : node.keys[i].text;
    follow(node.items[i], steps, at + 1, so_far.empty() ? step : so_far + "." + step, arrived, lost);
  };
  if (steps[at] == kAll && !node.items.empty())
    for (std::size_t i = 0; i < node.items.size(); ++i) go(i);
  else if (const std::size_t i = child_at(node, steps[at]); i != kNowhere)
    go(i);
  else
    lost(node, at, so_far);
}

/// Whether the last step may name a key that is not there yet.
bool may_be_new(const YamlNode& node, const std::vector<std::string>& steps, std::size_t at) {
  return at + 1 == steps.size() && node.kind == YamlNode::Kind::map && !steps[at].empty();
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

void apply_one(const Override& override, YamlNode& root, Diagnostics& diagnostics) {
  const std::vector<std::string> steps = steps_of(override.path);
  const auto lost = [&](YamlNode& node, std::size_t at, const std::string&) {
    const std::string& step = steps[at];
    if (may_be_new(node, steps, at)) return put(new_child(node, step), override.node);
    const std::vector<std::string> names = children_of(node);
    diagnostics.add(override.place, excerpt(override.path),
                    "leads nowhere in the file: there is no '" + excerpt(step) + "'" + did_you_mean(step, names), {},
                    join_names(names));
  };
  follow(
      root, steps, 0, "", [&](YamlNode& node, const std::string&) { put(node, override.node); }, lost);
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

std::vector<std::string> DocumentOverrides::places(const YamlNode& root, std::string_view path) {
  const std::vector<std::string> steps = steps_of(path);
  std::vector<std::string> places;
  const auto lost = [&](const YamlNode& node, std::size_t at, const std::string& so_far) {
    if (may_be_new(node, steps, at)) places.push_back(so_far.empty() ? steps[at] : so_far + "." + steps[at]);
  };
  follow(
      root, steps, 0, "", [&](const YamlNode&, const std::string& place) { places.push_back(place); }, lost);
  return places;
}

void DocumentOverrides::apply(YamlNode& root, Diagnostics& diagnostics) const {
  for (const Override& override : list_) apply_one(override, root, diagnostics);
}

}  // namespace gputlm
