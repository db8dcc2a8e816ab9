// SPDX-License-Identifier: Apache-2.0
//
// What a kernel's trace says about the kernel before its first thread block.
#pragma once

#include <cstdint>
#include <string>

#include "gputlm/replay/trace_lines.h"
#include "gputlm/sass/sass_launch.h"

namespace gputlm {

/// Layouts of an instruction line; they differ in what stands before and behind what all have.
enum class TracegVersion : std::uint8_t {
  prefixed,   ///< Tracer version absent, or below 3: block and warp lead each line.
  plain,      ///< 3
  lined,      ///< 4: a source line number leads, when the header says so.
  immediates  ///< 5: as 4, and an immediate ends each line.
};

struct TracegHeader {
  std::string kernel = "kernel";
  std::uint64_t id = 0;
  Dimensions grid, block;
  std::uint32_t shared_bytes = 0;  ///< Of a block, static and dynamic.
  std::uint32_t registers = 0;     ///< Of a thread.
  std::uint32_t binary_version = 0;
  std::uint64_t stream = 0;
  std::uint64_t shared_base = 0, local_base = 0;  ///< Windows of generic addresses; 0: not said.
  TracegVersion version = TracegVersion::prefixed;
  bool lines = false;  ///< Version 4 and 5: a source line number leads each instruction.

  unsigned warps_per_block() const { return static_cast<unsigned>((block.count() + 31) / 32); }
  /// Which memory a generic address names.
  Space space_of(std::uint64_t address) const;
};

/// Reads up to the `#traces format` line, or the first block's `#BEGIN_TB`. Keys that nobody knows are left alone:
/// newer tracers write more. Throws ConfigError with all mistakes: a kernel without a shape cannot be guessed.
TracegHeader read_traceg_header(TraceLines& lines);

}  // namespace gputlm
