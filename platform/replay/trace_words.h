// SPDX-License-Identifier: Apache-2.0
//
// The words of a trace's line.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gputlm {

/// A number that is the whole text.
template <class T>
std::optional<T> number_of(std::string_view text, int base = 10) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Hexadecimal, with or without 0x.
inline std::optional<std::uint64_t> hex_of(std::string_view text) {
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") text.remove_prefix(2);
  return number_of<std::uint64_t>(text, 16);
}

inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// `X,Y,Z`, and nothing else.
inline bool three_numbers(std::string_view text, std::array<std::uint32_t, 3>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t comma = text.find(',');
    const auto number = number_of<std::uint32_t>(trimmed(text.substr(0, comma)));
    if (!number || (comma == std::string_view::npos) != (i + 1 == numbers.size())) return false;
    numbers[i] = *number;
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return true;
}

inline bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

/// Words with blanks between them, one after the other.
class TraceWords {
 public:
  explicit TraceWords(std::string_view line) : rest_(line) { skip(); }

  bool empty() const { return rest_.empty(); }
  /// The next word, which stays; empty at the end.
  std::string_view peek() const { return rest_.substr(0, rest_.find_first_of(kBlanks)); }
  std::string_view take() {
    const std::string_view word = peek();
    rest_.remove_prefix(word.size());
    skip();
    return word;
  }

 private:
  static constexpr std::string_view kBlanks = " \t";

  void skip() {
    const std::size_t first = rest_.find_first_not_of(kBlanks);
    rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
  }

  std::string_view rest_;
};

}  // namespace gputlm
