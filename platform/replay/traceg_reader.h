// SPDX-License-Identifier: Apache-2.0
//
// One kernel's trace, thread block by thread block: nothing of a block is kept here.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gputlm/replay/damage.h"
#include "gputlm/replay/traceg_instruction.h"

namespace gputlm {

/// Is given the instructions of a block, warp after warp.
class TracegSink {
 public:
  virtual ~TracegSink() = default;
  virtual void on_warp(unsigned warp) = 0;
  virtual void on_instruction(const TracegInstruction& instruction) = 0;
};

class TracegReader {
 public:
  /// Reads the header; throws ConfigError. Both outlive the reader.
  TracegReader(std::unique_ptr<TraceLines> lines, TracegOpcodes& opcodes, Damage& damage);
  TracegReader(const TracegReader&) = delete;
  TracegReader& operator=(const TracegReader&) = delete;

  const TracegHeader& header() const { return header_; }
  /// Gives the sink the next block; false at the end of the file, with everything known that is wrong with its number
  /// of blocks. Of the second line for an LDGSTS, which tells its place in shared memory or repeats the first, nothing
  /// is given on.
  bool read_block(TracegSink& sink);

  std::uint64_t blocks() const { return blocks_; }
  const TraceLines& lines() const { return *lines_; }

 private:
  bool find_block();
  void read_line(std::string_view line, TracegSink& sink);
  bool read_key(std::string_view line, TracegSink& sink);
  void read_place(std::string_view value);
  void begin_warp(std::string_view value, TracegSink& sink);
  void read_instruction(std::string_view line, TracegSink& sink);
  bool is_twin(const TracegInstruction& i) const;
  void end_warp();
  void check_end();
  void note(std::string message, std::string_view found = {}, std::string allowed = {});

  std::unique_ptr<TraceLines> lines_;
  Damage& damage_;
  TracegHeader header_;
  TracegLineReader reader_;
  std::uint64_t blocks_ = 0;
  bool block_placed_ = false;                  ///< `thread block =` of this block has been read.
  std::optional<unsigned> warp_;               ///< Of this block, being read.
  std::optional<std::uint64_t> instructions_;  ///< `insts =` of this warp.
  std::uint64_t read_ = 0;                     ///< Instruction lines of this warp.
  TracegInstruction current_, last_copy_;
  bool after_copy_ = false;  ///< The line before was an LDGSTS: last_copy_.
};

}  // namespace gputlm
