// SPDX-License-Identifier: Apache-2.0
//
// An estimate of how long line accesses take, for loosely timed initiators that run ahead of the simulation: the
// unloaded latencies of the road, plus what is booked of each port, slice and channel at the access's own time. Whoever
// asks later about an earlier time finds the room that is left there, so initiators may ask in any order.
//
// L2 is a directory of lines, least recently used first out, empty at the start. Left out: rows and banks of DRAM,
// refresh, limits of queues, write-backs before a line is replaced, and the road's own traffic of approximately timed
// initiators.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gputlm/tlm/byte_mask.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// Where a line is served.
struct LoosePlace {
  unsigned slice = 0, set = 0, channel = 0;
};

/// Parameters of the estimate; all of them follow from the card's.
struct LooseSpec {
  unsigned ports = 0, slices = 0, channels = 0;
  unsigned sets = 0, ways = 0;                   ///< Of a slice.
  Fs request_latency = 0, response_latency = 0;  ///< Crossbar.
  Fs load_latency = 0, store_latency = 0;        ///< L2.
  Fs fetch_latency = 0, fetch_sector = 0;        ///< DRAM: first sector, each further one.
  Fs port_header = 0, port_sector_in = 0, port_sector_out = 0;
  Fs slice_request = 0;
  Fs channel_sector = 0;
  std::function<LoosePlace(std::uint64_t line)> place_of;
};

/// Time that is booked of one resource, in windows. A booking no earlier than the last of its window starts behind that
/// one; an earlier one finds the room that is left, wherever in the window it was.
class BookedTime {
 public:
  /// Books `duration` from `at` on, in the first window with room for it; returns when it starts.
  Fs book(Fs at, Fs duration);

 private:
  static constexpr Fs kWindow = 200 * kFsPerNs;
  static constexpr std::size_t kWindows = 1024;  ///< Farther back or ahead counts as free.
  struct Window {
    std::int64_t number = -1;
    Fs booked = 0;
    Fs last_begin = 0, last_end = 0;  ///< Of the booking that begins last.
  };
  std::vector<Window> windows_ = std::vector<Window>(kWindows);
};

class LooseTiming {
 public:
  explicit LooseTiming(const LooseSpec& spec);

  /// A line access of a port that starts at `at`, the road's time or later: when it is answered. `mask`: bytes of the
  /// line.
  Fs access(unsigned port, std::uint64_t line, ByteMask mask, bool reads, Fs at);
  /// As new: nothing booked, the directory empty.
  void reset();

 private:
  struct Way {
    std::uint64_t line = ~std::uint64_t{0};
    std::uint64_t last_use = 0;
    ByteMask valid;
    bool dirty = false;
  };

  Way& way_of(const LoosePlace& place, std::uint64_t line, Fs at);
  Fs fetch(const LoosePlace& place, unsigned sectors, Fs at);

  const LooseSpec spec_;
  std::vector<BookedTime> in_, out_, slices_, channels_;
  std::vector<Way> ways_;  ///< Slice by slice, set by set.
  std::uint64_t uses_ = 0;
};

}  // namespace gputlm
