// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/point_check.h"

#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "gputlm/config/config_loader.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/launchspec/launch_experiment.h"
#include "gputlm/probe/probe_catalogue.h"
#include "gputlm/sweep/sweep_clashes.h"
#include "gputlm/workload/experiment.h"
#include "gputlm/workload/pattern_data.h"

namespace gputlm {

namespace {

constexpr const char* kProbeParameters = "probe.parameters.";

std::uint64_t mixed(const std::string& text, std::uint64_t before) {
  for (const char c : text) before = mix64(static_cast<unsigned char>(c), before);
  return mix64(text.size(), before);
}

DocumentOverrides document_overrides(const SweepFile& file, const SweepPoint* point) {
  DocumentOverrides all;
  for (const Override& o : file.set)
    if (DocumentOverrides::concerns(o.path)) all.add(o);
  for (std::size_t i = 0; point != nullptr && i < point->values.size(); ++i) {
    const SweepParameter& p = file.parameters[i];
    const SweepValue& v = point->values[i];
    if (p.target == SweepTarget::document) all.add({p.path, v.text, {file.file, v.node.line, v.node.column}, v.node});
  }
  return all;
}

std::vector<Override> card_overrides(const SweepFile& file, const SweepPoint& point) {
  std::vector<Override> all;
  for (const Override& o : file.set)
    if (!DocumentOverrides::concerns(o.path)) all.push_back(o);
  for (std::size_t i = 0; i < point.values.size(); ++i) {
    const SweepParameter& p = file.parameters[i];
    const SweepValue& v = point.values[i];
    if (p.target == SweepTarget::value)
      all.push_back({p.path, v.text, {file.file, v.node.line, v.node.column}, v.node});
  }
  return all;
}

}  // namespace

std::string card_file(const SweepFile& file, const std::string& name) {
  Diagnostics ignored;
  const std::string folder = std::filesystem::path(file.file).parent_path().string();
  const std::string found = find_yaml(name, kConfigFolder, folder, ignored);
  return found.empty() ? found : std::filesystem::absolute(found).string();
}

/// A configuration's files, read; each point goes on from a copy.
struct PointCheck::Card {
  explicit Card(const std::string& file) : loader(problems) { loader.load_file(file); }

  Diagnostics problems;  ///< Of whichever copy is at work.
  ConfigLoader loader;
};

PointCheck::PointCheck(const SweepFile& file, Diagnostics& mistakes)
    : file_(file), mistakes_(mistakes), text_(read_input_file(file.target_file, YamlLimits{}.file_bytes)) {
  for (const SweepParameter& p : file.parameters) varies_ = varies_ || p.target == SweepTarget::document;
  Diagnostics problems;
  YamlNode document;
  if (parse_yaml(text_, file.target_file, document, problems)) check_one_path_each(file, document, mistakes);
  problems = {};
  head_ = read_document(document_overrides(file, nullptr), problems);
  for (const Diagnostic& d : problems.list()) mistakes.add(d);
  right_ = problems.empty() && has_parameters();
}

PointCheck::~PointCheck() = default;

PointCheck::Head PointCheck::read_document(const DocumentOverrides& overrides, Diagnostics& problems) const {
  Head head;
  YamlNode root;
  if (!parse_yaml(text_, file_.target_file, root, problems)) return head;
  overrides.apply(root, problems);
  if (!problems.empty()) return head;
  if (file_.probe) {
    gather(problems, [&] {
      const ProbeFile probe = find_probe_file(file_.target, false, overrides);
      head.config_file = find_yaml(probe.config, kConfigFolder);
    });
    return head;
  }
  ExperimentHead experiment;
  gather(problems, [&] {
    if (is_launch_experiment(root))
      experiment = launch_experiment_of(root, file_.target_file, problems);
    else
      experiment = experiment_of(root, file_.target_file);
    if (problems.empty()) head.config_file = find_config(experiment);
  });
  head.overrides = experiment.overrides;
  return head;
}

/// Of a probe, a parameter that its file does not have would change nothing.
bool PointCheck::has_parameters() {
  if (!file_.probe) return true;
  const YamlNode known = find_probe_file(file_.target, false).parameters;
  std::vector<std::string> names;
  for (const YamlNode& key : known.keys) names.push_back(kProbeParameters + key.text);
  const std::size_t before = mistakes_.count();
  for (const SweepParameter& p : file_.parameters)
    if (p.path.rfind(kProbeParameters, 0) == 0 && known.find(p.path.substr(std::strlen(kProbeParameters))) == nullptr)
      mistakes_.add(p.place, p.path, "the probe has no such parameter" + did_you_mean(p.path, names), {},
                    join_names(names));
  return mistakes_.count() == before;
}

PointCheck::Card& PointCheck::card(const std::string& config_file) {
  std::unique_ptr<Card>& card = cards_[config_file];
  if (card) return *card;
  card = std::make_unique<Card>(config_file);
  for (const Diagnostic& d : card->problems.list()) mistakes_.add(d);
  right_ = right_ && card->problems.empty();
  return *card;
}

/// Reports what is wrong with a point, once for all points with the same trouble. False: something is.
bool PointCheck::take(const SweepPoint& point, const Diagnostics& problems) {
  if (problems.empty()) return true;
  if (file_.skip_unfit) return false;
  for (const Diagnostic& d : problems.list()) {
    if (d.file == file_.file) {
      if (told_.insert(d.text()).second) mistakes_.add(d);
      continue;
    }
    // The mistake stands in the experiment's file, as changed by this point.
    for (std::size_t i = 0; i < point.values.size(); ++i) {
      const SweepParameter& p = file_.parameters[i];
      if (p.target != SweepTarget::document) continue;
      const YamlNode& at = point.values[i].node;
      if (told_.insert(fmt::format("{}:{} {}", at.line, at.column, d.message)).second)
        mistakes_.add({file_.file, at.line, at.column}, p.path, "refused: " + d.text());
    }
  }
  return false;
}

bool PointCheck::fits(const SweepPoint& point) {
  if (!right_) return true;  // what is wrong with all points has been said
  Head head = head_;
  Diagnostics problems;
  if (varies_) head = read_document(document_overrides(file_, &point), problems);
  if (!take(point, problems)) return false;
  std::string config = file_.config_file.empty() ? head.config_file : file_.config_file;
  for (std::size_t i = 0; i < point.values.size(); ++i)
    if (file_.parameters[i].target == SweepTarget::card) config = card_file(file_, point.values[i].node.text);
  Card& base = card(config);
  if (!right_) return true;
  base.problems = {};
  ConfigLoader loader = base.loader;
  for (const Override& o : head.overrides) loader.apply_override(o);
  for (const Override& o : card_overrides(file_, point)) loader.apply_override(o);
  loader.finish();
  return take(point, base.problems);
}

std::string PointCheck::target_config() const {
  return std::filesystem::path(head_.config_file).stem().string();
}

std::string PointCheck::fingerprint() const {
  std::uint64_t all = mixed(text_, 0);
  for (const auto& [file, card] : cards_)
    for (std::size_t i = 0; i < Schema::instance().parameters().size(); ++i)
      all = mixed(card->loader.effective(i).text, all);
  return fmt::format("{:016x}", all);
}

}  // namespace gputlm
