// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gputlm {

/// The instruction table in Markdown, as docs/sass.md has it.
std::string instruction_reference();

}  // namespace gputlm
