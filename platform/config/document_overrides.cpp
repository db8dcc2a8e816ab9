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

YamlNode* child_of(YamlNode& node, const std::string& step) {
  const std::size_t at = child_at(node, step);
  return at == kNowhere ? nullptr : &node.items[at];
}

void add_places(const YamlNode& node, const std::vector<std::string>& steps, std::size_t at, const std::string& so_far,
                std::vector<std::string>& places) {
  if (at == steps.size()) return places.push_back(so_far);
  const std::string front = so_far.empty() ? "" : so_far + ".";
  const bool list = node.kind == YamlNode::Kind::list;
  const auto go = [&](std::size_t i) {
    add_places(node.items[i], steps, at + 1, front + (list ? std::to_string(i) : node.keys[i].text), places);
  };
  if (steps[at] == kAll)
    for (std::size_t i = 0; i < node.items.size(); ++i) go(i);
  else if (const std::size_t i = child_at(node, steps[at]); i != kNowhere)
    go(i);
  else if (at + 1 == steps.size())
    places.push_back(front + steps[at]);  // a key that is not there yet
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

/// Follows the steps of one override from a node on.
class Walk {
 public:
  Walk(const Override& override, Diagnostics& diagnostics)
      : override_(override), steps_(steps_of(override.path)), diagnostics_(diagnostics) {}

  void go(YamlNode& node, std::size_t at = 0) {
    if (at == steps_.size()) return put(node, override_.node);
    const std::string& step = steps_[at];
    if (step == kAll && !node.items.empty()) {
      for (YamlNode& item : node.items) go(item, at + 1);
      return;
    }
    YamlNode* next = child_of(node, step);
    const bool may_be_new = at + 1 == steps_.size() && node.kind == YamlNode::Kind::map && !step.empty();
    if (next == nullptr && may_be_new) next = &new_child(node, step);
    if (next == nullptr) return report(node, step);
    go(*next, at + 1);
  }

 private:
  void report(const YamlNode& node, const std::string& step) {
    const std::vector<std::string> names = children_of(node);
    diagnostics_.add(override_.place, excerpt(override_.path),
                     "leads nowhere in the file: there is no '" + excerpt(step) + "'" + did_you_mean(step, names), {},
                     join_names(names));
  }

  const Override& override_;
  const std::vector<std::string> steps_;
  Diagnostics& diagnostics_;
};

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
  std::vector<std::string> places;
  add_places(root, steps_of(path), 0, "", places);
  return places;
}

void DocumentOverrides::apply(YamlNode& root, Diagnostics& diagnostics) const {
  for (const Override& override : list_) Walk(override, diagnostics).go(root);
}

}  // namespace gputlm
