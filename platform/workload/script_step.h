// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gputlm/tlm/sideband.h"
#include "gputlm/workload/instructions.h"

namespace gputlm {

/// One step of a script (pattern `script`): an instruction, done `count` times.
struct ScriptStep {
  enum class Kind : std::uint8_t {
    load,
    store,
    atomic,     ///< With a result.
    reduction,  ///< Without one.
    poll,       ///< A load again and again, until it brings the data that a store of this script's seed puts there.
    fence,
    delay,   ///< Nothing, for `cycles`.
    wait,    ///< Until all loads and atomics of the warp are back.
    barrier  ///< bar.sync of the CTA.
  };
  Kind kind = Kind::load;
  std::uint64_t offset = 0;  ///< Of the first lane of the first time, in the buffer.
  std::uint64_t count = 1;   ///< Times in a row.
  std::uint64_t every = 0;   ///< Bytes from one time to the next.
  unsigned lanes = kLanes;
  unsigned lane_bytes = 4;
  std::uint64_t stride = 4;  ///< Bytes from lane to lane.
  AccessOrder order;
  AtomicFunction function = AtomicFunction::add;
  bool wait = true;  ///< A load's or atomic's data are back before the next instruction issues.
  double cycles = 0;

  bool accesses() const { return kind <= Kind::poll; }
  bool loads() const { return kind == Kind::load || kind == Kind::poll; }
  bool modifies() const { return kind == Kind::atomic || kind == Kind::reduction; }
  std::uint64_t place(std::uint64_t time, unsigned lane) const { return offset + time * every + lane * stride; }
  /// Bytes from `offset` to the end of the last access.
  std::uint64_t extent() const { return (count - 1) * every + (lanes - 1) * stride + lane_bytes; }
};

}  // namespace gputlm
