// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/fence_watch.h"

namespace gputlm {

FenceWatch::FenceWatch(Gpu& gpu) : host_(judge) {
  for (unsigned sm = 0; sm < gpu.sms.size(); ++sm) {
    doors_.push_back(std::make_unique<Door>(judge, sm));
    for (const auto& access : gpu.sms[sm]->lsu.accesses) access->arrow.bind(*doors_.back());
  }
}

}  // namespace gputlm
