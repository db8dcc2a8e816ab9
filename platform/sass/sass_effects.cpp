// SPDX-License-Identifier: Apache-2.0
//
// What an instruction does once it has issued.
#include <algorithm>

#include "gputlm/sass/lane_bytes.h"
#include "gputlm/sass/sass_program.h"
#include "gputlm/tlm/wait_list.h"

namespace gputlm {

void SassProgram::finish() {
  if (pending_ == nullptr) return;
  const BoundInstruction& b = *pending_;
  pending_ = nullptr;
  if (lanes_ != 0 && b.kind == BoundInstruction::Kind::flow) return finish_flow(b.flow, lanes_);
  if (lanes_ != 0 && b.kind == BoundInstruction::Kind::compute)
    b.run(state_, b.once ? LaneMask{1} << lowest_lane(lanes_) : lanes_);
  if (near_ != 0) near_access(b.memory, near_);
  convergence_.advance();
}

void SassProgram::finish_flow(const FlowForm& flow, LaneMask lanes) {
  using Kind = FlowForm::Kind;
  const LaneMask chosen = lanes & flow.condition.lanes(state_);
  switch (flow.kind) {
    case Kind::branch:
      return convergence_.branch(chosen, flow.target);
    case Kind::branch_diverged:
    case Kind::branch_converged: {
      const LaneMask wanted = flow.source.integer(state_, lowest_lane(lanes)) & convergence_.live();
      const bool diverged = (wanted & ~lanes) != 0;
      return convergence_.branch(diverged == (flow.kind == Kind::branch_diverged) ? lanes : 0, flow.target);
    }
    case Kind::indirect: {
      std::array<std::uint32_t, kWarpLanes> targets{};
      for_each_lane_of(lanes, [&](unsigned l) { targets[l] = flow.source.word(state_, l) + flow.target; });
      return convergence_.scatter(lanes, targets);
    }
    case Kind::exit:
      state_.live &= ~lanes;
      return convergence_.exit(lanes);
    case Kind::open:
      return convergence_.open(lanes, flow.barrier);
    case Kind::meet:
      return convergence_.meet(lanes, flow.barrier);
    case Kind::leave:
      return convergence_.leave(chosen, flow.barrier);
    case Kind::meet_mask: {
      std::array<LaneMask, kWarpLanes> masks{};
      for_each_lane_of(lanes, [&](unsigned l) { masks[l] = flow.source.integer(state_, l); });
      return convergence_.meet_mask(lanes, masks);
    }
    case Kind::save:
      for_each_lane_of(lanes, [&](unsigned l) {
        flow.destination.write(state_, l, convergence_.barrier(l, flow.barrier));
        if (flow.clear) convergence_.set_barrier(l, flow.barrier, 0);
      });
      return convergence_.advance();
    case Kind::restore:
      for_each_lane_of(lanes,
                       [&](unsigned l) { convergence_.set_barrier(l, flow.barrier, flow.source.word(state_, l)); });
      return convergence_.advance();
    case Kind::yield:
    case Kind::sleep:
      convergence_.advance();
      return convergence_.yield();
    case Kind::none:
      return convergence_.advance();
  }
}

/// Lanes of a generic access that name shared or local memory.
void SassProgram::near_access(const MemoryForm& form, LaneMask lanes) {
  const SassSpec& spec = context_.launch.spec;
  for_each_lane_of(lanes, [&](unsigned l) {
    const std::uint64_t address = form.address.address(state_, l);
    unsigned char* at = space_of(spec, address) == Space::shared
                            ? state_.shared(address - spec.shared_window, form.width.bytes)
                            : state_.local(l, address - spec.local_window, form.width.bytes);
    if (at == nullptr) return;
    if (form.access.operation == Operation::load)
      load_lane(state_, l, form.result, form.width, at);
    else
      store_lane(state_, l, form.data, form.width, at);
  });
}

void SassProgram::operands(WarpLanes& lanes, unsigned char* data) {
  const MemoryForm& form = pending_->memory;
  lanes.active = lanes_ & ~near_;
  lanes.lane_bytes = form.width.bytes;
  const Operation operation = form.access.operation;
  const bool swaps = form.access.function == AtomicFunction::compare_and_swap && operation == Operation::atomic;
  for_each_lane_of(lanes_ & ~near_, [&](unsigned l) {
    lanes.address[l] = form.address.address(state_, l);
    if (lanes.address[l] % form.width.bytes != 0) {
      lanes.active &= ~(LaneMask{1} << l);
      return state_.raise("a global access of " + std::to_string(form.width.bytes) + " bytes at " +
                          hex_text(lanes.address[l]) + ", which is not aligned");
    }
    if (operation != Operation::load)
      store_lane(state_, l, form.data, form.width, data + std::size_t{l} * form.width.bytes);
    if (swaps) store_lane(state_, l, form.compared, form.width, data + std::size_t{kWarpLanes + l} * form.width.bytes);
  });
  if (operation == Operation::load || operation == Operation::atomic) in_flight_.push_back({fetched_ - 1, &form});
}

void SassProgram::returned(const Payload& access) {
  const Sideband& s = *find_sideband(access);
  const auto found = std::find_if(in_flight_.begin(), in_flight_.end(),
                                  [&](const InFlight& f) { return f.instruction == s.origin.instruction; });
  if (found == in_flight_.end()) return;
  const MemoryForm& form = *found->form;
  for_each_lane_of(s.lanes->active, [&](unsigned l) {
    load_lane(state_, l, form.result, form.width, access.get_data_ptr() + std::size_t{l} * form.width.bytes);
  });
  state_.set_predicate(form.predicate, s.lanes->active, kAllLaneBits);
  in_flight_.erase(found);
}

}  // namespace gputlm
