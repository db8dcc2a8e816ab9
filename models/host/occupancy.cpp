// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/occupancy.h"

#include "gputlm/tlm/sideband.h"

namespace gputlm {
namespace {

constexpr unsigned round_up(unsigned value, unsigned unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

// Threads count in whole warps; registers are allotted warp by warp, and to as many warps in each sub-partition.
BlockNeeds::BlockNeeds(const LaunchShape& shape, const WorkDistributorSpec& sm)
    : threads(shape.warps() * kLanes),
      warps(shape.warps()),
      registers(round_up(shape.warps(), sm.sub_partitions) * round_up(shape.registers * kLanes, sm.register_unit)),
      shared_bytes(round_up(shape.shared_bytes + sm.shared_reserved, sm.shared_unit)) {}

const char* SmOccupancy::lacks(const BlockNeeds& needs, const WorkDistributorSpec& sm) const {
  if (blocks_ >= sm.max_blocks) return "blocks";
  if (threads_ + needs.threads > sm.max_threads) return "threads";
  if (warps_ + needs.warps > sm.sub_partitions * sm.warps_per_sub_partition) return "warps";
  if (registers_ + needs.registers > sm.registers) return "registers";
  return shared_bytes_ + needs.shared_bytes > sm.shared_bytes ? "shared memory" : nullptr;
}

void SmOccupancy::take(const BlockNeeds& needs) {
  ++blocks_;
  threads_ += needs.threads;
  warps_ += needs.warps;
  registers_ += needs.registers;
  shared_bytes_ += needs.shared_bytes;
}

void SmOccupancy::give_back(const BlockNeeds& needs) {
  --blocks_;
  threads_ -= needs.threads;
  warps_ -= needs.warps;
  registers_ -= needs.registers;
  shared_bytes_ -= needs.shared_bytes;
}

namespace {

SmOccupancy filled(const BlockNeeds& needs, const WorkDistributorSpec& sm) {
  SmOccupancy one;
  while (one.has_room(needs, sm)) one.take(needs);
  return one;
}

}  // namespace

unsigned blocks_per_sm(const LaunchShape& shape, const WorkDistributorSpec& sm) {
  return filled(BlockNeeds(shape, sm), sm).blocks();
}

const char* occupancy_limit(const LaunchShape& shape, const WorkDistributorSpec& sm) {
  const BlockNeeds needs(shape, sm);
  return filled(needs, sm).lacks(needs, sm);
}

}  // namespace gputlm
