// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gputlm {

/// A part of the report's page, built into the program: page.html, style, library, script.
std::string_view page_part(std::string_view name);

}  // namespace gputlm
