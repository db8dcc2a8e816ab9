// SPDX-License-Identifier: Apache-2.0
//
// What a card looked like at moments of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "gputlm/report/set_code.h"
#include "gputlm/system/statistics_tree.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// One moment. Of totals, what has been counted since the start; of everything else, the state.
struct Frame {
  Fs time = 0;
  std::vector<unsigned> warps, accesses;  ///< By SM: resident; without an answer yet.
  std::vector<unsigned> throttled;        ///< SMs with an access that waits at its LSU's door.
  std::vector<std::size_t> queued;        ///< By slice: requests that wait in the crossbar.
  std::vector<std::uint64_t> requests;    ///< By slice, a total: served.
  std::vector<SetCounts> dirty;           ///< By slice and set: dirty lines that nobody has begun to write back.
  std::vector<unsigned> writes, reads;    ///< By controller: lines in its backlog, in its read queues.
  std::vector<std::uint64_t> turns;       ///< By controller, a total: its channels turned from reads to writes or back.
  std::vector<std::uint64_t> read_columns;  ///< By channel, a total: 32-byte columns booked.
  std::vector<std::uint64_t> write_columns;
  std::vector<unsigned> refreshing;  ///< Channels of which a pair of banks is being refreshed.
};

/// Frames at even distances, however long the run: when there are kMost, every second one goes and the distance
/// doubles.
class FrameSeries {
 public:
  static constexpr std::size_t kMost = 128;
  static constexpr Fs kFirstInterval = 16 * kFsPerNs;

  /// When the next frame is due.
  Fs next() const { return next_; }
  void add(Frame frame);
  /// The end of the run, whenever it is.
  void add_last(Frame frame);

  const std::vector<Frame>& frames() const { return frames_; }
  /// The frames as docs/report.md has them.
  Json document() const;

 private:
  std::vector<Frame> frames_;
  Fs interval_ = kFirstInterval, next_ = 0;
};

/// Every second of a document's frames, the first and the last among them. Throws std::invalid_argument when the
/// document is none.
Json thin_frames(const Json& document);

}  // namespace gputlm
