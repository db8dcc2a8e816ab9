// SPDX-License-Identifier: Apache-2.0
//
// MemorySystem: saving and restoring what DRAM and L2 hold.
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "gputlm/config/regular_file.h"
#include "gputlm/system/memory_system.h"
#include "gputlm/system/state_file.h"
#include "gputlm/system/state_slices.h"

namespace gputlm {
namespace {

// The members of a set's write-back FIFO come last, oldest first, so that they join it in this order again.
std::vector<unsigned> ways_in_order(const L2Slice& slice, const std::vector<L2Way>& set, unsigned number) {
  std::vector<unsigned> order;
  for (unsigned w = 0; w < set.size(); ++w)
    if (set[w].present && !set[w].in_fifo) order.push_back(w);
  const std::vector<unsigned> fifo = slice.fifo(number);
  order.insert(order.end(), fifo.begin(), fifo.end());
  return order;
}

void demand_rest(const MemorySystem& memory) {
  if (!memory.idle()) throw std::logic_error(std::string(memory.name()) + " is not at rest: contents are in flight");
}

}  // namespace

void MemorySystem::save_slices(SavedState& state) const {
  for (unsigned n = 0; n < slices.size(); ++n) {
    state.slices.push_back(slices[n]->state());
    for (unsigned s = 0; s < config_.l2.sets; ++s) {
      const std::vector<L2Way> set = slices[n]->view_set(s);
      for (const unsigned w : ways_in_order(*slices[n], set, s))
        std::copy_n(slices[n]->data(s, w), kLineBytes,
                    state.ways.emplace_back(SavedWay{n, s, w, set[w], {}}).data.begin());
    }
  }
}

// What the estimate takes to be in L2, as a slice would hold it: bytes of memory, inserted and not used since.
void MemorySystem::save_directory(SavedState& state) const {
  state.slices = fresh_slices(config_);
  loose_timing_->for_each_way([&](unsigned slice, unsigned set, unsigned way, L2Way held) {
    const auto insert = static_cast<std::uint8_t>(config_.l2.replacement.insert_rrpv);
    state.slices[slice].sets[set].replacement[way] = insert;
    if (!held.dirty.empty()) held.last_store = held.last_use;
    memory.read(held.line, state.ways.emplace_back(SavedWay{slice, set, way, held, {}}).data.data());
  });
}

void MemorySystem::save(const std::string& file) const {
  demand_rest(*this);
  SavedState state;
  memory.for_each_written([&](std::uint64_t line, const unsigned char* data) {
    std::copy_n(data, kLineBytes, state.lines.emplace_back(SavedLine{line, {}}).data.begin());
  });
  if (loose)
    save_directory(state);
  else
    save_slices(state);
  Diagnostics diagnostics;
  if (!replace_file(file, encode_state(state, config_))) diagnostics.add({file}, {}, "cannot be written");
  diagnostics.throw_if_any();
}

void MemorySystem::restore_slices(const SavedState& state) {
  for (const auto& slice : slices)
    for (unsigned s = 0; s < config_.l2.sets; ++s)
      for (unsigned w = 0; w < config_.l2.ways; ++w) slice->set_way(s, w, {}, nullptr);
  for (const SavedWay& w : state.ways) slices[w.slice]->set_way(w.set, w.way, w.state, w.data.data());
  for (unsigned n = 0; n < slices.size(); ++n) slices[n]->set_state(state.slices[n]);
}

// The bytes go to memory, where they are served from; the estimate takes the lines to be in L2, used in their order.
void MemorySystem::restore_directory(std::vector<SavedWay>& ways) {
  std::stable_sort(ways.begin(), ways.end(),
                   [](const SavedWay& a, const SavedWay& b) { return a.state.last_use < b.state.last_use; });
  for (const SavedWay& w : ways) {
    memory.write(w.state.line, w.data.data(), w.state.valid);
    loose_timing_->hold(w.state.line, w.state.valid, w.state.dirty);
  }
}

void MemorySystem::restore(const std::string& file) {
  demand_rest(*this);
  SavedState state =
      decode_state(file, read_input_file(file, std::numeric_limits<std::uint64_t>::max()), config_, *this);
  memory.clear();
  for (const SavedLine& line : state.lines) memory.write(line.address, line.data.data(), ByteMask::full());
  if (loose_timing_) loose_timing_->reset();
  if (loose)
    restore_directory(state.ways);
  else
    restore_slices(state);
  // Copies above are read anew. Before the start nobody has any, and ports may not be bound yet.
  if (sc_core::sc_get_status() >= sc_core::SC_START_OF_SIMULATION)
    crossbar.on_debug_written(0, 0, config_.memory_bytes() - 1);
}

}  // namespace gputlm
