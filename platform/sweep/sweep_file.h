// SPDX-License-Identifier: Apache-2.0
//
// A sweep as written in YAML; docs/sweeps.md describes the format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/config/override_text.h"
#include "gputlm/sweep/statistic.h"
#include "gputlm/sweep/sweep_parameter.h"

namespace gputlm {

inline constexpr const char* kSweepFolder = "configs/sweeps";

enum class SweepMethod : std::uint8_t { grid, list, random, latin_hypercube };
/// As it is written.
const char* name_of(SweepMethod method);

/// How tasks are handed to Slurm.
struct SlurmOptions {
  std::vector<std::string> options;  ///< Of sbatch, as they are.
  unsigned points_per_task = 1;
};

struct SweepFile {
  std::string file, text;  ///< Its name, as given, and what it holds.
  std::string name, description;
  bool probe = false;       ///< Of a probe, not an experiment.
  std::string target;       ///< Experiment or probe, as written.
  std::string target_file;  ///< Its file.
  std::string config;       ///< As written; empty: the target's.
  std::string config_file;  ///< Empty: the target's.
  std::vector<Override> set;
  SweepMethod method = SweepMethod::grid;
  std::uint64_t points = 0;  ///< Of samples.
  std::uint64_t seed = 1;    ///< Of samples.
  bool skip_unfit = false;   ///< Leave out points whose values do not go together.
  std::vector<SweepParameter> parameters;
  std::vector<StatisticChoice> statistics;  ///< Empty: the headline figures.
  SlurmOptions slurm;
  Place place;  ///< Of the parameters.

  bool sampled() const { return method == SweepMethod::random || method == SweepMethod::latin_hypercube; }
};

/// Reads a sweep's file; paths in it are relative to its folder. Throws ConfigError with every mistake found.
SweepFile read_sweep_file(const std::string& file);

}  // namespace gputlm
