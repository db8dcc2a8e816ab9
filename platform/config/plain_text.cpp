// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/plain_text.h"

namespace gputlm {

namespace {

/// A character as read: its code point and length, 0 when the bytes are none.
struct Character {
  char32_t code = 0;
  std::size_t length = 0;
};

/// Shortest form only, no surrogates, nothing past U+10FFFF (RFC 3629).
Character character_at(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return {};
  char32_t code = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte & 0x3fU);
  }
  const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (too_long || surrogate || code > 0x10ffff) return {};
  return {code, length};
}

// Those that turn the direction of writing make a terminal show another text than the one that is there.
bool is_control(char32_t code) {
  const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return turns || (code < 0x20 && code != '\t' && code != '\n' && code != '\r') || (code >= 0x7f && code < 0xa0);
}

}  // namespace

TextFault find_text_fault(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text.substr(at));
    if (c.length == 0) return {at, "it is not UTF-8"};
    if (is_control(c.code)) return {at, "it holds a control character"};
    at += c.length;
  }
  return {};
}

}  // namespace gputlm
