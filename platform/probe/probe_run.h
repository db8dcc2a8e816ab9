// SPDX-License-Identifier: Apache-2.0
//
// What a probe is written with: the parameters of its file, runs of its experiment, and the rows it makes of them.
//
//     void probes::latency(ProbeRun& run) {
//       for (const std::uint64_t bytes : run.counts("footprints")) {
//         const Measurement m = run.measure({{"footprint", bytes}});
//         run.row(fmt::format("footprint={}", bytes), ..., "ns");
//       }
//     }
//
// A probe sees what an experimenter sees: times, durations, counters, and the published address functions for choosing
// addresses. The configuration it runs on is hidden from it, except for the clock in which cycles are counted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/probe/case_runner.h"
#include "gputlm/probe/case_template.h"
#include "gputlm/probe/probe_file.h"
#include "gputlm/workload/buffer.h"

namespace gputlm {

/// One figure of one case.
struct ProbeRow {
  std::string probe, case_name;
  std::optional<double> value;  ///< None: the runs did not show it.
  std::string unit;
  std::optional<Reference> reference;

  /// False when there is a reference and the value misses it.
  bool ok() const { return !reference || (value && reference->met_by(*value)); }
};

/// How the user wants probes to be run.
struct ProbeOptions {
  std::string config;                  ///< Instead of the probe's; empty: the probe's.
  std::vector<std::string> overrides;  ///< `path=value` of the card, applied last.
  DocumentOverrides document;          ///< Of the probe's file.
  bool compare = true;                 ///< With the references; else the figures stand alone.
  bool full = false;
  bool dry = false;    ///< Nothing runs: the first run that would begin throws DryRun instead.
  bool check = false;  ///< With a checker on every arrow and every DRAM channel.
  KeepGoing keep_going = [] { return true; };
  std::function<void(const std::string&)> progress = [](const std::string&) {};  ///< Told before each run.
};

/// Everything that a probe does before its first run is right.
class DryRun : public ProbeError {
 public:
  DryRun() : ProbeError("nothing is run") {}
};

/// One execution of one probe.
class ProbeRun {
 public:
  ProbeRun(const ProbeFile& file, const ProbeOptions& options);
  ~ProbeRun();

  /// Parameters of the file. A missing or wrong one is a ConfigError.
  std::uint64_t count(const std::string& name) const;
  std::vector<std::uint64_t> counts(const std::string& name) const;
  std::string text(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;
  bool full() const { return options_.full; }

  /// Runs the experiment with the variables (over the file's scalar parameters of the same names) and, below those of
  /// the user, more configuration overrides. Throws ProbeError unless the run ends clean.
  Measurement measure(const Variables& variables = {}, const std::vector<std::string>& more = {},
                      Recording recording = Recording::accesses);

  /// Adds a row, its figure rounded to nine decimals.
  void row(const std::string& case_name, std::optional<double> value, const std::string& unit);
  const std::vector<ProbeRow>& rows() const { return rows_; }
  /// Throws ConfigError when the file has a reference for which there was no case.
  void check_references() const;

  /// SM clock cycles in a duration, as clock64() counts them.
  double cycles(double ns) const;

  // The published functions, for choosing addresses. Physical addresses; a buffer's stand in buffer().
  unsigned slice_of(std::uint64_t physical) const;
  unsigned set_of(std::uint64_t physical) const;
  unsigned slices() const { return config_.crossbar.slices; }
  /// The set's number among those of all slices: the first set of each slice, then the second of each, and so on.
  std::uint64_t l2_set_number(std::uint64_t physical) const;
  unsigned controller_of(std::uint64_t physical) const;
  /// Where a buffer of the experiment lies.
  Buffer buffer(const std::string& name, const Variables& variables = {}) const;
  /// Offsets of the first `count` lines of the buffer that `wanted(physical)` picks. Throws ProbeDoesNotApply
  /// when there are fewer.
  std::vector<std::uint64_t> lines(const Buffer& buffer, std::size_t count,
                                   const std::function<bool(std::uint64_t)>& wanted) const;
  /// Offsets of all lines of the buffer that `wanted(physical)` picks.
  static std::vector<std::uint64_t> all_lines(const Buffer& buffer, const std::function<bool(std::uint64_t)>& wanted);
  /// Offsets of `lines` lines of each of `sets` L2 sets, of any slices. Throws ProbeDoesNotApply when there are too
  /// few.
  std::vector<std::vector<std::uint64_t>> lines_of_sets(const Buffer& buffer, std::size_t sets,
                                                        std::size_t lines) const;

 private:
  struct Functions;

  Experiment experiment(const Variables& variables) const;
  const YamlNode& parameter(const std::string& name) const;

  const ProbeFile& file_;
  const ProbeOptions& options_;
  Config config_;
  std::unique_ptr<const Functions> functions_;
  std::vector<ProbeRow> rows_;
};

}  // namespace gputlm
