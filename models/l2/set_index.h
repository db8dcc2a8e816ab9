// SPDX-License-Identifier: Apache-2.0
//
// Which set of a slice a line belongs to: one interface, one file per strategy, chosen by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gputlm/l2/l2_spec.h"

namespace gputlm {

/// Maps a physical line address to a set. A pure function of the address.
class SetIndex {
 public:
  virtual ~SetIndex() = default;
  virtual unsigned set_of(std::uint64_t line) const = 0;
};

/// The strategy named by `spec.type` for a slice of `sets` sets (a power of two). Throws std::invalid_argument, which
/// lists the known names, for any other.
std::unique_ptr<SetIndex> make_set_index(const SetIndexSpec& spec, unsigned sets);

/// Names make_set_index() knows.
std::vector<std::string> set_index_names();

}  // namespace gputlm
