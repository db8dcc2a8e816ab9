// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "gputlm/replay/trace_lines.h"

namespace gputlm {

/// All that a Damage holds: nobody need note it again.
class TraceDamaged final : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

/// What is wrong with a trace. Strict: it is thrown, with some more of the same file. Lenient: what is damaged has been
/// skipped and is only counted.
class Damage {
 public:
  /// A file that is no trace at all would be wrong in every line.
  static constexpr std::size_t kMost = 20;

  explicit Damage(bool lenient) : lenient_(lenient) {}

  bool lenient() const { return lenient_; }
  /// Throws TraceDamaged when it is the last one worth telling.
  void note(const Place& place, std::string message, std::string found = {}, std::string allowed = {}) {
    ++count_;
    diagnostics_.add(place, {}, std::move(message), std::move(found), std::move(allowed));
    if (count_ >= kMost) throw_if_strict();
  }
  void note(const ConfigError& error) {
    for (const Diagnostic& d : error.diagnostics()) note({d.file, d.line, d.column}, d.message, d.found, d.allowed);
  }
  void throw_if_strict() const {
    if (!lenient_ && !diagnostics_.empty()) throw TraceDamaged(diagnostics_.sorted());
  }
  /// The next line; a file that cannot be read on ends there.
  bool next_line(TraceLines& lines, std::string_view& line) {
    try {
      return lines.next(line);
    } catch (const ConfigError& e) {
      note(e);
      throw_if_strict();
      return false;
    }
  }

  std::uint64_t count() const { return count_; }
  /// The first ones.
  const Diagnostics& first() const { return diagnostics_; }

 private:
  const bool lenient_;
  std::uint64_t count_ = 0;
  Diagnostics diagnostics_;
};

}  // namespace gputlm
