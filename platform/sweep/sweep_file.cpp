// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/sweep_file.h"

#include <filesystem>
#include <utility>

#include "gputlm/config/data_dir.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/probe/probe_catalogue.h"
#include "gputlm/sweep/sweep_clashes.h"
#include "gputlm/workload/experiment_head.h"

namespace gputlm {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostPoints = 100000;
constexpr unsigned kMostPointsPerTask = 100000;

const std::vector<std::string> kMethods{"grid", "list", "random", "latin-hypercube"};  // as SweepMethod has them

class SweepReader {
 public:
  SweepReader(const YamlNode& root, const std::string& file, Diagnostics& diagnostics)
      : root_(root, "", file, diagnostics), diagnostics_(diagnostics) {
    sweep_.file = file;
    context_.folder = fs::path(file).parent_path().string();
  }

  SweepFile read() {
    if (root_.text("sweep", sweep_.name)) check_result_name(root_, "sweep", "a sweep", sweep_.name);
    root_.text("description", sweep_.description, kOptional);
    read_target();
    if (root_.text("config", sweep_.config, kOptional))
      sweep_.config_file = find("config", sweep_.config, kConfigFolder);
    read_method();
    read_set();
    read_parameters();
    sweep_.statistics = read_statistic_choices(root_, sweep_.file, sweep_.probe, diagnostics_);
    check_columns(sweep_, diagnostics_);
    read_slurm();
    root_.finish();
    return std::move(sweep_);
  }

 private:
  /// The file that a name or a path means, as seen from everywhere.
  std::string find(const char* key, const std::string& name, const char* folder) {
    Diagnostics unknown;
    const std::string found = find_yaml(name, folder, context_.folder, unknown);
    for (const Diagnostic& d : unknown.list()) root_.error(key, d.message, d.found, d.allowed);
    return found.empty() ? found : fs::absolute(found).string();
  }

  void read_target() {
    sweep_.probe = context_.probe = root_.has("probe");
    if (sweep_.probe && root_.has("experiment")) root_.error("probe", "a sweep has an experiment or a probe, not both");
    if (!sweep_.probe) {
      if (root_.text("experiment", sweep_.target))
        sweep_.target_file = find("experiment", sweep_.target, kExperimentFolder);
      return;
    }
    if (!root_.text("probe", sweep_.target)) return;
    try {
      sweep_.target_file = fs::absolute(find_yaml(find_probe(sweep_.target).name, kProbeFolder)).string();
    } catch (const ConfigError& e) {
      for (const Diagnostic& d : e.diagnostics()) root_.error("probe", d.message, d.found, d.allowed);
    }
  }

  void read_method() {
    std::string method = "grid", unfit = "refuse";
    root_.choice("method", method, kMethods, kOptional);
    for (std::size_t i = 0; i < kMethods.size(); ++i)
      if (kMethods[i] == method) sweep_.method = static_cast<SweepMethod>(i);
    context_.sampled = sweep_.sampled();
    if (sweep_.sampled())
      root_.count("points", sweep_.points, {1, kMostPoints});
    else if (root_.has("points"))
      root_.error("points", "is of random and latin-hypercube samples", {}, "method: random, method: latin-hypercube");
    root_.count("seed", sweep_.seed, YamlReader::kAnyCount, kOptional);
    root_.choice("unfit", unfit, {"refuse", "skip"}, kOptional);
    sweep_.skip_unfit = unfit == "skip";
    root_.node("points", kOptional);
  }

  void read_set() {
    YamlReader set = root_.map("set", kOptional);
    for (const std::string& path : set.keys()) {
      const YamlNode& value = *set.node(path);
      const auto parameter = sweep_parameter(path, set.place_of(path), context_, diagnostics_);
      if (!parameter) continue;
      if (parameter->target == SweepTarget::card)
        set.error(path, "the configuration stands beside set:, not in it");
      else if (check_sweep_value(*parameter, value, sweep_.file, context_, diagnostics_))
        sweep_.set.push_back({path, override_text(value), set.place_of(path), value});
    }
  }

  void read_parameters() {
    YamlReader parameters = root_.map("parameters");
    sweep_.place = root_.place_of("parameters");
    if (root_.has("parameters") && parameters.keys().empty()) root_.error("parameters", "a sweep needs a parameter");
    for (const std::string& path : parameters.keys()) {
      auto parameter = read_sweep_parameter(parameters, path, sweep_.file, context_, diagnostics_);
      if (parameter) sweep_.parameters.push_back(std::move(*parameter));
    }
    if (sweep_.parameters.size() != parameters.keys().size()) return;  // what is missing must not be counted
    if (sweep_.method == SweepMethod::list)
      for (const SweepParameter& p : sweep_.parameters)
        if (p.values.size() != sweep_.parameters.front().values.size())
          diagnostics_.add(p.place, p.path, "has another number of values than the first parameter",
                           std::to_string(p.values.size()),
                           std::to_string(sweep_.parameters.front().values.size()) + ", or method: grid");
    std::uint64_t points = 1;
    for (const SweepParameter& p : sweep_.parameters)
      if (sweep_.method == SweepMethod::grid && (points *= p.values.size()) > kMostPoints)
        return root_.error("parameters", "the grid has too many points", {}, "up to " + std::to_string(kMostPoints));
  }

  void read_slurm() {
    YamlReader slurm = root_.map("slurm", kOptional);
    slurm.texts("options", sweep_.slurm.options, kOptional);
    slurm.count("points_per_task", sweep_.slurm.points_per_task, {1, kMostPointsPerTask}, kOptional);
    slurm.finish();
  }

  YamlReader root_;
  Diagnostics& diagnostics_;
  SweepParameterContext context_;
  SweepFile sweep_;
};

}  // namespace

const char* name_of(SweepMethod method) {
  return kMethods[static_cast<std::size_t>(method)].c_str();
}

SweepFile read_sweep_file(const std::string& file) {
  Diagnostics diagnostics;
  YamlNode root;
  SweepFile sweep;
  const std::string text = read_input_file(file, YamlLimits{}.file_bytes);
  if (parse_yaml(text, file, root, diagnostics)) sweep = SweepReader(root, file, diagnostics).read();
  diagnostics.throw_if_any();
  sweep.text = text;
  return sweep;
}

}  // namespace gputlm
