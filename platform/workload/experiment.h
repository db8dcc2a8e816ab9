// SPDX-License-Identifier: Apache-2.0
//
// An experiment as written in YAML: which configuration, what memory holds at first, and which kernels run. Read and
// checked as a whole; nothing here depends on the chip, which Workload brings in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/config/document_overrides.h"
#include "gputlm/tlm/time.h"
#include "gputlm/workload/buffer.h"
#include "gputlm/workload/experiment_head.h"
#include "gputlm/workload/kernel.h"
#include "gputlm/workload/pattern.h"
#include "gputlm/workload/sm_selection.h"

namespace gputlm {

/// Initial contents of one buffer.
struct ImageSpec {
  enum class Kind { zeros, pattern, floats, file };

  std::string buffer;
  Kind kind = Kind::zeros;
  std::uint64_t seed = 0;  ///< Mixed with the experiment's.
  std::string file;        ///< kind == file; relative to the experiment's own folder.
  std::string path;
  Place place;
};

/// One kernel: shape and pattern, and where its keys stand.
struct KernelSpec {
  KernelShape shape;  ///< Without SMs.
  SmSelection sms;
  std::uint64_t seed = 0;  ///< Mixed with the experiment's; default: the kernel's number.
  std::string pattern_name;
  std::shared_ptr<Pattern> pattern;
  std::string path;
  Place place;
  std::vector<std::pair<std::string, Place>> key_places;

  Place place_of(const std::string& key) const;
};

/// Kernels that run side by side.
struct PhaseSpec {
  std::string name;
  std::vector<KernelSpec> kernels;
};

/// What the runner prints besides the usual table.
enum class ReportKind { standard, one_set, store_journey };

/// What is done when the last phase has ended.
enum class EndKind {
  drain,  ///< Write-backs under way reach DRAM; dirty lines stay in L2.
  flush   ///< All dirty lines are written back, too.
};

/// Its seed may be replaced before a Workload is made of it.
struct Experiment : ExperimentHead {
  Fs sample_interval = 1000 * kFsPerNs;  ///< Of the time series.
  ReportKind report = ReportKind::standard;
  EndKind end = EndKind::drain;
  std::vector<BufferSpec> buffers;
  std::vector<ImageSpec> images;
  std::vector<PhaseSpec> phases;
};

/// Reads an experiment file. Throws ConfigError with every mistake found.
Experiment read_experiment(const std::string& file);
/// The same from a document's root, for whoever keeps experiments inside other files; `file` names it in messages.
Experiment experiment_of(const YamlNode& root, const std::string& file);
/// The same from text; `file` is its name for messages.
Experiment parse_experiment(const std::string& text, const std::string& file);
/// The same with values in place of the file's; mistakes go to `diagnostics`; with any, what comes back is only what
/// could be read.
Experiment parse_experiment(const std::string& text, const std::string& file, Diagnostics& diagnostics,
                            const DocumentOverrides& overrides = {});

}  // namespace gputlm
