// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// What an L1 tells whoever watches it. A slot is set * ways + way. Calls come in the order in which the L1 does
/// things.
class L1Observer {
 public:
  virtual ~L1Observer() = default;
  /// Slot now belongs to a virtual line and holds no valid byte yet.
  virtual void on_allocate(unsigned /*sm*/, unsigned /*slot*/, std::uint64_t /*virtual_line*/) {}
  /// Bytes of a passing store were written into the slot.
  virtual void on_store_update(unsigned /*sm*/, unsigned /*slot*/, const Payload& /*store*/, ByteMask /*mask*/) {}
  /// Write-back: the bytes that on_store_update() was just called for stay here; the store is answered from here.
  virtual void on_store_kept(unsigned /*sm*/, unsigned /*slot*/, const Payload& /*store*/, ByteMask /*mask*/) {}
  /// Write-back: the slot's kept bytes leave for L2 in a transaction of the L1's own.
  virtual void on_write_back(unsigned /*sm*/, unsigned /*slot*/, const Payload& /*write*/) {}
  /// Write-back: of what the slot held only these bytes, kept stores, stay; the others are dropped.
  virtual void on_drop_but(unsigned /*sm*/, unsigned /*slot*/, ByteMask /*stay*/) {}
  /// A fill came back from L2 (its payload is final); `installed` of its bytes went into the slot, none if it was
  /// poisoned (slot is then meaningless).
  virtual void on_fill(unsigned /*sm*/, unsigned /*slot*/, const Payload& /*fill*/, ByteMask /*installed*/) {}
  /// A load was answered from the slot alone: `wanted` bytes are in its data.
  virtual void on_hit(unsigned /*sm*/, unsigned /*slot*/, const Payload& /*load*/, ByteMask /*wanted*/) {}
  /// A load was answered with `from_slot` bytes captured from L1 at its arrival and the others from a fill.
  virtual void on_miss_answered(unsigned /*sm*/, const Payload& /*load*/, ByteMask /*from_slot*/,
                                const Payload& /*fill*/) {}
  /// The slot was dropped (eviction, strong access, invalidate).
  virtual void on_drop(unsigned /*sm*/, unsigned /*slot*/) {}
  /// Every slot was dropped.
  virtual void on_invalidate_all(unsigned /*sm*/) {}
  /// A backdoor or debug write changed bytes of the slot.
  virtual void on_debug_write(unsigned /*sm*/, unsigned /*slot*/, const unsigned char* /*line*/, ByteMask /*mask*/) {}
};

}  // namespace gputlm
