// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/config/yaml_reader.h"
#include "gputlm/sweep/sweep_parameter.h"

namespace gputlm {

/// Reads `{from, to, step | count, scale}` of a parameter into its values, or into the range that samples are drawn
/// from. `node` is what the reader reads. False: something is wrong and was reported.
bool read_sweep_range(YamlReader reader, const YamlNode& node, const SweepParameterContext& context,
                      SweepParameter& parameter);

}  // namespace gputlm
