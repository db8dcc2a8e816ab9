// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/set_index.h"
#include "gputlm/tlm/parity_table.h"

namespace gputlm {

/// The published XOR hash (READS, appendix): bit i = parity(a AND line_masks[i]) xor parity(q AND quotient_masks[i])
/// with q = floor(a / quotient_bytes), the last bit inverted for some residues of floor(a / 2^invert_shift). Known for
/// one slice; the model uses it for all 36. A slice with fewer sets than the function has takes its low bits.
class PublishedSetIndex : public SetIndex {
 public:
  PublishedSetIndex(const SetIndexSpec& spec, unsigned sets);
  unsigned set_of(std::uint64_t line) const override;

 private:
  ParityTable line_parities_, quotient_parities_;
  std::uint64_t quotient_bytes_;
  unsigned invert_shift_, invert_modulus_;
  std::vector<unsigned> inverted_;  ///< By residue: what the index is xored with.
  unsigned mask_;
};

}  // namespace gputlm
