// SPDX-License-Identifier: Apache-2.0
//
// How many blocks an SM holds: the rule of NVIDIA's occupancy calculator for compute capability 8.9.
#pragma once

#include <cstdint>

#include "gputlm/host/launch_shape.h"

namespace gputlm {

/// What a block takes of an SM, rounded up as the SM allots it.
struct BlockNeeds {
  BlockNeeds(const LaunchShape& shape, const WorkDistributorSpec& sm);

  unsigned threads, warps, registers, shared_bytes;
};

/// What is taken of one SM.
class SmOccupancy {
 public:
  bool has_room(const BlockNeeds& needs, const WorkDistributorSpec& sm) const { return !lacks(needs, sm); }
  /// What there is too little of for the block: blocks, threads, warps, registers or shared memory; null: room for it.
  const char* lacks(const BlockNeeds& needs, const WorkDistributorSpec& sm) const;
  void take(const BlockNeeds& needs);
  void give_back(const BlockNeeds& needs);

  unsigned blocks() const { return blocks_; }
  unsigned warps() const { return warps_; }

 private:
  unsigned blocks_ = 0, threads_ = 0, warps_ = 0, registers_ = 0, shared_bytes_ = 0;
};

/// Blocks of one kernel on an SM that holds nothing else.
unsigned blocks_per_sm(const LaunchShape& shape, const WorkDistributorSpec& sm);
/// What keeps them from being more.
const char* occupancy_limit(const LaunchShape& shape, const WorkDistributorSpec& sm);

}  // namespace gputlm
