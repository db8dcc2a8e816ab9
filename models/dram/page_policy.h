// SPDX-License-Identifier: Apache-2.0
//
// When a channel closes a row that nobody asks it to close.
#pragma once

#include <memory>

#include "gputlm/dram/dram_timing.h"

namespace gputlm {

class PagePolicy {
 public:
  virtual ~PagePolicy() = default;
  /// Clock at which a row closes whose last column command was at `last_column`; kNever: it stays open.
  virtual Ck closes_at(Ck last_column) const = 0;
  /// The last column of each line carries an auto-precharge: no command slot, closed as early as the bank allows.
  virtual bool auto_precharge() const { return false; }

  /// The strategy that spec.page_policy names (open, closed, idle_timer), or null for an unknown name.
  static std::unique_ptr<PagePolicy> make(const DramSpec& spec, const DramTiming& timing);
};

/// Strategies, one file each.
std::unique_ptr<PagePolicy> make_open_page();
std::unique_ptr<PagePolicy> make_closed_page();
std::unique_ptr<PagePolicy> make_idle_timer_page(Ck idle_close);

}  // namespace gputlm
