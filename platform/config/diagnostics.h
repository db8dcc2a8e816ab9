// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with an input file or an override, and where. Readers collect diagnostics and go on, so that a user
// sees all mistakes of a file at once.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputlm {

/// A position in a named input; line and column count from 1, 0 when there is none (an override, a missing file).
struct Place {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  /// `file:line:column`, or `file` alone.
  std::string text() const;
};

/// One mistake.
struct Diagnostic {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string path;     ///< Dotted key, e.g. l2.ways; empty when the mistake concerns no key.
  std::string found;    ///< Value as written; empty when there is none.
  std::string allowed;  ///< What would be right; empty when the message says it.
  std::string message;

  /// `file:line:column: path: message (found X, allowed Y)`, with the parts that are there.
  std::string text() const;
};

/// The mistakes found so far. Memory is bounded: past `kKept` they are only counted.
class Diagnostics {
 public:
  static constexpr std::size_t kKept = 200;

  void add(Diagnostic diagnostic);
  void add(const Place& place, std::string path, std::string message, std::string found = {}, std::string allowed = {});

  bool empty() const { return list_.empty(); }
  /// Nothing more is kept: what costs time to say need not be worked out.
  bool full() const { return list_.size() >= kKept; }
  std::size_t count() const { return list_.size() + dropped_; }
  /// As added.
  const std::vector<Diagnostic>& list() const { return list_; }
  /// By place: files in the order in which they were first mentioned, lines ascending.
  Diagnostics sorted() const;

  /// One line each.
  std::string text() const;
  /// Throws ConfigError when there is any.
  void throw_if_any() const;

 private:
  std::vector<Diagnostic> list_;
  std::size_t dropped_ = 0;
};

/// Thrown after an input has been read as a whole; what() holds every diagnostic, one a line, in the order of places.
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(Diagnostics diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_.list(); }

 private:
  Diagnostics diagnostics_;
};

/// Does `work` and keeps what it throws as ConfigError, so that other mistakes are found before all are thrown.
template <typename Work>
void gather(Diagnostics& diagnostics, Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (const ConfigError& e) {
    for (const Diagnostic& d : e.diagnostics()) diagnostics.add(d);
  }
}

/// Input text fit for a message: control characters replaced, long text cut.
std::string excerpt(std::string_view text);

/// "; did you mean NAME?" with the name nearest to `word`, or nothing when none of them is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

/// `a, b, c`.
std::string join_names(const std::vector<std::string>& names);

}  // namespace gputlm
