// SPDX-License-Identifier: Apache-2.0
//
// A configuration by name and text: what a tool needs that keeps the parameters of a whole platform, such as a SystemC
// CCI broker (cci_parameters.h) or a sweep. It is read and written before a card is built; a card takes a copy.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/config/config.h"

namespace gputlm {

/// One parameter in words.
struct ParameterText {
  std::string path;         ///< E.g. l2.janitor.dirty_threshold.
  std::string value;        ///< As one writes it in YAML: `64`, `1.5 ns`, `rrip`, `[1, 2]`.
  std::string unit;         ///< What is counted; empty where the value says it (bytes, time, frequency).
  std::string allowed;      ///< E.g. `1 to 64`, or the names of a choice.
  std::string description;  ///< One sentence.
  std::string confidence;   ///< One of confidence_names(); empty when its author did not say.
  std::string source;       ///< Key of the source; empty when unstated.
  std::string note;
  std::string origin;  ///< `file:line:column`, or who set it.
};

/// The parameter at `index` of the schema, as it stands in `config`.
ParameterText parameter_text(const Config& config, std::size_t index);

/// All parameters of one configuration, to look at and to set.
class ParameterView {
 public:
  /// Loads the file, or the configuration of that name; throws ConfigError like Config::load.
  explicit ParameterView(const std::string& name_or_path);

  /// In the order of docs/configuration.md; the paths stay as they are.
  const std::vector<ParameterText>& parameters() const { return parameters_; }
  /// Null when there is none of that path.
  const ParameterText* find(std::string_view path) const;

  /// Sets a parameter, over files and earlier settings. `origin` says who, for messages and results. Throws ConfigError
  /// for an unknown path and for a value that is not allowed, and changes nothing then; how values fit together is
  /// judged by config(), so that several can be set one after the other.
  void set(const std::string& path, const std::string& value, const std::string& origin);

  /// The configuration with all settings; throws ConfigError where values do not fit together.
  Config config() const;

 private:
  std::string name_;
  std::vector<ParameterText> parameters_;
  std::vector<Override> settings_;  ///< The latest of each path, in the order in which they were made.
};

}  // namespace gputlm
