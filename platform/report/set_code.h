// SPDX-License-Identifier: Apache-2.0
//
// Dirty ways of a slice's sets as text: what differs from the picture before. A set that has changed is one character,
// 0 to 9 and a to z for up to 35 dirty ways; A to Z stand for 1 to 26 sets as they were; sets that the text does not
// reach are as they were.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

using SetCounts = std::vector<std::uint8_t>;

/// `before` and `now` are equally long; no count is above 35.
std::string encode_sets(const SetCounts& before, const SetCounts& now);

/// Makes `sets` what it was when it was encoded, from what it was before that. False, and `sets` undefined, when the
/// text is none of those.
bool decode_sets(std::string_view text, SetCounts& sets);

}  // namespace gputlm
