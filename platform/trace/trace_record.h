// SPDX-License-Identifier: Apache-2.0
//
// What a recording consists of: transactions with their hops, events at a place, samples of counters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/tlm/byte_mask.h"
#include "gputlm/tlm/sideband.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// A place on the road, by what stands there: the unit at the far end of an arrow.
enum class TraceUnit : std::uint8_t { lsu, l1, mmu, crossbar, l2, controller, dram, host };
inline constexpr std::size_t kTraceUnits = 8;

/// As filters, files and databases call it.
const char* name_of(TraceUnit unit);

/// One arrow into a unit.
struct TraceTrack {
  TraceUnit unit = TraceUnit::lsu;
  unsigned number = 0;  ///< Of the SM, crossbar port, slice, controller or channel.
  unsigned port = 0;    ///< Of the LSU, the scheduler's.
  std::string name;     ///< "SM 3 L1", "L2 slice 7", "controller 2 writes of slice 6".
};

/// What a transaction is for; the road decides, not the command.
enum class TraceKind : std::uint8_t {
  access,      ///< A warp's instruction at its LSU.
  line,        ///< A line request of an LSU.
  fill,        ///< What an L1 asks for after a miss.
  fetch,       ///< What a slice asks for after a miss.
  write_back,  ///< Dirty bytes of a slice.
  row,         ///< A controller opens a row ahead.
  engine       ///< Of the host's engines.
};
const char* name_of(TraceKind kind);

inline constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};

/// Time lost to one cause.
struct TraceStall {
  std::string why;
  Fs time = 0;
};

/// One transaction on one arrow. A time is kNever until it is known.
struct TraceHop {
  std::uint32_t track = 0;
  Fs request = kNever, accepted = kNever, response = kNever, done = kNever;  ///< The four phases, effective times.
  std::uint32_t depth = 0;  ///< What waited in the unit's queue for it when the request came (docs/trace.md).
  /// It shares no time with another request (response) of the arrow, so that it may be drawn on one line with them.
  bool request_alone = true, response_alone = true;

  // -- Of a recording that explains (TraceSelection::explain)
  std::vector<TraceStall> held_by{};     ///< At this door, until END_REQ.
  std::vector<TraceStall> delayed_by{};  ///< At this door, others before it, while it was on its way here.
  Fs door_free = 0;                      ///< END_REQ of the request before it on this arrow.
  Fs left_queue = kNever;                ///< Of a line at its L1: when its access had left the LSU's queue.
};

/// One payload from its first arrow to its last response.
struct TraceTransaction {
  std::uint64_t id = 0;      ///< From 1, in the order in which they begin.
  std::uint64_t parent = 0;  ///< Whose work it does; 0: nobody's that was recorded.
  TraceKind kind = TraceKind::access;
  const char* operation = "";
  std::uint64_t virtual_address = kNoAddress, physical_address = kNoAddress;
  unsigned bytes = 0;  ///< Enabled bytes.
  Origin origin;       ///< sm 0xffff: not from an SM.
  bool failed = false;
  std::vector<TraceHop> hops;

  bool from_sm() const { return origin.sm != Origin{}.sm; }
  Fs begin() const { return hops.front().request; }
  Fs end() const { return hops.front().done; }
  /// The physical line, or kNoAddress.
  std::uint64_t line() const { return physical_address == kNoAddress ? kNoAddress : line_of(physical_address); }
};

/// Something that happened at a place: to a line in a cache, or a command of a DRAM channel.
struct TraceEvent {
  Fs time = 0;
  std::uint32_t track = 0;
  const char* name = "";
  std::uint64_t transaction = 0;  ///< 0: of no recorded one.
  std::uint64_t line = kNoAddress;
  bool of_way = false;  ///< Of an L2 way: where it is and how it stands then.
  unsigned set = 0, way = 0, rrpv = 0;
  ByteMask valid{}, dirty{};
  bool command = false;  ///< Of a DRAM channel.
  unsigned bank = 0, column = 0;
  std::uint64_t row = 0;
};

/// A counter that is sampled.
struct TraceSeries {
  std::string name, unit;
};
struct TraceSample {
  Fs time = 0;
  std::vector<double> values;  ///< By series.
};

/// What sinks get at a time.
struct TraceBatch {
  std::vector<TraceTransaction> transactions;  ///< In the order of their ends.
  std::vector<TraceEvent> events;              ///< As booked: a channel's commands may lie in the future.
  std::vector<TraceSample> samples;
};

}  // namespace gputlm
