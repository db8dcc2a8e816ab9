// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/write_back_fifo.h"

#include <algorithm>

namespace gputlm {

WriteBackFifo::WriteBackFifo(unsigned sets, unsigned ways, unsigned drain_interval)
    : ways_(ways), drain_interval_(drain_interval), sets_(sets), order_(std::size_t{sets} * ways) {}

void WriteBackFifo::push(unsigned set, unsigned way) {
  order_[std::size_t{set} * ways_ + sets_[set].size++] = static_cast<std::uint8_t>(way);
}

void WriteBackFifo::remove(unsigned set, unsigned way) {
  State& state = sets_[set];
  std::uint8_t* first = &order_[std::size_t{set} * ways_];
  std::uint8_t* last = std::remove(first, first + state.size, static_cast<std::uint8_t>(way));
  state.size = static_cast<std::uint8_t>(last - first);
  state.owed = std::min(state.owed, state.size);
  if (state.size == 0) state.fills = 0;
}

void WriteBackFifo::clear() {
  sets_.clear();
  order_.clear();
}

void WriteBackFifo::set_account(unsigned set, unsigned fills, unsigned owed) {
  State& state = sets_[set];
  state.fills = static_cast<std::uint16_t>(state.size == 0 ? 0 : std::min(fills, drain_interval_ - 1));
  state.owed = static_cast<std::uint8_t>(std::min<unsigned>(owed, state.size));
}

void WriteBackFifo::note_fill(unsigned set) {
  State& state = sets_[set];
  if (state.size == 0 || ++state.fills < drain_interval_) return;
  state.fills = 0;
  if (state.owed < state.size) ++state.owed;
}

}  // namespace gputlm
