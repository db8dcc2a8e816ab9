// SPDX-License-Identifier: Apache-2.0
#include "gputlm/report/set_code.h"

#include <algorithm>

namespace gputlm {
namespace {

constexpr std::size_t kLongestRun = 26;
constexpr std::uint8_t kDigits = 10, kMost = 35;

char digit(std::uint8_t count) {
  return static_cast<char>(count < kDigits ? '0' + count : 'a' + (count - kDigits));
}

}  // namespace

std::string encode_sets(const SetCounts& before, const SetCounts& now) {
  std::string text;
  std::size_t same = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] == before[i]) {
      ++same;
      continue;
    }
    for (; same > 0; same -= std::min(same, kLongestRun))
      text += static_cast<char>('A' + (std::min(same, kLongestRun) - 1));
    text += digit(std::min(now[i], kMost));
  }
  return text;
}

bool decode_sets(std::string_view text, SetCounts& sets) {
  std::size_t at = 0;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') {
      at += static_cast<std::size_t>(c - 'A') + 1;
      continue;
    }
    const bool number = c >= '0' && c <= '9';
    if (at >= sets.size() || !(number || (c >= 'a' && c <= 'z'))) return false;
    sets[at++] = static_cast<std::uint8_t>(number ? c - '0' : c - 'a' + kDigits);
  }
  return at <= sets.size();
}

}  // namespace gputlm
