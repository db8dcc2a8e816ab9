// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/dram/dram_observer.h"
#include "gputlm/judge/observer_list.h"

namespace gputlm {

/// A channel has one observer, too.
class DramObserverList : public ObserverFanOut<DramObserver> {
 public:
  void on_command(unsigned controller, unsigned channel, const BookedCommand& command, Ck watermark) override {
    each([&](DramObserver& o) { o.on_command(controller, channel, command, watermark); });
  }
};

}  // namespace gputlm
