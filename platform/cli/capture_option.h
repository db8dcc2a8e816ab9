// SPDX-License-Identifier: Apache-2.0
//
// The option --record-traceg, the same for every command that runs something on a card.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "gputlm/replay/traceg_capture.h"
#include "gputlm/system/simulation.h"

namespace gputlm {

/// prepare() before anything is built, attach() between the card and its run, finish() after it.
class CaptureOption {
 public:
  void add_to(CLI::App& app);
  bool wanted() const { return !path_.empty(); }
  /// Throws ConfigError when it cannot be written. `inputs`: files that the run reads.
  void prepare(const std::vector<std::string>& inputs);
  /// Of a card that runs these kernels, by number.
  void attach(JudgedGpu& machine, std::vector<TracegHeader> kernels, std::vector<ReplayCopy> copies);
  /// Of an experiment: kernels in one dimension.
  void attach(Simulation& simulation);
  /// Writes the files of a run that is complete, none of another, and says so on the standard error.
  void finish(bool complete);

 private:
  std::string path_;
  std::unique_ptr<CaptureTarget> target_;
  std::unique_ptr<TracegCapture> capture_;
};

}  // namespace gputlm
