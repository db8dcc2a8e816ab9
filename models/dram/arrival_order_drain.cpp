// SPDX-License-Identifier: Apache-2.0
//
// The direction of the channel's oldest request, whatever turning the bus around costs: to compare with.
#include "gputlm/dram/write_drain.h"

namespace gputlm {
namespace {

class ArrivalOrderDrain : public WriteDrain {
 public:
  bool writes_next(DrainTurn& /*turn*/, const ChannelWork& work) const override {
    const QueueSlot read = work.reads.oldest(), write = work.writes.oldest();
    if (read == kNoSlot || write == kNoSlot) return read == kNoSlot;
    return work.writes[write].order < work.reads[read].order;
  }
  bool ends_soon(const DrainTurn& /*turn*/, bool /*write*/, const ChannelWork& /*work*/) const override {
    return false;
  }
};

}  // namespace

std::unique_ptr<WriteDrain> make_arrival_order_drain() {
  return std::make_unique<ArrivalOrderDrain>();
}

}  // namespace gputlm
