// SPDX-License-Identifier: Apache-2.0
//
// A whole trace, read once before anything is simulated: what is wrong with it, how much there is to do, and which
// pages it touches. Kept is what grows with the kernels and the pages, nothing that grows with their instructions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/replay/kernel_list.h"
#include "gputlm/replay/traceg_reader.h"

namespace gputlm {

/// One kernel of a trace, ready to be read again block by block.
struct ReplayedKernel {
  enum class Form : std::uint8_t { traceg, text };

  std::string file;
  Form form = Form::traceg;
  std::uint64_t launch = 0;  ///< Of a text: which of its kernels.
  TracegHeader header;
  std::uint64_t blocks = 0, instructions = 0;
  bool async_copies = false;  ///< Some instruction is an LDGSTS.
};

struct PageUse {
  bool stored = false;  ///< By stores, reductions or atomics.
  bool copied = false;  ///< A copy from the host filled it.
};

struct SurveyProgress {
  std::string file;
  std::uint64_t bytes = 0;  ///< Read of all files, decompressed.
};
/// False: stop.
using KeepSurveying = std::function<bool(const SurveyProgress&)>;

/// The reading was stopped from outside.
struct SurveyStopped {};

/// What a trace holds.
struct ReplayTrace {
  std::vector<ReplayedKernel> kernels;
  std::vector<ReplayCopy> copies;
  std::map<std::uint64_t, PageUse> pages;  ///< By number: address / page_bytes.
  std::uint64_t page_bytes = 0;
  std::uint64_t skipped = 0;  ///< Lenient: what was damaged, in lines and kernels.
  Diagnostics damage;         ///< Lenient: the first of it.
  bool lenient = false;
};

/// The card's memory.
struct ReplayMemory {
  std::uint64_t page_bytes = 0, bytes = 0;
};

/// Reads a kernelslist.g, one kernel's trace or a text of accesses, told apart by what stands in the file. Throws
/// ConfigError with the first mistakes of a damaged trace (none when `lenient`) or when it touches more pages than the
/// memory has, SurveyStopped.
ReplayTrace survey_trace(const std::string& file, bool lenient, const ReplayMemory& memory,
                         const KeepSurveying& keep_going);

/// Opens a kernel's trace for reading.
std::unique_ptr<TraceLines> open_trace_lines(const std::string& file);

}  // namespace gputlm
