// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gputlm/sass/bound_instruction.h"
#include "gputlm/sass/listing.h"

namespace gputlm {

/// The code of one kernel, ready to run.
class SassCode {
 public:
  /// Throws ConfigError that names every instruction which the kernel may reach and the table does not cover, and every
  /// constant bank it reads that is not in `banks`: a listing does not contain them (bank 0 is the launch's and always
  /// there).
  SassCode(const SassListing& listing, const SassKernel& kernel, const std::vector<unsigned>& banks = {});

  const std::string& kernel() const { return kernel_; }
  const std::string& file() const { return file_; }
  /// Instructions by address / 16.
  const std::vector<SassInstruction>& listing() const { return listing_; }
  const std::vector<BoundInstruction>& code() const { return code_; }
  /// False: not covered by the table, which no path was found to reach.
  bool supported(std::size_t index) const { return supported_[index]; }
  /// Registers a thread uses, as QMD and occupancy count them.
  unsigned registers() const { return registers_; }
  /// Registers a warp's state must hold.
  unsigned register_space() const { return registers_ + 4; }
  /// Bytes from the first parameter to the end of the last one that the code names.
  std::uint32_t parameter_bytes() const { return parameter_bytes_; }

 private:
  void merge_invalidates();
  void measure();

  std::string file_, kernel_;
  std::vector<SassInstruction> listing_;
  std::vector<BoundInstruction> code_;
  std::vector<bool> supported_;
  unsigned registers_ = 0;
  std::uint32_t parameter_bytes_ = 0;
};

/// Which instructions a thread may reach from the kernel's entry. An indirect call may reach all of them.
std::vector<bool> reachable_instructions(const SassKernel& kernel);

}  // namespace gputlm
