// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/config/yaml_reader.h"
#include "gputlm/workload/script_step.h"

namespace gputlm {

/// Reads one step: a map whose first key is what is done, with its place, scope or length.
ScriptStep read_script_step(YamlReader& reader);

}  // namespace gputlm
