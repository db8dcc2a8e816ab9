// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gputlm/lsu/lsu_observer.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {

/// Line requests that leave the SMs, and their 32-byte sectors.
class LineCounter final : public LsuObserver {
 public:
  struct Count {
    std::uint64_t lines = 0, sectors = 0;
  };

  void on_line_request(unsigned sm, const Payload& line) override;

  const Count& loaded() const { return loaded_; }
  const Count& stored() const { return stored_; }
  /// Reductions and atomics.
  const Count& atomics() const { return atomics_; }

 private:
  Count loaded_, stored_, atomics_;
};

}  // namespace gputlm
