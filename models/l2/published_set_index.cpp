// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/published_set_index.h"

#include <algorithm>

namespace gputlm {

PublishedSetIndex::PublishedSetIndex(const SetIndexSpec& spec, unsigned sets)
    : line_parities_(spec.line_masks),
      quotient_parities_(spec.quotient_masks),
      quotient_bytes_(std::max<std::uint64_t>(spec.quotient_bytes, 1)),
      invert_shift_(spec.invert_shift),
      invert_modulus_(std::max(spec.invert_modulus, 1U)),
      inverted_(invert_modulus_, 0),
      mask_(sets - 1) {
  if (spec.line_masks.empty()) return;
  for (const unsigned residue : spec.invert_residues)
    if (residue < invert_modulus_) inverted_[residue] = 1U << (spec.line_masks.size() - 1);
}

unsigned PublishedSetIndex::set_of(std::uint64_t line) const {
  const unsigned index = line_parities_(line) ^ quotient_parities_(line / quotient_bytes_) ^
                         inverted_[(line >> invert_shift_) % invert_modulus_];
  return index & mask_;
}

}  // namespace gputlm
