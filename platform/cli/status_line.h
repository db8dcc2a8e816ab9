// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <iostream>
#include <string_view>

namespace gputlm {

/// One line on the standard error, rewritten by each show() and taken away at the end; nothing when the standard error
/// is no terminal.
class StatusLine {
 public:
  StatusLine() = default;
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool visible() const { return terminal_; }
  void show(std::string_view text) const {
    if (terminal_) std::cerr << "\r\033[K" << text << std::flush;
  }
  void clear() const {
    if (terminal_) std::cerr << "\r\033[K" << std::flush;
  }

 private:
  const bool terminal_ = ::isatty(STDERR_FILENO) != 0;
};

}  // namespace gputlm
