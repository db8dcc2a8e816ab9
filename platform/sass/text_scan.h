// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gputlm::sass_text {

/// Without blanks around it.
inline std::string_view trimmed(std::string_view s) {
  constexpr const char* kBlanks = " \t\r";
  const auto first = s.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(kBlanks) - first + 1);
}

/// Takes the prefix off; false: it is not there.
inline bool take(std::string_view& s, std::string_view prefix) {
  if (s.substr(0, prefix.size()) != prefix) return false;
  s.remove_prefix(prefix.size());
  return true;
}

}  // namespace gputlm::sass_text
