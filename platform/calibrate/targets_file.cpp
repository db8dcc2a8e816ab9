// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/targets_file.h"

#include <algorithm>
#include <cmath>

#include "gputlm/config/data_dir.h"
#include "gputlm/config/yaml_reader.h"
#include "gputlm/probe/probe_catalogue.h"

namespace gputlm {

namespace {

constexpr double kLeast = 1e-12;  // beyond 0, of a value or a tolerance: errors stay numbers that one can read

std::vector<std::string> probe_names() {
  std::vector<std::string> names;
  for (const ProbeFunction& p : probe_functions()) names.emplace_back(p.name);
  return names;
}

bool is_number(const YamlNode& node) {
  return node.kind == YamlNode::Kind::scalar && (parse_count(node.text) || parse_bytes(node.text));
}

/// Whether a value can stand where the probe's file has `own`.
bool alike(const YamlNode& own, const YamlNode& given) {
  if (own.kind != YamlNode::Kind::list) return given.kind == own.kind && (!is_number(own) || is_number(given));
  if (own.items.empty()) return true;
  if (given.kind != YamlNode::Kind::list) return alike(own.items.front(), given);
  return !given.items.empty() && std::all_of(given.items.begin(), given.items.end(),
                                             [&](const YamlNode& item) { return alike(own.items.front(), item); });
}

class Reader {
 public:
  Reader(TargetsFile& targets, Diagnostics& diagnostics) : targets_(targets), diagnostics_(diagnostics) {}

  void read(YamlReader file) {
    file.text("calibration", targets_.name);
    file.text("description", targets_.description, kOptional);
    YamlReader parameters = file.map("parameters");
    for (const std::string& path : parameters.keys()) read_parameter(parameters, path);
    if (file.has("parameters") && parameters.keys().empty()) file.error("parameters", "names no parameter");
    for (YamlReader& target : file.maps("targets")) read_target(target);
    YamlReader probes = file.map("probes", kOptional);
    for (const std::string& name : probes.keys()) read_sizes(probes, name);
    file.finish();
  }

 private:
  void read_parameter(YamlReader& parameters, const std::string& path) {
    YamlReader one = parameters.map(path);
    const Schema& schema = Schema::instance();
    const std::size_t index = schema.find(path);
    if (index == Schema::npos)
      return parameters.error(path, "unknown parameter" + did_you_mean(path, schema.paths()), excerpt(path),
                              "what gputlm config show lists");
    targets_.parameters.emplace_back(schema.parameters()[index], one, diagnostics_);
  }

  void read_target(YamlReader& reader) {
    Target t;
    const bool named = reader.choice("probe", t.probe, probe_names()) && reader.text("case", t.case_name);
    const Reference* known = named ? file_of(t.probe).reference(t.case_name) : nullptr;
    const bool taken_over = known != nullptr && !reader.has("value");
    if (taken_over) t.wanted = *known;
    t.wanted.place = reader.place_of("");
    const auto need = taken_over ? YamlReader::Need::optional : YamlReader::Need::required;
    read_figure(reader, "value", t.wanted.value, kFigures, need);
    read_figure(reader, "tolerance", t.wanted.tolerance, kTolerances, need);
    reader.text("source", t.wanted.source, need);
    reader.text("unit", t.unit, kOptional);
    reader.finish();
    for (const Target& other : targets_.targets)
      if (named && other.name() == t.name()) reader.error("", "is a target already", t.name());
    targets_.targets.push_back(std::move(t));
  }

  static void read_figure(YamlReader& reader, const char* key, double& out, Range<double> range,
                          YamlReader::Need need) {
    if (!reader.real(key, out, range, need) || out == 0 || std::abs(out) >= kLeast) return;
    reader.error(key, "is too near to 0", format_real(out), "0, or at least " + format_real(kLeast) + " from it");
  }

  void read_sizes(YamlReader& probes, const std::string& name) {
    YamlReader sizes = probes.map(name);
    const auto probe = std::find_if(targets_.probes.begin(), targets_.probes.end(),
                                    [&](const ProbeFile& p) { return p.name == name; });
    if (probe == targets_.probes.end()) {
      std::vector<std::string> used;
      for (const ProbeFile& p : targets_.probes) used.push_back(p.name);
      return probes.error(name, "no target is of this probe", excerpt(name), join_names(used));
    }
    std::vector<std::string> known;
    for (const YamlNode& key : probe->parameters.keys) known.push_back(key.text);
    for (const std::string& key : sizes.keys()) {
      const YamlNode* own = probe->parameters.find(key);
      const YamlNode* given = sizes.node(key);
      if (own == nullptr)
        sizes.error(key, "the probe has no such parameter" + did_you_mean(key, known), excerpt(key), join_names(known));
      else if (!alike(*own, *given))
        sizes.error(key, "is not of the kind that the probe has", given->describe(), "as " + describe(*own));
      else
        probe->set_parameter(key, *given);
    }
  }

  static std::string describe(const YamlNode& own) {
    return own.kind == YamlNode::Kind::list && !own.items.empty() ? own.items.front().describe() + " or a list of such"
                                                                  : own.describe();
  }

  ProbeFile& file_of(const std::string& probe) {
    for (ProbeFile& p : targets_.probes)
      if (p.name == probe) return p;
    targets_.probes.push_back(find_probe_file(probe, false));
    return targets_.probes.back();
  }

  TargetsFile& targets_;
  Diagnostics& diagnostics_;
};

}  // namespace

double Target::scale() const {
  constexpr double kLeast = 1e-3;
  const double size = std::abs(wanted.value);
  const double allowed = size == 0 ? wanted.tolerance : wanted.tolerance * size;
  return allowed > 0 ? allowed : kLeast * std::max(1.0, size);
}

TargetsFile read_targets(const std::string& name_or_path) {
  TargetsFile targets;
  targets.file = find_yaml(name_or_path, kTargetsFolder);
  Diagnostics diagnostics;
  YamlNode root;
  if (load_yaml(targets.file, root, diagnostics))
    Reader(targets, diagnostics).read(YamlReader(root, "", targets.file, diagnostics));
  diagnostics.throw_if_any();
  return targets;
}

}  // namespace gputlm
