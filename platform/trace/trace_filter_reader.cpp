// SPDX-License-Identifier: Apache-2.0
//
// The language of TraceFilter, by recursive descent.
#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/quantity.h"
#include "gputlm/trace/trace_filter.h"

namespace gputlm {
namespace {

/// As deep as parentheses and negations may nest, so that no text overflows the stack.
constexpr unsigned kDeepest = 100;

const std::vector<std::string>& field_names() {
  static const std::vector<std::string> names{"unit",    "sm",   "warp",  "kernel", "cta", "instruction",
                                              "address", "line", "bytes", "op",     "kind"};
  return names;
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kTraceUnits; ++i) names.emplace_back(name_of(static_cast<TraceUnit>(i)));
  return names;
}

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (unsigned i = 0; i <= static_cast<unsigned>(Operation::system_barrier); ++i)
    names.emplace_back(name_of(static_cast<Operation>(i)));
  return names;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (unsigned i = 0; i <= static_cast<unsigned>(TraceKind::engine); ++i)
    names.emplace_back(name_of(static_cast<TraceKind>(i)));
  return names;
}

}  // namespace

class TraceFilterReader {
 public:
  TraceFilterReader(const std::string& text, const std::string& option) : text_(text), option_(option) {}

  TraceFilter read() {
    expression(0);
    if (!word().empty()) fail("the expression ends here", "&&, || or the end");
    return std::move(filter_);
  }

 private:
  using Field = TraceFilter::Field;
  using Comparison = TraceFilter::Comparison;
  using Step = TraceFilter::Step;

  // The word at the reader's place, which stays where it is: a symbol, or a run of letters and digits.
  std::string_view word() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    const std::string_view rest = std::string_view(text_).substr(at_);
    for (const std::string_view symbol : {"&&", "||", "==", "!=", "<=", ">="})
      if (rest.substr(0, 2) == symbol) return rest.substr(0, 2);
    std::size_t n = 0;
    while (n < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[n])) != 0 || rest[n] == '_')) ++n;
    return rest.substr(0, std::max<std::size_t>(n, rest.empty() ? 0 : 1));
  }
  void advance(std::string_view w) { at_ += w.size(); }
  bool take(std::string_view expected) {
    if (word() != expected) return false;
    advance(expected);
    return true;
  }

  [[noreturn]] void fail(const std::string& message, const std::string& allowed) {
    const std::string_view found = word();
    Diagnostics mistakes;
    mistakes.add({option_, 1, static_cast<unsigned>(at_ + 1)}, {}, message, found.empty() ? "the end" : excerpt(found),
                 allowed);
    throw ConfigError(std::move(mistakes));
  }

  void emit(Step step) {
    filter_.program_.emplace_back();
    filter_.program_.back().step = step;
  }

  void expression(unsigned depth) {
    all(depth);
    while (take("||")) {
      all(depth);
      emit(Step::either);
    }
  }
  void all(unsigned depth) {
    negation(depth);
    while (take("&&")) {
      negation(depth);
      emit(Step::both);
    }
  }
  void negation(unsigned depth) {
    if (depth > kDeepest) fail("nested too deeply", "at most 100 levels");
    if (take("!")) {
      negation(depth + 1);
      emit(Step::negate);
    } else if (take("(")) {
      expression(depth + 1);
      if (!take(")")) fail("a parenthesis is not closed", "), && or ||");
    } else {
      comparison();
    }
  }

  void comparison() {
    TraceFilter::Instruction i;
    i.field = field();
    const bool named = i.field == Field::unit || i.field == Field::op || i.field == Field::kind;
    i.comparison = comparison_sign(named);
    if (named)
      i.name = name_of_field(i.field);
    else
      i.number = number();
    filter_.program_.push_back(std::move(i));
  }

  Field field() {
    const auto& names = field_names();
    const std::string w(word());
    const auto found = std::find(names.begin(), names.end(), w);
    if (found == names.end())
      fail("no field" + (w.empty() ? std::string() : did_you_mean(w, names)), join_names(names) + ", ! or (");
    advance(w);
    return static_cast<Field>(found - names.begin());
  }

  Comparison comparison_sign(bool named) {
    constexpr std::array<std::string_view, 6> kSigns{"==", "!=", "<", "<=", ">", ">="};
    const std::string_view w = word();
    const auto* const found = std::find(kSigns.begin(), kSigns.begin() + (named ? 2 : 6), w);
    if (found == kSigns.begin() + (named ? 2 : 6)) fail("no comparison", named ? "==, !=" : "==, !=, <, <=, >, >=");
    advance(w);
    return static_cast<Comparison>(found - kSigns.begin());
  }

  std::string name_of_field(Field field) {
    const std::vector<std::string> names = field == Field::unit ? unit_names()
                                           : field == Field::op ? operation_names()
                                                                : kind_names();
    std::string w(word());
    if (std::find(names.begin(), names.end(), w) == names.end())
      fail("no such name" + (w.empty() ? std::string() : did_you_mean(w, names)), join_names(names));
    advance(w);
    return w;
  }

  std::uint64_t number() {
    const std::string_view w = word();
    const Parsed<std::uint64_t> value = parse_count(w);
    if (!value) fail(value.problem, "a whole number, decimal or after 0x hexadecimal");
    advance(w);
    return value.value;
  }

  const std::string& text_;
  const std::string& option_;
  std::size_t at_ = 0;
  TraceFilter filter_;
};

TraceFilter TraceFilter::parse(const std::string& text, const std::string& option) {
  return TraceFilterReader(text, option).read();
}

}  // namespace gputlm
