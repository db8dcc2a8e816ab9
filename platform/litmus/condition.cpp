// SPDX-License-Identifier: Apache-2.0
#include "gputlm/litmus/condition.h"

#include <algorithm>
#include <cctype>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/quantity.h"

namespace gputlm {

/// Recursive descent; the first problem ends it.
class Condition::Parser {
 public:
  Parser(std::string_view text, Condition& result, std::string& problem)
      : text_(text), result_(result), problem_(problem) {}

  void run() {
    either(0);
    skip_blanks();
    if (at_ < text_.size()) fail("an operator (&, /\\, |, \\/)");
  }

 private:
  static constexpr unsigned kDeepest = 64;
  // A formula is evaluated recursively, so its size bounds the stack.
  static constexpr std::size_t kMostNodes = 1000;

  void fail(const std::string& wanted) {
    if (problem_.empty())
      problem_ =
          wanted + " expected " + (at_ < text_.size() ? "at '" + excerpt(text_.substr(at_)) + "'" : "at the end");
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool take(std::string_view token) {
    skip_blanks();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  unsigned add(Node::Kind kind, unsigned left, unsigned right = 0, std::uint32_t value = 0) {
    if (result_.nodes_.size() == kMostNodes) fail("at most 1000 comparisons and operators");
    if (!problem_.empty()) return 0;
    result_.nodes_.push_back({kind, left, right, value});
    return static_cast<unsigned>(result_.nodes_.size() - 1);
  }

  unsigned either(unsigned depth) {
    unsigned node = both(depth);
    while (problem_.empty() && (take("|") || take("\\/"))) {
      const unsigned right = both(depth);
      node = add(Node::Kind::either, node, right);
    }
    return node;
  }

  unsigned both(unsigned depth) {
    unsigned node = primary(depth);
    while (problem_.empty() && (take("&") || take("/\\"))) {
      const unsigned right = primary(depth);
      node = add(Node::Kind::both, node, right);
    }
    return node;
  }

  unsigned primary(unsigned depth) {
    if (depth > kDeepest) fail("at most 64 nested parentheses");
    if (!problem_.empty()) return 0;
    if (take("!")) return add(Node::Kind::negation, primary(depth + 1));
    if (!take("(")) return comparison();
    const unsigned node = either(depth + 1);
    if (!take(")")) fail("')'");
    return node;
  }

  std::string word() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  unsigned comparison() {
    LitmusVariable variable;
    variable.name = word();
    if (variable.name.empty()) fail("a register or a location");
    if (take(":")) {
      const bool named = !variable.name.empty() && variable.name[0] == 'P';
      const Parsed<std::uint64_t> thread = parse_count(named ? variable.name.substr(1) : std::string());
      if (!named || !thread || thread.value > 31) fail("a thread P0 to P31 before ':'");
      variable.thread = static_cast<int>(thread.value);
      variable.name = word();
      if (variable.name.empty()) fail("a register");
    }
    const bool unequal = take("!=");
    if (!unequal && !take("=")) fail("= or !=");
    const Parsed<std::uint64_t> value = parse_count(word());
    if (!value || value.value > 0xffffffffULL) fail("a number of at most 32 bits");
    if (!problem_.empty()) return 0;
    return add(unequal ? Node::Kind::unequal : Node::Kind::equal, index_of(variable), 0,
               static_cast<std::uint32_t>(value.value));
  }

  unsigned index_of(const LitmusVariable& variable) {
    auto& all = result_.variables_;
    const auto at = std::find(all.begin(), all.end(), variable);
    const auto index = static_cast<unsigned>(at - all.begin());
    if (at == all.end()) all.push_back(variable);
    return index;
  }

  std::string_view text_;
  Condition& result_;
  std::string& problem_;
  std::size_t at_ = 0;
};

Condition Condition::parse(std::string_view text, std::string& problem) {
  Condition condition;
  problem.clear();
  Parser(text, condition, problem).run();
  return condition;
}

bool Condition::holds(const std::vector<std::uint32_t>& values) const {
  return holds(static_cast<unsigned>(nodes_.size() - 1), values);
}

bool Condition::holds(unsigned node, const std::vector<std::uint32_t>& values) const {
  const Node& n = nodes_[node];
  switch (n.kind) {
    case Node::Kind::equal:
      return values[n.left] == n.value;
    case Node::Kind::unequal:
      return values[n.left] != n.value;
    case Node::Kind::both:
      return holds(n.left, values) && holds(n.right, values);
    case Node::Kind::either:
      return holds(n.left, values) || holds(n.right, values);
    case Node::Kind::negation:
      return !holds(n.left, values);
  }
  return false;
}

}  // namespace gputlm
