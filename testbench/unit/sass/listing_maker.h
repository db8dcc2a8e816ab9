// SPDX-License-Identifier: Apache-2.0
//
// Listings written down in a test: text of instructions, with encodings whose guard and control word are right.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "gputlm/sass/listing.h"

namespace gputlm::sass_test {

/// One instruction; by default nothing waits and the next may issue a cycle later.
struct Line {
  Line(const char* text) : text(text) { control.stall = 1; }  // NOLINT(google-explicit-constructor)
  Line(const char* text, ControlWord control) : text(text), control(control) {}
  std::string text;
  ControlWord control;
};

inline ControlWord control(std::uint8_t stall, std::uint8_t write = ControlWord::kNoBarrier, std::uint8_t wait = 0) {
  ControlWord c;
  c.stall = stall;
  c.write_barrier = write;
  c.wait_mask = wait;
  return c;
}

inline std::string hex16(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(value));
  return text;
}

inline std::uint64_t guard_bits(const std::string& text) {
  if (text[0] != '@') return std::uint64_t{kTruePredicate} << 12U;
  const bool negated = text[1] == '!';
  const char digit = text[text.find('P') + 1];
  const std::uint64_t index = digit == 'T' ? kTruePredicate : static_cast<std::uint64_t>(digit - '0');
  return (index | (negated ? 8U : 0U)) << 12U;
}

inline std::string function_text(const std::vector<Line>& lines, const std::string& name = "k") {
  std::string text = "\t\tFunction : " + name + "\n";
  for (std::size_t n = 0; n < lines.size(); ++n) {
    char address[16];
    std::snprintf(address, sizeof address, "%04zx", n * kInstructionBytes);
    text += std::string("/*") + address + "*/ " + lines[n].text + " ; /* " + hex16(guard_bits(lines[n].text)) +
            " */\n/* " + hex16(encode_control_word(lines[n].control)) + " */\n";
  }
  return text + "\t\t..........\n";
}

inline SassListing make_listing(const std::vector<Line>& lines) {
  return parse_listing(function_text(lines), "test.sass");
}

}  // namespace gputlm::sass_test
