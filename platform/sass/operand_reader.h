// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "gputlm/sass/listing.h"

namespace gputlm {

/// Splits an operand list at its commas, and a call's `R2 0x0` at the space.
std::vector<std::string_view> split_operands(std::string_view list);

/// The operand that `text` names; none when it has no known form.
std::optional<SassOperand> read_operand(std::string_view text);

}  // namespace gputlm
