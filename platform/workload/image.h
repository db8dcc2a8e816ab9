// SPDX-License-Identifier: Apache-2.0
//
// What memory holds before the first instruction: the contents of a line that was never written, by physical address.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gputlm/workload/expectation.h"

namespace gputlm {

/// Initial memory of an experiment: zeros, patterns and file contents, at no cost for what is a function of the
/// address.
class MemoryImage {
 public:
  MemoryImage() = default;
  explicit MemoryImage(ExpectedMemory contents) : contents_(std::move(contents)) {}

  /// Initial bytes; zero where the experiment says nothing. Any alignment and length.
  void fill(std::uint64_t physical, unsigned char* out, std::size_t length) const {
    contents_.bytes(physical, length, out);
  }

  const ExpectedMemory& contents() const { return contents_; }

 private:
  ExpectedMemory contents_;
};

}  // namespace gputlm
