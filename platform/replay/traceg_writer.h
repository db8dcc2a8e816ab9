// SPDX-License-Identifier: Apache-2.0
//
// Writes kernel traces of version 5, as a tracer with compressed addresses does.
#pragma once

#include <string>

#include "gputlm/replay/traceg_instruction.h"

namespace gputlm {

/// Up to and with the `#traces format` line.
std::string traceg_header_text(const TracegHeader& header);
/// One line with its end.
std::string traceg_line(const TracegInstruction& instruction);

}  // namespace gputlm
