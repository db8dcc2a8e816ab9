// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/set_index.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {

/// The low bits of the line number: what a cache without a hash would do. No hardware source; for comparison.
class ModuloSetIndex : public SetIndex {
 public:
  ModuloSetIndex(const SetIndexSpec& /*spec*/, unsigned sets) : mask_(sets - 1) {}
  unsigned set_of(std::uint64_t line) const override { return static_cast<unsigned>(line / kLineBytes) & mask_; }

 private:
  unsigned mask_;
};

}  // namespace gputlm
