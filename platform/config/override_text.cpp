// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/override_text.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>

#include "gputlm/config/plain_text.h"

namespace gputlm {

namespace {

/// A scalar as YAML reads it back, inside a list too.
std::string scalar_text(const std::string& text) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("_.+-/*% ", c) != nullptr; };
  const bool edged = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  const bool marked = !text.empty() && (text.front() == '*' || text.front() == '%' || text.substr(0, 2) == "- ");
  if (!edged && !marked && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  }
  return quoted + '"';
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

}  // namespace

std::string set_origin(const std::string& text) {
  return "--set " + excerpt(text);
}

std::optional<std::pair<std::string, std::string>> split_override(const std::string& text, Diagnostics& diagnostics) {
  if (const TextFault fault = find_text_fault(text)) {
    diagnostics.add({set_origin(text)}, {}, std::string("not a text: ") + fault.problem);
    return {};
  }
  const auto equals = text.find('=');
  if (equals == std::string::npos) {
    diagnostics.add({set_origin(text)}, {}, "an override has the form path=value");
    return {};
  }
  const std::string_view all = text;
  return std::pair{trimmed(all.substr(0, equals)), trimmed(all.substr(equals + 1))};
}

std::optional<YamlNode> override_value(const std::string& value, const std::string& origin) {
  YamlNode root;
  Diagnostics problems;
  if (!parse_yaml("value: " + value, origin, root, problems) || root.keys.size() != 1) return {};
  root.place_at(0, 0);
  return std::move(root.items[0]);
}

std::string override_text(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::null) return node.text;
  if (node.kind == YamlNode::Kind::scalar) return scalar_text(node.text);
  const bool list = node.kind == YamlNode::Kind::list;
  std::string text;
  for (std::size_t i = 0; i < node.items.size(); ++i)
    text += (i == 0 ? "" : ", ") + (list ? "" : scalar_text(node.keys[i].text) + ": ") + override_text(node.items[i]);
  return list ? "[" + text + "]" : "{" + text + "}";
}

}  // namespace gputlm
