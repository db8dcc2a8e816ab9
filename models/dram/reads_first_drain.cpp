// SPDX-License-Identifier: Apache-2.0
//
// Writes go while no read of the channel waits. With reads waiting they go one by one, and only when they must: the
// backlog is full, or a write has reached the age cap. Reads wait least, the bus turns around most: to compare with.
#include "gputlm/dram/write_drain.h"

namespace gputlm {
namespace {

class ReadsFirstDrain : public WriteDrain {
 public:
  explicit ReadsFirstDrain(const DramSpec& spec) : spec_(spec) {}

  bool writes_next(DrainTurn& /*turn*/, const ChannelWork& work) const override {
    if (work.writes.queued() == 0 || work.reads.queued() == 0) return work.reads.queued() == 0;
    return work.backlog >= spec_.write_queue_entries || work.write_age.overdue(work.writes) != kNoSlot;
  }
  bool ends_soon(const DrainTurn& /*turn*/, bool write, const ChannelWork& work) const override {
    return write ? work.reads.queued() > 0 : work.reads.queued() <= spec_.bank_groups;
  }

 private:
  const DramSpec& spec_;
};

}  // namespace

std::unique_ptr<WriteDrain> make_reads_first_drain(const DramSpec& spec) {
  return std::make_unique<ReadsFirstDrain>(spec);
}

}  // namespace gputlm
