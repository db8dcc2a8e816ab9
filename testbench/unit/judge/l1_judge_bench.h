// SPDX-License-Identifier: Apache-2.0
//
// The calls that one SM's L1 makes on a scoreboard, one step at a time so that a test can spoil things in between.
#pragma once

#include "judge_bench.h"

namespace gputlm::test {

inline constexpr std::uint64_t kLine = 0x12340080;
inline constexpr unsigned kSm = 1, kSlot = 9;

/// The calls that an L1 makes, its virtual addresses being the physical ones.
class L1Bench : public JudgeBench {
 public:
  /// A weak load of a line that L1 lacks, until its fill is back; the load waits.
  PayloadRef missing_load(ByteMask mask) {
    PayloadRef load = weak_load(kLine, mask);
    request(*load);
    return load;
  }
  PayloadRef ordered_fill(ByteMask mask) {
    PayloadRef fill = weak_load(kLine, mask);
    perform_load(*fill);
    fill->set_response_status(tlm::TLM_OK_RESPONSE);
    return fill;
  }
  void answer(Payload& load, const Payload& fill, ByteMask from_slot = {}) {
    copy_masked(load.get_data_ptr(), fill.get_data_ptr(), ByteMask::of(load) & ~from_slot);
    board.on_miss_answered(kSm, load, from_slot, fill);
    respond(load);
  }
  /// The line is in the slot afterwards, as memory has it now.
  void fetch(ByteMask mask) {
    const PayloadRef load = missing_load(mask);
    board.on_allocate(kSm, kSlot, kLine);
    const PayloadRef fill = ordered_fill(mask);
    board.on_fill(kSm, kSlot, *fill, mask);
    answer(*load, *fill);
    std::memcpy(slot.data(), fill->get_data_ptr(), kLineBytes);
  }
  /// A weak load that hits on what the L1 of this bench holds.
  void hit(ByteMask mask) {
    const PayloadRef load = weak_load(kLine, mask);
    request(*load);
    hit(*load);
  }
  void hit(Payload& load) {
    copy_masked(load.get_data_ptr(), slot.data(), ByteMask::of(load));
    board.on_hit(kSm, kSlot, load, ByteMask::of(load));
    respond(load);
  }
  /// A store that passes L1, updating the slot, and is performed.
  void pass_store(ByteMask mask, unsigned char value) {
    const PayloadRef p = store(kLine, mask, value);
    request(*p);
    copy_masked(slot.data(), p->get_data_ptr(), mask);
    board.on_store_update(kSm, kSlot, *p, mask);
    perform_store(*p);
    respond(*p);
  }
  void strong_load() {
    const PayloadRef p = make(Operation::load, kLine, ByteMask::sectors(1));
    request(*p);
    perform_load(*p);
    respond(*p);
  }
  void invalidate(bool performed) {
    const PayloadRef p = make(Operation::l1_invalidate, 0, {});
    request(*p);
    if (performed) board.on_invalidate_all(kSm);
    respond(*p);
  }

  /// A store that a write-back L1 keeps, and its answer.
  void keep_store(ByteMask mask, unsigned char value) {
    const PayloadRef p = store(kLine, mask, value);
    find_sideband(*p)->semantics = Semantics::weak;
    request(*p);
    copy_masked(slot.data(), p->get_data_ptr(), mask);
    board.on_store_update(kSm, kSlot, *p, mask);
    board.on_store_kept(kSm, kSlot, *p, mask);
    respond(*p);
  }
  PayloadRef write_back(ByteMask mask) {
    PayloadRef p = make(Operation::store, kLine, mask, kSm);
    std::memcpy(p->get_data_ptr(), slot.data(), kLineBytes);
    return p;
  }

  Line slot{};
};

}  // namespace gputlm::test
