// SPDX-License-Identifier: Apache-2.0
//
// Reads the program and the placement of a litmus test.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputlm/litmus/litmus_test.h"

namespace gputlm {

/// Text without the blanks at both ends.
std::string_view trimmed(std::string_view text);
/// The parts of `text` between separators, trimmed; at least one.
std::vector<std::string_view> split(std::string_view text, std::string_view separator);

/// Fills in test.threads and test.locations from the program: `Pn: instr; instr || Pm: ...`, notes in brackets. Each
/// mistake is one line in `problems`, and the number of the thread where it stands one in `of_thread`.
void read_program(std::string_view program, LitmusTest& test, std::vector<std::string>& problems,
                  std::vector<std::size_t>& of_thread);

/// Fills in test.ctas, aliases and the reason to skip from the placement. After read_program().
void read_placement(std::string_view placement, LitmusTest& test, std::vector<std::string>& problems);

}  // namespace gputlm
