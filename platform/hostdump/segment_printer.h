// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "gputlm/hostformats/compute_methods.h"
#include "gputlm/hostformats/method_header.h"
#include "gputlm/hostformats/method_table.h"
#include "gputlm/hostformats/qmd.h"

namespace gputlm {

/// Prints the method calls of one channel's segments, one a line; a QMD is printed by its fields when its last word has
/// come. Keeps what one segment leaves for the next: the classes bound to subchannels, a QMD that is not whole.
class SegmentPrinter {
 public:
  /// Prints a segment that lies at `address`. Throws FormatError at the first word that cannot be read; `read()` then
  /// tells how many words before it were.
  void print(std::ostream& out, std::uint64_t address, const std::vector<std::uint32_t>& words);
  std::size_t read() const { return read_; }

 private:
  void print_call(std::ostream& out, std::uint64_t address, const MethodCall& call);
  void take_qmd_word(std::ostream& out, const MethodCall& call);

  std::array<const MethodClass*, MethodHeader::kMostSubchannel + 1> bound_{};
  Qmd::Words qmd_{};
  std::size_t read_ = 0;
};

/// The fields that are not 0, with what they mean, and the bits that no field covers.
void print_qmd(std::ostream& out, const Qmd& qmd, const std::string& indent);

}  // namespace gputlm
