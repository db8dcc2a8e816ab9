// SPDX-License-Identifier: Apache-2.0
//
// Sweeps written out in a test.
#pragma once

#include <string>

#include "gputlm/sweep/sweep_plan.h"
#include "gputlm/test_support/temp_folder.h"

namespace gputlm::test {

/// A small experiment on the smallest card.
inline const char* const kTarget = R"(experiment: small
config: tiny
buffers:
  out: {size: 64 KiB}
phases:
  - {name: write, pattern: stream_store, buffer: out, grid: 2, block: 64}
)";

/// A folder with small.yaml and sweep.yaml, whose first two lines name both.
class SweepText {
 public:
  explicit SweepText(const std::string& rest, const std::string& head = "sweep: s\nexperiment: small.yaml\n") {
    folder_.file("small.yaml", kTarget);
    file_ = folder_.file("sweep.yaml", head + rest);
  }

  SweepFile read() const { return read_sweep_file(file_); }
  SweepPlan plan() const { return make_sweep_plan(read()); }
  std::string path(const std::string& name) const { return folder_.path(name); }

  /// What is wrong with it, with the folder's name taken out.
  std::string mistakes() const {
    try {
      plan();
    } catch (const ConfigError& e) {
      std::string text = e.what();
      const std::string folder = folder_.path("");
      for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
      return text;
    }
    return "";
  }

 private:
  TempFolder folder_;
  std::string file_;
};

}  // namespace gputlm::test
