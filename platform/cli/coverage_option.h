// SPDX-License-Identifier: Apache-2.0
//
// The option --coverage FILE, the same for every command that runs something.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "gputlm/config/regular_file.h"
#include "gputlm/coverage/coverage.h"

namespace gputlm {

class CoverageOption {
 public:
  CLI::Option* add_to(CLI::App& app) {
    return app.add_option("--coverage", file_,
                          "Count which situations the run meets; printed, and written to this file (JSON)");
  }
  /// Before a run, which may be long: throws ConfigError when the file could not be written afterwards, or is one of
  /// `inputs`, which the run reads.
  void prepare(const std::vector<std::string>& inputs = {}) const {
    if (wanted()) check_output_file(file_, inputs);
  }
  bool wanted() const { return !file_.empty(); }
  void add(const std::optional<Coverage>& coverage) {
    if (coverage) sum_.add(*coverage);
  }
  /// Writes the file and prints the table, when asked for. Throws ConfigError.
  void finish(std::ostream& out) const {
    if (!wanted()) return;
    sum_.write(file_);
    sum_.print(out);
  }

 private:
  std::string file_;
  Coverage sum_;
};

}  // namespace gputlm
