// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gputlm/config/yaml_reader.h"
#include "gputlm/workload/experiment.h"

namespace gputlm {

/// Turns the root map of an experiment's document into an Experiment; mistakes go to the diagnostics.
class ExperimentReader {
 public:
  ExperimentReader(const YamlNode& root, const std::string& file, Diagnostics& diagnostics);

  Experiment read();

 private:
  void read_course();
  void read_buffers();
  void read_image();
  void read_phases();
  void read_phase(YamlReader& reader);
  KernelSpec read_kernel(YamlReader& reader, const std::string& default_name);
  void read_pattern(YamlReader& reader, KernelSpec& kernel);

  YamlReader root_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  Experiment experiment_;
  std::uint32_t kernels_ = 0;
  bool buffers_read_ = false;  ///< Without a mistake: patterns can be checked against their sizes.
};

}  // namespace gputlm
