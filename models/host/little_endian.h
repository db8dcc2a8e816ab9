// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gputlm {

/// Appends the bytes of an unsigned number, the lowest first, as GPU and host both store them.
template <class Word>
void append_word(std::vector<unsigned char>& bytes, Word word) {
  for (unsigned i = 0; i < sizeof(Word); ++i) bytes.push_back(static_cast<unsigned char>(word >> (8 * i) & 0xffU));
}

/// The number of the same width that was stored there.
template <class Word = std::uint32_t>
Word load_word(const unsigned char* bytes) {
  Word word = 0;
  for (unsigned i = 0; i < sizeof(Word); ++i) word |= static_cast<Word>(Word{bytes[i]} << (8 * i));
  return word;
}

}  // namespace gputlm
