// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string_view>

#include "gputlm/config/parameter_view.h"
#include "gputlm/config/schema.h"

namespace gputlm {

namespace {

constexpr std::size_t kWidestValue = 40;

/// Text in double quotes, with YAML's escapes.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string yaml_leaf(const Parameter& parameter, const std::string& value, const EffectiveValue& effective) {
  if (parameter.kind == Kind::text) return quoted(value);
  std::string out = "{value: " + value;
  if (!effective.confidence.empty()) out += ", confidence: " + effective.confidence;
  if (!effective.source.empty()) out += ", source: " + quoted(effective.source);
  if (!effective.note.empty()) out += ", note: " + quoted(effective.note);
  return out + "}";
}

/// Indices of the parameters at `only` or below it; of all when it is empty.
std::vector<std::size_t> chosen(const std::string& only) {
  const auto& parameters = Schema::instance().parameters();
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (only.empty() || parameters[i].path == only || parameters[i].path.rfind(only + ".", 0) == 0)
      indices.push_back(i);
  if (!indices.empty()) return indices;
  Diagnostics diagnostics;
  diagnostics.add({"--only"}, {}, "no parameter or group of this name", excerpt(only),
                  "a path or its beginning, such as l2, l2.janitor or l2.ways");
  throw ConfigError(diagnostics);
}

/// Opens the maps that `path` lies in and the previous one did not.
void open_groups(std::ostream& out, const std::string& path, std::string& open) {
  std::size_t depth = 0;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1), ++depth) {
    const std::string group = path.substr(0, dot + 1);
    if (open.compare(0, group.size(), group) == 0) continue;
    const std::size_t start = group.rfind('.', dot - 1);
    const std::string name = group.substr(start == std::string::npos ? 0 : start + 1);
    out << (depth == 0 ? "\n" : "") << std::string(2 * depth, ' ') << name.substr(0, name.size() - 1) << ":\n";
  }
  open = path.substr(0, path.rfind('.') + 1);
}

}  // namespace

void show_table(std::ostream& out, const Config& config, const std::string& only) {
  const auto& parameters = Schema::instance().parameters();
  const std::vector<std::size_t> rows = chosen(only);
  const auto value_of = [&](std::size_t i) {
    const Parameter& p = parameters[i];
    return p.unit.empty() ? p.value_text(config) : p.value_text(config) + " " + p.unit;
  };
  std::size_t path_width = 0, value_width = 0;
  for (const std::size_t i : rows) {
    path_width = std::max(path_width, parameters[i].path.size());
    value_width = std::max(value_width, std::min(kWidestValue, value_of(i).size()));
  }
  const auto row = [&](std::string_view path, std::string_view value, std::string_view confidence,
                       std::string_view source, std::string_view origin) {
    out << fmt::format("{:<{}}  {:<{}}  {:<10}  {:<7}  {}\n", path, path_width, value, value_width, confidence, source,
                       origin);
  };
  row("parameter", "value", "confidence", "source", "origin");
  for (const std::size_t i : rows) {
    const EffectiveValue& e = config.effective.values()[i];
    row(parameters[i].path, value_of(i), e.confidence.empty() ? "-" : e.confidence, e.source.empty() ? "-" : e.source,
        e.origin.text());
  }
}

void show_json(std::ostream& out, const Config& config, const std::string& only) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const std::size_t i : chosen(only)) {
    const ParameterText p = parameter_text(config, i);
    rows.push_back({{"path", p.path},
                    {"value", p.value},
                    {"unit", p.unit},
                    {"allowed", p.allowed},
                    {"confidence", p.confidence},
                    {"source", p.source},
                    {"note", p.note},
                    {"origin", p.origin},
                    {"description", p.description}});
  }
  out << rows.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

void show_yaml(std::ostream& out, const Config& config) {
  const auto& parameters = Schema::instance().parameters();
  std::string open;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    const EffectiveValue& effective = config.effective.values()[i];
    open_groups(out, parameter.path, open);
    const auto depth = static_cast<std::size_t>(std::count(parameter.path.begin(), parameter.path.end(), '.'));
    out << std::string(2 * depth, ' ') << parameter.path.substr(parameter.path.rfind('.') + 1) << ": "
        << yaml_leaf(parameter, parameter.value_text(config), effective) << "  # " << effective.origin.text() << '\n';
  }
}

}  // namespace gputlm
