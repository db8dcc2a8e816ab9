// SPDX-License-Identifier: Apache-2.0
//
// Open page with a timer: a row that was not used for so long is precharged (READS fn14: with one read in flight the
// row is closed before the next comes, so the time is below about 255 ns).
#include "gputlm/dram/page_policy.h"

namespace gputlm {
namespace {

class IdleTimerPage : public PagePolicy {
 public:
  explicit IdleTimerPage(Ck idle_close) : idle_close_(idle_close) {}
  Ck closes_at(Ck last_column) const override { return last_column + idle_close_; }

 private:
  Ck idle_close_;
};

}  // namespace

std::unique_ptr<PagePolicy> make_idle_timer_page(Ck idle_close) {
  return std::make_unique<IdleTimerPage>(idle_close);
}

}  // namespace gputlm
