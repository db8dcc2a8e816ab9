// SPDX-License-Identifier: Apache-2.0
//
// First come, first served, whatever row it needs: to compare with.
#include "gputlm/dram/dram_scheduler.h"

namespace gputlm {
namespace {

class Fcfs : public DramScheduler {
 public:
  QueueSlot pick(const RequestQueue& queue, const BankForecast& /*banks*/) const override { return queue.oldest(); }
  QueueSlot pick_row(const RequestQueue& /*next*/, const RequestQueue& /*current*/,
                     const BankForecast& /*banks*/) const override {
    return kNoSlot;
  }
};

}  // namespace

std::unique_ptr<DramScheduler> make_fcfs() {
  return std::make_unique<Fcfs>();
}

}  // namespace gputlm
