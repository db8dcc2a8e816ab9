// SPDX-License-Identifier: Apache-2.0
//
// What a calibration came to, for people and for programs: each target before and after, each parameter with how well
// it is known, and what the targets cannot tell apart.
#pragma once

#include <ostream>
#include <string>

#include "gputlm/calibrate/calibration.h"
#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// As docs/calibrate.md has it; the same for the same calibration, however it was run.
Json report_json(const TargetsFile& targets, const std::string& config, const Calibration& result);
void print_report(std::ostream& out, const TargetsFile& targets, const std::string& config, const Calibration& result);

}  // namespace gputlm
