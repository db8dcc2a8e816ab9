// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_file.h"

#include <algorithm>
#include <cmath>

#include "gputlm/config/data_dir.h"
#include "gputlm/config/schema.h"
#include "gputlm/config/yaml_reader.h"

namespace gputlm {

namespace {

constexpr double kLeastPublished = 1e-15;
constexpr const char *kProbe = "probe", *kParameters = "parameters";

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

YamlNode empty_map() {
  YamlNode map;
  map.kind = YamlNode::Kind::map;
  return map;
}

/// A map of one key.
YamlNode map_of(const std::string& key, YamlNode value) {
  YamlNode map = empty_map(), name;
  name.kind = YamlNode::Kind::scalar;
  name.text = key;
  map.keys.push_back(std::move(name));
  map.items.push_back(std::move(value));
  return map;
}

Reference read_reference(YamlReader& reader, const std::string& pattern) {
  Reference r;
  r.pattern = pattern;
  r.place = reader.place_of("");
  reader.real("value", r.value, kFigures);
  reader.real("tolerance", r.tolerance, kTolerances);
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
    range.real("least", published.least, {kLeastPublished, kFigures.max});
    range.real("most", published.most, {published.least, kFigures.max});
    range.finish();
  }
  reader.text("note", r.note, kOptional);
  reader.finish();
  return r;
}

/// A map of parameters at `key`, all of which the probe must have; empty when there is none.
YamlNode read_over(YamlReader& reader, const char* key, const YamlNode& parameters) {
  YamlReader over = reader.map(key, kOptional);
  std::vector<std::string> known;
  for (const YamlNode& name : parameters.keys) known.push_back(name.text);
  for (const std::string& name : over.keys()) {
    over.node(name);
    if (parameters.find(name) == nullptr) over.error(name, "is no parameter", name, join_names(known));
  }
  const YamlNode* node = reader.node(key, kOptional);
  return node != nullptr && node->kind == YamlNode::Kind::map ? *node : empty_map();
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

/// A parameter that the file does not have would change nothing.
void refuse_unknown(YamlReader& reader, const YamlNode* known) {
  std::vector<std::string> names;
  if (known != nullptr)
    for (const YamlNode& key : known->keys) names.push_back(key.text);
  for (const std::string& name : reader.keys())
    if (known == nullptr || known->find(name) == nullptr)
      reader.error(name, "the probe has no such parameter" + did_you_mean(name, names), excerpt(name),
                   join_names(names));
}

/// Of the parameters only whether they can be: which ones hold is for the card to say. Returns those of `--full`.
YamlNode read_probe(YamlReader reader, const YamlNode* known, ProbeFile& probe) {
  const YamlNode none = empty_map();
  YamlReader parameters = reader.map(kParameters, kOptional);
  refuse_unknown(parameters, known);
  const YamlNode* node = reader.node(kParameters, kOptional);
  const YamlNode& own = node != nullptr ? *node : none;
  YamlNode full = read_over(reader, "full", own);
  probe.references = read_references(reader);
  reader.boolean("every_card", probe.every_card, kOptional);
  YamlReader cards = reader.map("cards", kOptional);
  for (const std::string& name : cards.keys()) {
    YamlReader card = cards.map(name);
    YamlNode changed = read_over(card, "parameters", own);
    probe.cards.push_back({name, std::move(changed), read_references(card)});
    card.finish();
  }
  reader.finish();
  return full;
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

const ProbeCard* ProbeFile::find_card(const std::string& card) const {
  const auto at = std::find_if(cards.begin(), cards.end(), [&](const ProbeCard& c) { return c.name == card; });
  return at == cards.end() ? nullptr : &*at;
}

void ProbeFile::adapt_to(const std::string& card) {
  take_parameters_of(card);
  if (!every_card) references.clear();
  if (const ProbeCard* found = find_card(card))
    references.insert(references.begin(), found->references.begin(), found->references.end());
}

void ProbeFile::take_parameters_of(const std::string& card) {
  const ProbeCard* found = find_card(card);
  if (found == nullptr) return;
  card_ = found->parameters;
  lay_parameters();
}

// The user's come last and on the whole document, in which their paths lead somewhere.
void ProbeFile::lay_parameters() {
  YamlNode document = document_;
  YamlNode section = take(document, kProbe);
  YamlNode all = take(section, kParameters);
  all.kind = YamlNode::Kind::map;
  lay_over(all, full_);
  lay_over(all, card_);
  lay_over(section, map_of(kParameters, std::move(all)));
  lay_over(document, map_of(kProbe, std::move(section)));
  Diagnostics diagnostics;
  overrides_.apply(document, diagnostics);
  diagnostics.throw_if_any();
  section = take(document, kProbe);
  parameters = take(section, kParameters);
}

const Reference* ProbeFile::reference(const std::string& case_name) const {
  const auto at =
      std::find_if(references.begin(), references.end(), [&](const Reference& r) { return r.names(case_name); });
  return at == references.end() ? nullptr : &*at;
}

void ProbeFile::set_parameter(const std::string& parameter, const YamlNode& value) {
  overrides_.add({std::string(kProbe) + "." + kParameters + "." + parameter, override_text(value), {file}, value});
  lay_parameters();
}

ProbeFile read_probe_file(const std::string& file, bool full, const DocumentOverrides& overrides) {
  Diagnostics diagnostics;
  ProbeFile probe;
  probe.file = file;
  probe.config = kDefaultConfig;
  YamlNode full_size;
  if (load_yaml(file, probe.document_, diagnostics)) {
    probe.experiment = probe.document_;
    overrides.apply(probe.experiment, diagnostics);
    const YamlNode section = take(probe.experiment, kProbe);
    const YamlNode* own = probe.document_.find(kProbe);
    full_size = read_probe(YamlReader(section, kProbe, file, diagnostics),
                           own != nullptr ? own->find(kParameters) : nullptr, probe);
    const auto text = [&](const char* key, std::string& out) {
      const YamlNode* node = probe.experiment.find(key);
      if (node != nullptr) out = node->text;
    };
    text("experiment", probe.name);
    text("description", probe.description);
    text("config", probe.config);
  }
  diagnostics.throw_if_any();
  if (full) probe.full_ = std::move(full_size);
  probe.overrides_ = overrides;
  probe.lay_parameters();
  return probe;
}

}  // namespace gputlm
