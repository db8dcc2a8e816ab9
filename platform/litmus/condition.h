// SPDX-License-Identifier: Apache-2.0
//
// The interesting final state of a litmus test: a formula over registers (`P1:r0`) and memory (`x`).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

/// A register of a thread or a location, as the condition names it.
struct LitmusVariable {
  int thread = -1;   ///< -1: memory.
  std::string name;  ///< Register or location.

  bool operator==(const LitmusVariable& other) const { return thread == other.thread && name == other.name; }
  std::string text() const { return thread < 0 ? name : "P" + std::to_string(thread) + ":" + name; }
};

/// A formula: comparisons of variables with constants (=, !=), joined by and (`&`, `/\`), or (`|`, `\/`), negation
/// (`!(`
/// `)`) and parentheses. And binds tighter than or.
class Condition {
 public:
  /// Parses `text`. On failure the message is in `problem`, which is empty otherwise.
  static Condition parse(std::string_view text, std::string& problem);

  /// The variables compared, each once, in order of appearance.
  const std::vector<LitmusVariable>& variables() const { return variables_; }
  /// True when the formula holds; `values` belong to variables().
  bool holds(const std::vector<std::uint32_t>& values) const;

 private:
  struct Node {
    enum class Kind : std::uint8_t { equal, unequal, both, either, negation };
    Kind kind = Kind::equal;
    unsigned left = 0, right = 0;  ///< Nodes; of a comparison: the variable.
    std::uint32_t value = 0;
  };
  class Parser;

  bool holds(unsigned node, const std::vector<std::uint32_t>& values) const;

  std::vector<LitmusVariable> variables_;
  std::vector<Node> nodes_;  ///< The last one is the formula.
};

}  // namespace gputlm
