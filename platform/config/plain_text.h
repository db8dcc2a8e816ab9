// SPDX-License-Identifier: Apache-2.0
//
// What may stand in an input and be printed on a terminal or written into JSON: UTF-8 without control characters.
#pragma once

#include <cstddef>
#include <string_view>

namespace gputlm {

/// Where a text stops being plain, and why.
struct TextFault {
  std::size_t at = std::string_view::npos;  ///< Offset of the first wrong byte; npos: none.
  const char* problem = "";

  explicit operator bool() const { return at != std::string_view::npos; }
};

/// The first byte that belongs to no UTF-8 character or to a control character (of C0, DEL or C1) other than a tab or
/// the end of a line.
TextFault find_text_fault(std::string_view text);

}  // namespace gputlm
