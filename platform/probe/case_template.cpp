// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/case_template.h"

#include <limits>

namespace gputlm {

namespace {

template <class Items, class Format>
std::string list_text(const Items& items, Format format) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ", ";
    text += format(item);
  }
  return text + "]";
}

class Filler {
 public:
  Filler(const Variables& variables, const std::string& file, Diagnostics& diagnostics)
      : variables_(variables), file_(file), diagnostics_(diagnostics) {}

  YamlNode fill(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::scalar) return fill_scalar(node);
    YamlNode copy = node;
    for (YamlNode& item : copy.items) item = fill(item);
    return copy;
  }

 private:
  YamlNode fill_scalar(const YamlNode& node) {
    const std::string& text = node.text;
    if (text.size() > 1 && text[0] == '$' && text[1] != '{') return parsed(value_of(text.substr(1), node), node);
    YamlNode copy = node;
    for (std::size_t at = copy.text.find("${"); at != std::string::npos; at = copy.text.find("${", at)) {
      const std::size_t end = copy.text.find('}', at);
      if (end == std::string::npos) break;
      const std::string value = value_of(copy.text.substr(at + 2, end - at - 2), node);
      copy.text.replace(at, end + 1 - at, value);
      at += value.size();
    }
    return copy;
  }

  std::string value_of(const std::string& name, const YamlNode& node) {
    const auto found = variables_.find(name);
    if (found != variables_.end()) return found->second.text();
    std::vector<std::string> names;
    for (const auto& [known, value] : variables_) names.push_back(known);
    diagnostics_.add({file_, node.line, node.column}, {}, "no value is given for this name", "$" + name,
                     join_names(names));
    return "0";
  }

  YamlNode parsed(const std::string& value, const YamlNode& node) {
    YamlNode root;
    // A value is the model's own making, of any length.
    YamlLimits limits;
    limits.file_bytes = limits.tree_bytes = std::numeric_limits<std::size_t>::max() / 2;
    if (!parse_yaml("value: " + value, file_, root, diagnostics_, limits)) return node;
    YamlNode result = std::move(root.items.front());
    result.place_at(node.line, node.column);
    return result;
  }

  const Variables& variables_;
  const std::string& file_;
  Diagnostics& diagnostics_;
};

}  // namespace

CaseValue::CaseValue(const std::vector<std::uint64_t>& values)
    : text_(list_text(values, [](std::uint64_t v) { return std::to_string(v); })) {}
CaseValue::CaseValue(const std::vector<std::string>& values)
    : text_(list_text(values, [](const std::string& v) { return v; })) {}

YamlNode fill_in(const YamlNode& node, const Variables& variables, const std::string& file, Diagnostics& diagnostics) {
  return Filler(variables, file, diagnostics).fill(node);
}

}  // namespace gputlm
