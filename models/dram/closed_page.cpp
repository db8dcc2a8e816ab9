// SPDX-License-Identifier: Apache-2.0
//
// Every line transaction closes its row behind itself: each line pays an activate, no line pays a precharge.
#include "gputlm/dram/page_policy.h"

namespace gputlm {
namespace {

class ClosedPage : public PagePolicy {
 public:
  Ck closes_at(Ck last_column) const override { return last_column; }
  bool auto_precharge() const override { return true; }
};

}  // namespace

std::unique_ptr<PagePolicy> make_closed_page() {
  return std::make_unique<ClosedPage>();
}

}  // namespace gputlm
