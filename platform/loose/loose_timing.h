// SPDX-License-Identifier: Apache-2.0
//
// An estimate of how long line accesses take: the unloaded latencies of the road, plus what is booked of each port,
// slice and channel at the access's own time. Whoever asks later about an earlier time finds the room that is left
// there, so loosely timed initiators may run ahead of the simulation and ask in any order.
//
// L2 is a directory of lines, least recently used first out, empty at the start. Left out: rows and banks of DRAM,
// refresh, turnarounds, limits of queues other than the write backlog, cleaning before a line is replaced, and traffic
// that does not ask here.
#pragma once

#include <cstdint>
#include <vector>

#include "gputlm/l2/atomic_alu.h"
#include "gputlm/l2/l2_slice.h"
#include "gputlm/loose/loose_spec.h"
#include "gputlm/tlm/host_memory.h"

namespace gputlm {

/// Time that is booked of one resource, in windows. Of a window's bookings the last ones that follow each other without
/// a gap are known by their place: a booking that begins in them goes behind them. One that begins earlier finds the
/// room that is left before them, wherever in the window it was.
class BookedTime {
 public:
  /// Books `duration` from `at` on, in the first window with room for it; returns when it starts.
  Fs book(Fs at, Fs duration);

 private:
  static constexpr Fs kWindow = 200 * kFsPerNs;
  static constexpr std::size_t kWindows = 1024;  ///< Farther back or ahead counts as free.
  struct Window {
    std::int64_t number = -1;
    Fs booked_before = 0;           ///< Ahead of the run.
    Fs run_begin = 0, run_end = 0;  ///< The last bookings without a gap.
  };
  std::vector<Window> windows_ = std::vector<Window>(kWindows);
};

/// A line access of a port.
struct LooseAccess {
  unsigned port = 0;
  std::uint64_t line = 0;
  LoosePlace place;  ///< Of the line.
  ByteMask mask;
  Operation operation = Operation::load;  ///< load, store, reduction or atomic.
};

/// When things happen to an access.
struct LooseTimes {
  Fs entered = 0;   ///< Its port takes the next one.
  Fs served = 0;    ///< Its slice has it: it has left the network.
  Fs answered = 0;  ///< The answer is at its port.
};

class LooseTiming {
 public:
  explicit LooseTiming(const LooseSpec& spec);

  LoosePlace place_of(std::uint64_t line) const { return spec_.place_of(line); }
  /// An access that starts at `at`, the road's time or later.
  LooseTimes access(const LooseAccess& access, Fs at);

  /// Writes back every dirty line from `at` on; returns when the last one is in DRAM. The lines stay, clean.
  Fs flush(Fs at);
  /// Drops every clean line.
  void invalidate_clean();
  /// As new: nothing booked or counted, the directory empty.
  void reset();

  /// What the directory has counted; fields of what it leaves out stay 0.
  const L2Counters& counters() const { return counters_; }
  std::uint64_t dirty_bytes() const { return dirty_bytes_; }
  std::uint64_t dirty_lines() const { return dirty_lines_; }
  /// 32 for each sector written to DRAM, as columns are.
  std::uint64_t column_bytes_written() const { return sectors_written_ * kSectorBytes; }

  /// A line that is held from now on, the most recently used of its set.
  void hold(std::uint64_t line, ByteMask valid, ByteMask dirty);
  /// Visits (slice, set, way, L2Way) of every line that is held.
  template <class Visit>
  void for_each_way(Visit visit) const;

 private:
  struct State {
    ByteMask valid, dirty;
  };

  std::size_t first_of(unsigned slice, unsigned set) const {
    return (std::size_t{slice} * spec_.sets + set) * spec_.ways;
  }
  std::size_t way_of(const LoosePlace& place, std::uint64_t line, Fs& at, bool& hit);
  void set_dirty(std::size_t way, ByteMask dirty);
  Fs write_back(std::size_t way, unsigned channel, Fs at);
  Fs fetch(unsigned channel, unsigned sectors, Fs at);
  Fs enter(const LooseAccess& a, unsigned sectors_in, Fs at, Fs& entered);
  Fs crossing(const LooseAccess& a, Fs latency) const;
  Fs with_bytes(const LooseAccess& a, std::size_t way, Fs served);
  void count(Operation operation, bool hit);

  const LooseSpec spec_;
  std::vector<BookedTime> in_, out_, slices_, slice_data_, channels_;
  std::vector<SameWordGate> same_word_;  ///< By slice.
  // By way, set after set, slice after slice; a way whose last use is 0 is empty.
  ZeroedArray<std::uint64_t> lines_, last_use_;
  ZeroedArray<State> states_;
  std::uint64_t uses_ = 0;
  L2Counters counters_;
  std::uint64_t dirty_bytes_ = 0, dirty_lines_ = 0, sectors_written_ = 0;
};

template <class Visit>
void LooseTiming::for_each_way(Visit visit) const {
  std::size_t i = 0;
  for (unsigned slice = 0; slice < spec_.slices; ++slice)
    for (unsigned set = 0; set < spec_.sets; ++set)
      for (unsigned way = 0; way < spec_.ways; ++way, ++i) {
        if (last_use_[i] == 0) continue;
        L2Way state;
        state.present = true;
        state.line = lines_[i];
        state.valid = states_[i].valid;
        state.dirty = states_[i].dirty;
        state.last_use = last_use_[i];
        visit(slice, set, way, state);
      }
}

}  // namespace gputlm
