// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_file.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gputlm/config/data_dir.h"
#include "gputlm/config/schema.h"
#include "gputlm/config/yaml_reader.h"

namespace gputlm {

namespace {

constexpr double kHuge = std::numeric_limits<double>::max(), kTiny = std::numeric_limits<double>::min();

/// Removes a key of a map and returns its value; null when absent.
YamlNode take(YamlNode& map, const std::string& key) {
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    if (map.keys[i].text != key) continue;
    YamlNode value = std::move(map.items[i]);
    map.keys.erase(map.keys.begin() + static_cast<std::ptrdiff_t>(i));
    map.items.erase(map.items.begin() + static_cast<std::ptrdiff_t>(i));
    return value;
  }
  return {};
}

void lay_over(YamlNode& below, const YamlNode& above) {
  for (std::size_t i = 0; i < above.keys.size(); ++i) {
    take(below, above.keys[i].text);
    below.keys.push_back(above.keys[i]);
    below.items.push_back(above.items[i]);
  }
}

Reference read_reference(YamlReader& reader, const std::string& pattern) {
  Reference r;
  r.pattern = pattern;
  r.place = reader.place_of("");
  reader.real("value", r.value, {-kHuge, kHuge});
  reader.real("tolerance", r.tolerance, {0, kHuge});
  reader.text("source", r.source);
  std::string kind = "prediction";
  reader.choice("kind", kind, {"input", "prediction"});
  r.kind = kind == "input" ? RowKind::input : RowKind::prediction;
  reader.texts("fits", r.fits, kOptional);
  for (const std::string& path : r.fits)
    if (Schema::instance().find(path) == Schema::npos)
      reader.error("fits", "is no configuration value" + did_you_mean(path, Schema::instance().paths()), path, "");
  if (reader.has("published")) {
    YamlReader range = reader.map("published");
    PublishedRange& published = r.published.emplace();
    range.real("least", published.least, {kTiny, kHuge});
    range.real("most", published.most, {published.least, kHuge});
    range.finish();
  }
  reader.text("note", r.note, kOptional);
  reader.finish();
  return r;
}

/// A map of parameters at `key`, all of which the probe must have; empty when there is none.
YamlNode read_over(YamlReader& reader, const char* key, const YamlNode& parameters) {
  YamlNode none;
  none.kind = YamlNode::Kind::map;
  YamlReader over = reader.map(key, kOptional);
  std::vector<std::string> known;
  for (const YamlNode& name : parameters.keys) known.push_back(name.text);
  for (const std::string& name : over.keys()) {
    over.node(name);
    if (parameters.find(name) == nullptr) over.error(name, "is no parameter", name, join_names(known));
  }
  const YamlNode* node = reader.node(key, kOptional);
  return node != nullptr && node->kind == YamlNode::Kind::map ? *node : none;
}

std::vector<Reference> read_references(YamlReader& reader) {
  std::vector<Reference> all;
  YamlReader references = reader.map("references", kOptional);
  for (const std::string& pattern : references.keys()) {
    YamlReader one = references.map(pattern);
    all.push_back(read_reference(one, pattern));
  }
  return all;
}

void read_probe(YamlReader reader, bool full, ProbeFile& probe) {
  YamlReader parameters = reader.map("parameters", kOptional);
  for (const std::string& key : parameters.keys()) parameters.node(key);
  probe.parameters.kind = YamlNode::Kind::map;
  if (const YamlNode* node = reader.node("parameters", kOptional)) probe.parameters = *node;
  const YamlNode over = read_over(reader, "full", probe.parameters);
  if (full && probe.parameters.kind == YamlNode::Kind::map) lay_over(probe.parameters, over);
  probe.references = read_references(reader);
  reader.boolean("every_card", probe.every_card, kOptional);
  YamlReader cards = reader.map("cards", kOptional);
  for (const std::string& name : cards.keys()) {
    YamlReader card = cards.map(name);
    YamlNode changed = read_over(card, "parameters", probe.parameters);
    probe.cards.push_back({name, std::move(changed), read_references(card)});
    card.finish();
  }
  reader.finish();
}

// `*` is any text, also none.
bool matches(const char* pattern, const char* text) {
  if (*pattern == '*') return matches(pattern + 1, text) || (*text != '\0' && matches(pattern, text + 1));
  return *pattern == *text && (*pattern == '\0' || matches(pattern + 1, text + 1));
}

}  // namespace

const char* name_of(RowKind kind) {
  return kind == RowKind::input ? "input" : "prediction";
}

bool Reference::names(const std::string& case_name) const {
  return matches(pattern.c_str(), case_name.c_str());
}

bool Reference::met_by(double measured) const {
  return std::abs(measured - value) <= (value == 0 ? tolerance : tolerance * std::abs(value));
}

double Reference::share_outside(double measured) const {
  if (!published) return 0;
  if (measured < published->least) return measured / published->least - 1;
  return measured > published->most ? measured / published->most - 1 : 0;
}

void ProbeFile::adapt_to(const std::string& card) {
  if (!every_card) references.clear();
  const auto at = std::find_if(cards.begin(), cards.end(), [&](const ProbeCard& c) { return c.name == card; });
  if (at == cards.end()) return;
  lay_over(parameters, at->parameters);
  references.insert(references.begin(), at->references.begin(), at->references.end());
}

const Reference* ProbeFile::reference(const std::string& case_name) const {
  const auto at =
      std::find_if(references.begin(), references.end(), [&](const Reference& r) { return r.names(case_name); });
  return at == references.end() ? nullptr : &*at;
}

void ProbeFile::set_parameter(const std::string& parameter, const YamlNode& value) {
  for (std::size_t i = 0; i < parameters.keys.size(); ++i)
    if (parameters.keys[i].text == parameter) parameters.items[i] = value;
}

ProbeFile read_probe_file(const std::string& file, bool full, const DocumentOverrides& overrides) {
  Diagnostics diagnostics;
  ProbeFile probe;
  probe.file = file;
  probe.config = kDefaultConfig;
  if (load_yaml(file, probe.experiment, diagnostics)) {
    overrides.apply(probe.experiment, diagnostics);
    const YamlNode section = take(probe.experiment, "probe");
    read_probe(YamlReader(section, "probe", file, diagnostics), full, probe);
    const auto text = [&](const char* key, std::string& out) {
      const YamlNode* node = probe.experiment.find(key);
      if (node != nullptr) out = node->text;
    };
    text("experiment", probe.name);
    text("description", probe.description);
    text("config", probe.config);
  }
  diagnostics.throw_if_any();
  return probe;
}

}  // namespace gputlm
