// SPDX-License-Identifier: Apache-2.0
//
// The options that record a run, the same for every command that runs something on a card: --trace, --trace-db,
// --trace-csv, --vcd, --vcd-signals, --trace-window, --trace-filter.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include <CLI/CLI.hpp>

#include "gputlm/trace/trace_recorder.h"
#include "gputlm/trace/vcd_writer.h"

namespace gputlm {

/// One recording: prepare() before anything is built, attach() between the card and its run, finish() after it.
class TraceOption {
 public:
  void add_to(CLI::App& app);
  /// The options that were given, for a command that cannot serve them; empty: none.
  std::string given() const;
  /// Throws ConfigError with all that is wrong: texts, and files that could not be written afterwards.
  /// `inputs`: files that the run reads, which no recording may replace. `config`: the card's; null when it is
  /// not known yet, or has mistakes of its own.
  void prepare(const std::vector<std::string>& inputs, const Config* config = nullptr);
  /// Nothing is bound, and the run not recorded, when no file asks for it. `more`: arrows beyond the card's.
  void attach(JudgedGpu& machine, const std::function<void(TraceRecorder&)>& more = {});
  /// Puts the files into their places and says in `out` what the bound has left out, and when nothing happened in the
  /// window. Throws std::runtime_error.
  void finish(std::ostream& out);

 private:
  bool recorded() const { return !json_.empty() || !database_.empty() || !csv_.empty(); }
  void check_files(const std::vector<std::string>& inputs, Diagnostics& mistakes) const;
  VcdSelection selected_signals(const Config& config) const;
  void note_what_is_missing(std::ostream& out) const;

  std::string json_, database_, csv_, vcd_, signals_, window_, filter_;
  TraceSelection selection_;
  std::unique_ptr<TraceRecorder> recorder_;
  std::unique_ptr<VcdWriter> changes_;
};

}  // namespace gputlm
