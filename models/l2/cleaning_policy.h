// SPDX-License-Identifier: Apache-2.0
//
// Which dirty line is written back ahead of need: one interface, one file per strategy, chosen by name.
#pragma once

#include "gputlm/l2/replacement_policy.h"

namespace gputlm {

/// Asked before every store (and atomic) to a set, which cleans one line of it at most; a policy may also have the
/// slice clean lines at other moments. Asked once, when the slice is made: uses_idle_memory(), takes_row_along().
class CleaningPolicy {
 public:
  virtual ~CleaningPolicy() = default;
  /// True: a line must be cleaned before a store to a set with `dirty_lines` dirty ones. `new_dirty_line`: the store
  /// would add one more.
  virtual bool wants_cleaning(unsigned dirty_lines, bool new_dirty_line) const = 0;
  /// The line to clean out of the dirty ones that may be (`cleanable`, not empty). `last_store`: order number of each
  /// way's last store.
  virtual unsigned choose(WayMask cleanable, const std::uint64_t* last_store) const = 0;
  /// The slice looks every idle_time whether memory is idle, and then cleans lines set by set.
  virtual bool uses_idle_memory() const { return false; }
  /// With each line that is written back go the slice's other dirty lines of its DRAM row.
  virtual bool takes_row_along() const { return false; }
};

/// The strategy named by `spec.policy`. Throws std::invalid_argument, which lists the known names, for any other.
std::unique_ptr<CleaningPolicy> make_cleaning(const JanitorSpec& spec);

/// Names make_cleaning() knows.
std::vector<std::string> cleaning_names();

}  // namespace gputlm
