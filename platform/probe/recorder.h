// SPDX-License-Identifier: Apache-2.0
//
// What a warp sees of its own accesses: when each was issued and answered, and what a load returned. Listens on the
// arrows from the warp schedulers to the load/store units and takes no part in the simulation.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "gputlm/system/simulation.h"

namespace gputlm {

/// One warp access. Times are simulated; kNever for what has not happened.
struct AccessTimes {
  std::uint32_t kernel = 0;  ///< Counted over the experiment from 0.
  std::uint32_t cta = 0;
  std::uint16_t sm = 0;
  std::uint16_t warp = 0;         ///< Slot within the SM.
  std::uint32_t instruction = 0;  ///< Of the warp, counted from 0.
  Operation operation = Operation::load;
  std::uint64_t address = 0;              ///< Virtual, of the first active lane.
  Fs issued = kNever, answered = kNever;  ///< A store is answered by its acknowledgement, a fence when it is done.
  std::uint64_t loaded = 0;               ///< What a load or atomic returned: the first 8 bytes of its registers.
};

/// Records all accesses of all warps in the order in which they are issued. Create before the run.
class Recorder {
 public:
  explicit Recorder(Simulation& simulation);
  ~Recorder();

  const std::vector<AccessTimes>& accesses() const { return accesses_; }

 private:
  class Listener;

  std::unique_ptr<Listener> listener_;
  std::vector<AccessTimes> accesses_;
  std::unordered_map<const Payload*, std::size_t> open_;
};

}  // namespace gputlm
