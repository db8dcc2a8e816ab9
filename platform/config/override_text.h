// SPDX-License-Identifier: Apache-2.0
//
// `path=value`, as users write it after `--set`: one value of a configuration or of an experiment.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/yaml_document.h"

namespace gputlm {

/// A value that stands in another kind of file, as an experiment, or on the command line.
struct Override {
  std::string path;
  std::string value;  ///< As one would write it after `--set path=`.
  Place place;
  YamlNode node;
};

/// How messages name the origin of what stands after `--set`.
std::string set_origin(const std::string& text);

/// `path=value` in two, without the blanks around them. Nothing and a diagnostic when the text is none.
std::optional<std::pair<std::string, std::string>> split_override(const std::string& text, Diagnostics& diagnostics);

/// The value as YAML (lists are `[1, 2]`); lines and columns are 0, since the text has none that mean anything to the
/// user. Nothing when it is not one YAML value.
std::optional<YamlNode> override_value(const std::string& value, const std::string& origin);

/// What one would write after `--set path=` for the value of a file.
std::string override_text(const YamlNode& node);

}  // namespace gputlm
