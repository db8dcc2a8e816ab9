// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/threshold_janitor.h"

namespace gputlm {

/// The janitor, and with each line that it cleans or that leaves as a dirty victim the slice's other dirty lines of the
/// same DRAM row, as far as the write-back list has room: one activate then serves several writes. After the virtual
/// write queue (Stuecheli et al., ISCA 2010) and PAT-C's notifications sorted by DRAM page. Not known of the hardware;
/// for comparison.
class RowAwareCleaning : public ThresholdJanitor {
 public:
  using ThresholdJanitor::ThresholdJanitor;
  bool takes_row_along() const override { return true; }
};

}  // namespace gputlm
