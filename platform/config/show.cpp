// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <system_error>

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

void show_table(std::ostream& out, const Config& config) {
  const auto& parameters = Schema::instance().parameters();
  std::size_t path_width = 0, value_width = 0;
  for (const Parameter& p : parameters) {
    path_width = std::max(path_width, p.path.size());
    value_width = std::max(value_width, std::min(kWidestValue, p.value_text(config).size() + 1 + p.unit.size()));
  }
  out << fmt::format("{:<{}}  {:<{}}  {:<10}  {:<7}  {}\n", "parameter", path_width, "value", value_width, "confidence",
                     "source", "origin");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const EffectiveValue& effective = config.effective.values()[i];
    const std::string value = parameters[i].value_text(config) + " " + parameters[i].unit;
    out << fmt::format("{:<{}}  {:<{}}  {:<10}  {:<7}  {}\n", parameters[i].path, path_width,
                       value.substr(0, value.find_last_not_of(' ') + 1), value_width,
                       effective.confidence.empty() ? "-" : effective.confidence,
                       effective.source.empty() ? "-" : effective.source, effective.origin.text());
  }
}

void show_json(std::ostream& out, const Config& config) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto& parameters = Schema::instance().parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const EffectiveValue& effective = config.effective.values()[i];
    rows.push_back({{"path", parameters[i].path},
                    {"value", parameters[i].value_text(config)},
                    {"unit", parameters[i].unit},
                    {"allowed", parameters[i].allowed()},
                    {"confidence", effective.confidence},
                    {"source", effective.source},
                    {"note", effective.note},
                    {"origin", effective.origin.text()},
                    {"description", parameters[i].description}});
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

void write_effective(const Config& config, const std::string& file) {
  const std::string partial = file + ".part";
  const auto fail = [&](const std::string& reason) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    Diagnostics diagnostics;
    diagnostics.add({file}, {}, "cannot be written: " + reason);
    diagnostics.throw_if_any();
  };
  errno = 0;
  std::ofstream out(partial);
  show_yaml(out, config);
  out.close();
  if (!out) fail(std::strerror(errno != 0 ? errno : EIO));
  std::error_code error;
  std::filesystem::rename(partial, file, error);
  if (error) fail(error.message());
}

}  // namespace gputlm
