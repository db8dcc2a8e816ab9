// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_run.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gputlm/config/quantity.h"
#include "gputlm/config/yaml_reader.h"
#include "gputlm/crossbar/slice_function.h"
#include "gputlm/l2/set_index.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {

namespace {

std::string describe(const Variables& variables) {
  constexpr std::size_t kLongest = 24;  // of a value shown: lists of addresses say nothing
  std::string text;
  for (const auto& [name, value] : variables)
    if (value.text().size() <= kLongest) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value.text());
  return text;
}

/// Without the noise of sums and differences: times are whole femtoseconds, and no share is known to more digits.
double rounded(double value) {
  constexpr double kPerUnit = 1e9, kNoNoise = 1e6;  // larger figures keep no digit below
  return std::abs(value) < kNoNoise ? std::round(value * kPerUnit) / kPerUnit + 0.0 : value;  // + 0.0: never -0
}

/// Where the buffers lie. Throws ConfigError when the card has no room for them.
std::vector<Buffer> placed_on(const Config& card, const Experiment& experiment) {
  Diagnostics diagnostics;
  std::vector<Buffer> placed = place_buffers(experiment.buffers, card.mmu.page_bytes, card.memory_bytes(), diagnostics);
  diagnostics.throw_if_any();
  return placed;
}

}  // namespace

struct ProbeRun::Functions {
  explicit Functions(const Config& config)
      : slice(make_slice_function(config.crossbar)), set(make_set_index(config.l2.set_index, config.l2.sets)) {}

  std::unique_ptr<SliceFunction> slice;
  std::unique_ptr<SetIndex> set;
};

ProbeRun::ProbeRun(const ProbeFile& file, const ProbeOptions& options)
    : file_(file),
      options_(options),
      config_(Config::load(options.config.empty() ? file.config : options.config, options.overrides)),
      functions_(std::make_unique<Functions>(config_)) {}

ProbeRun::~ProbeRun() = default;

const YamlNode& ProbeRun::parameter(const std::string& name) const {
  const YamlNode* node = file_.parameters.find(name);
  if (node == nullptr) {
    Diagnostics diagnostics;
    diagnostics.add({file_.file, file_.parameters.line, file_.parameters.column}, "probe.parameters." + name,
                    "is missing: the probe needs it");
    diagnostics.throw_if_any();
  }
  return *node;
}

std::uint64_t ProbeRun::count(const std::string& name) const {
  return counts(name).front();
}

// Counts may carry a byte unit.
std::vector<std::uint64_t> ProbeRun::counts(const std::string& name) const {
  Diagnostics diagnostics;
  std::vector<std::uint64_t> values;
  const YamlNode& node = parameter(name);
  const std::vector<YamlNode> lone{node};
  for (const YamlNode& item : node.kind == YamlNode::Kind::list ? node.items : lone) {
    Parsed<std::uint64_t> parsed = parse_count(item.text);
    if (!parsed) parsed = parse_bytes(item.text);
    if (!parsed)
      diagnostics.add({file_.file, item.line, item.column}, "probe.parameters." + name, parsed.problem,
                      item.describe());
    values.push_back(parsed.value);
  }
  if (values.empty())
    diagnostics.add({file_.file, node.line, node.column}, "probe.parameters." + name, "is an empty list");
  diagnostics.throw_if_any();
  return values;
}

std::string ProbeRun::text(const std::string& name) const {
  return parameter(name).text;
}

std::vector<std::string> ProbeRun::texts(const std::string& name) const {
  const YamlNode& node = parameter(name);
  if (node.kind != YamlNode::Kind::list) return {node.text};
  std::vector<std::string> all;
  for (const YamlNode& item : node.items) all.push_back(item.text);
  return all;
}

Experiment ProbeRun::experiment(const Variables& variables) const {
  Variables all = variables;
  for (std::size_t i = 0; i < file_.parameters.keys.size(); ++i)
    if (file_.parameters.items[i].kind == YamlNode::Kind::scalar)
      all.emplace(file_.parameters.keys[i].text, file_.parameters.items[i].text);
  Diagnostics diagnostics;
  const YamlNode filled = fill_in(file_.experiment, all, file_.file, diagnostics);
  diagnostics.throw_if_any();
  return experiment_of(filled, file_.file);
}

Measurement ProbeRun::measure(const Variables& variables, const std::vector<std::string>& more, Recording recording) {
  const std::string name = fmt::format("{} ({})", file_.name, describe(variables));
  options_.progress(name);
  const Experiment e = experiment(variables);
  std::optional<Config> other;
  if (!e.overrides.empty() || !more.empty()) {
    std::vector<std::string> all = more;
    all.insert(all.end(), options_.overrides.begin(), options_.overrides.end());
    other = Config::load(options_.config.empty() ? file_.config : options_.config, e.overrides, all);
  }
  const Config& config = other ? *other : config_;
  placed_on(config, e);
  if (options_.dry) throw DryRun();
  if (!options_.keep_going()) throw ProbeError(name + ": stopped");
  BuildOptions build;
  build.check_protocol = options_.check;
  return run_case(name, e, config, build, recording, options_.keep_going);
}

void ProbeRun::row(const std::string& case_name, std::optional<double> value, const std::string& unit) {
  if (value) value = rounded(*value);
  ProbeRow row{file_.name, case_name, value, unit, std::nullopt};
  if (const Reference* reference = file_.reference(case_name)) row.reference = *reference;
  rows_.push_back(std::move(row));
}

void ProbeRun::check_references() const {
  Diagnostics diagnostics;
  std::vector<std::string> cases;
  for (const ProbeRow& r : rows_) cases.push_back(r.case_name);
  for (const Reference& r : file_.references)
    if (std::none_of(cases.begin(), cases.end(), [&](const std::string& name) { return r.names(name); }))
      diagnostics.add(r.place, "probe.references", "no case has this name", r.pattern, join_names(cases));
  diagnostics.throw_if_any();
}

double ProbeRun::cycles(double ns) const {
  return ns * config_.lsu.clock_hz / 1e9;
}

unsigned ProbeRun::slice_of(std::uint64_t physical) const {
  return functions_->slice->slice_of(physical);
}

unsigned ProbeRun::set_of(std::uint64_t physical) const {
  return functions_->set->set_of(physical);
}

std::uint64_t ProbeRun::l2_set_number(std::uint64_t physical) const {
  return std::uint64_t{set_of(physical)} * slices() + slice_of(physical);
}

unsigned ProbeRun::controller_of(std::uint64_t physical) const {
  return slice_of(physical) / config_.crossbar.slices_per_controller;
}

Buffer ProbeRun::buffer(const std::string& name, const Variables& variables) const {
  const std::vector<Buffer> placed = placed_on(config_, experiment(variables));
  const Buffer* found = find_buffer(placed, name);
  if (found == nullptr) throw ProbeError(file_.name + ": the experiment has no buffer called " + name);
  return *found;
}

std::vector<std::uint64_t> ProbeRun::lines(const Buffer& buffer, std::size_t count,
                                           const std::function<bool(std::uint64_t)>& wanted) const {
  std::vector<std::uint64_t> found;
  for (std::uint64_t o = 0; o + kLineBytes <= buffer.size && found.size() < count; o += kLineBytes)
    if (wanted(buffer.physical_address + o)) found.push_back(o);
  if (found.size() < count)
    throw ProbeDoesNotApply(
        fmt::format("{}: buffer {} holds {} of the {} lines wanted", file_.name, buffer.name, found.size(), count));
  return found;
}

std::vector<std::uint64_t> ProbeRun::all_lines(const Buffer& buffer, const std::function<bool(std::uint64_t)>& wanted) {
  std::vector<std::uint64_t> found;
  for (std::uint64_t o = 0; o + kLineBytes <= buffer.size; o += kLineBytes)
    if (wanted(buffer.physical_address + o)) found.push_back(o);
  return found;
}

std::vector<std::vector<std::uint64_t>> ProbeRun::lines_of_sets(const Buffer& buffer, std::size_t sets,
                                                                std::size_t lines) const {
  std::vector<std::vector<std::uint64_t>> by_set(sets), full;
  for (std::uint64_t o = 0; o + kLineBytes <= buffer.size && full.size() < sets; o += kLineBytes) {
    const std::size_t number = l2_set_number(buffer.physical_address + o);
    if (number >= sets || by_set[number].size() == lines) continue;
    by_set[number].push_back(o);
    if (by_set[number].size() == lines) full.push_back(by_set[number]);
  }
  if (full.size() < sets)
    throw ProbeDoesNotApply(fmt::format("{}: buffer {} holds {} lines of only {} of the {} sets wanted", file_.name,
                                        buffer.name, lines, full.size(), sets));
  return full;
}

}  // namespace gputlm
