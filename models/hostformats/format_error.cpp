// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostformats/format_error.h"

#include <sstream>
#include <utility>

namespace gputlm {

FormatError::FormatError(const std::string& subject, std::string found, std::string allowed)
    : std::runtime_error(subject + " (found " + found + ", allowed " + allowed + ")"),
      found_(std::move(found)),
      allowed_(std::move(allowed)) {}

std::string hex_word(std::uint64_t value) {
  std::ostringstream text;
  text << "0x" << std::hex << value;
  return text.str();
}

void check_range(const std::string& subject, std::uint64_t value, std::uint64_t first, std::uint64_t last) {
  if (value < first || value > last)
    throw FormatError(subject, std::to_string(value), std::to_string(first) + " to " + std::to_string(last));
}

}  // namespace gputlm
