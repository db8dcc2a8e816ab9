// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launchspec/launch_experiment.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "gputlm/config/data_dir.h"
#include "gputlm/config/yaml_reader.h"
#include "gputlm/launchspec/array_file.h"

namespace gputlm {

namespace {

constexpr const char* kSection = "launch";

/// Reads the `launch:` section of a document.
class LaunchReader {
 public:
  LaunchReader(YamlReader section, std::string folder, Diagnostics& diagnostics)
      : section_(std::move(section)), folder_(std::move(folder)), diagnostics_(diagnostics) {}

  LaunchSpec read(std::uint64_t seed) {
    spec_.seed = seed;
    read_kernel();
    places_.grid = read_dimensions("grid", spec_.grid);
    places_.block = read_dimensions("block", spec_.block);
    read_bytes("shared", spec_.shared_bytes);
    read_bytes("local", spec_.local_bytes);
    places_.local = {section_.place_of("local"), section_.path_of("local")};
    read_arguments();
    read_names();
    read_expectations();
    std::string control = "all";
    section_.choice("cache_control", control, {"all", "none"}, kOptional);
    spec_.cache_control = control == "all";
    section_.finish();
    // What a mistake has left out must not be missed a second time.
    if (right_) check_launch(spec_, diagnostics_, places_);
    return std::move(spec_);
  }

 private:
  void read_kernel() {
    std::string listing;
    if (section_.text("listing", listing)) {
      Diagnostics unknown;
      spec_.listing = find_listing(listing, folder_, unknown);
      for (const Diagnostic& d : unknown.list()) section_.error("listing", d.message, d.found, d.allowed);
    }
    section_.text("kernel", spec_.kernel);
  }

  LaunchPlaces::Part read_dimensions(const char* key, LaunchDimensions& dimensions) {
    constexpr std::size_t kMost = 3;
    std::vector<std::uint64_t> given;
    if (section_.counts(key, given, {1, std::numeric_limits<std::uint32_t>::max()})) {
      if (given.empty() || given.size() > kMost) {
        section_.error(key, "is no shape", fmt::format("{} numbers", given.size()), "a number, or a list of up to 3");
        right_ = false;
      }
      given.resize(kMost, 1);
      dimensions = {static_cast<std::uint32_t>(given[0]), static_cast<std::uint32_t>(given[1]),
                    static_cast<std::uint32_t>(given[2])};
    }
    return {section_.place_of(key), section_.path_of(key)};
  }

  void read_bytes(const char* key, std::uint32_t& bytes) {
    std::uint64_t wide = bytes;
    section_.bytes(key, wide, {0, std::numeric_limits<std::uint32_t>::max()}, kOptional);
    bytes = static_cast<std::uint32_t>(wide);
  }

  /// The texts of a list, and where each stands.
  std::vector<std::string> read_list(const char* key, std::vector<LaunchPlaces::Part>& parts) {
    std::vector<std::string> texts;
    if (!section_.texts(key, texts, kOptional)) {
      right_ = right_ && !section_.has(key);
      return {};
    }
    const YamlNode& node = *section_.node(key);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      Place place = section_.place_of(key);
      if (node.kind == YamlNode::Kind::list) place.line = node.items[i].line, place.column = node.items[i].column;
      parts.push_back({place, fmt::format("{}[{}]", section_.path_of(key), i)});
    }
    return texts;
  }

  void read_arguments() {
    const std::vector<std::string> texts = read_list("arguments", places_.arguments);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const LaunchPlaces::Part& part = places_.arguments[i];
      try {
        spec_.arguments.push_back(parse_argument(texts[i], part.path, folder_));
      } catch (const ConfigError& error) {
        right_ = false;
        for (const Diagnostic& d : error.diagnostics())
          diagnostics_.add(part.place, part.path, d.message, d.found, d.allowed);
      }
    }
  }

  void read_names() { spec_.read = read_list("read", places_.read); }

  void read_expectations() {
    YamlReader expect = section_.map("expect", kOptional);
    for (const std::string& name : expect.keys()) {
      std::string file;
      if (!expect.text(name, file)) continue;
      spec_.expect.push_back({name, file_in(folder_, file), {}});
      places_.expect.push_back({expect.place_of(name), expect.path_of(name)});
    }
  }

  YamlReader section_;
  std::string folder_;
  Diagnostics& diagnostics_;
  LaunchSpec spec_;
  LaunchPlaces places_;
  bool right_ = true;  ///< Arguments and shapes are all there: the launch can be checked as a whole.
};

}  // namespace

bool is_launch_experiment(const YamlNode& root) {
  return root.find(kSection) != nullptr;
}

bool is_launch_file(const std::string& file) {
  Diagnostics ignored;
  YamlNode root;
  return load_yaml(file, root, ignored) && is_launch_experiment(root);
}

LaunchExperiment launch_experiment_of(const YamlNode& root, const std::string& file, Diagnostics& diagnostics) {
  LaunchExperiment experiment;
  YamlReader reader(root, "", file, diagnostics);
  read_experiment_head(reader, file, experiment);
  const std::string folder = std::filesystem::path(file).parent_path().string();
  experiment.launch = LaunchReader(reader.map(kSection), folder, diagnostics).read(experiment.seed);
  reader.finish();
  return experiment;
}

LaunchExperiment read_launch_experiment(const std::string& file, const DocumentOverrides& overrides) {
  Diagnostics diagnostics;
  YamlNode root;
  LaunchExperiment experiment;
  if (load_yaml(file, root, diagnostics)) {
    overrides.apply(root, diagnostics);
    experiment = launch_experiment_of(root, file, diagnostics);
  }
  diagnostics.throw_if_any();
  return experiment;
}

std::string find_listing(const std::string& name_or_path, const std::string& folder, Diagnostics& diagnostics) {
  return find_shipped(name_or_path, kListingFolder, kListingExtension, folder, diagnostics);
}

}  // namespace gputlm
