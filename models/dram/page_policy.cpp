// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/page_policy.h"

namespace gputlm {

std::unique_ptr<PagePolicy> PagePolicy::make(const DramSpec& spec, const DramTiming& timing) {
  if (spec.page_policy == "open") return make_open_page();
  if (spec.page_policy == "closed") return make_closed_page();
  if (spec.page_policy == "idle_timer") return make_idle_timer_page(timing.cycles(spec.idle_close));
  return nullptr;
}

}  // namespace gputlm
