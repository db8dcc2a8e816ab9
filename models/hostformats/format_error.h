// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with words that ought to follow a format. Encoders throw it at a value that does not fit, decoders at
// words that no driver may write; who decodes on a device's behalf makes a channel error of it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace gputlm {

/// One mistake: what() reads "GPFIFO entry: length (found 2097152, allowed 0 to 2097151)".
class FormatError : public std::runtime_error {
 public:
  FormatError(const std::string& subject, std::string found, std::string allowed);

  const std::string& found() const { return found_; }
  const std::string& allowed() const { return allowed_; }

 private:
  std::string found_, allowed_;
};

/// "0x6c".
std::string hex_word(std::uint64_t value);

/// Throws unless first <= value <= last.
void check_range(const std::string& subject, std::uint64_t value, std::uint64_t first, std::uint64_t last);

}  // namespace gputlm
