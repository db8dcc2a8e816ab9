// SPDX-License-Identifier: Apache-2.0
//
// A configuration for people and for other programs: each value with its origin and provenance.
#pragma once

#include <iosfwd>
#include <string>

#include "gputlm/config/config.h"

namespace gputlm {

/// Aligned columns: parameter, value, unit, confidence, source, origin. Of all parameters, or of those whose path is
/// `only` or begins with it and a dot; throws ConfigError when there is none.
void show_table(std::ostream& out, const Config& config, const std::string& only = {});
/// An array of objects with path, value, unit, allowed, confidence, source, note, origin, description; of the same.
void show_json(std::ostream& out, const Config& config, const std::string& only = {});
/// A complete configuration file that loads to the same values; origins stand in comments.
void show_yaml(std::ostream& out, const Config& config);

/// The text of docs/configuration.md: every parameter with unit, what is allowed, the value in `reference`, confidence,
/// source and description, then the relations between parameters.
void generate_reference(std::ostream& out, const Config& reference);

}  // namespace gputlm
