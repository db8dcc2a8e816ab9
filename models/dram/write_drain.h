// SPDX-License-Identifier: Apache-2.0
//
// When a channel turns from reads to writes and back: one interface, one file per strategy, chosen by name.
#pragma once

#include <memory>

#include "gputlm/dram/age_watch.h"
#include "gputlm/dram/bank_forecast.h"

namespace gputlm {

/// What waits for one channel when its next line is chosen.
struct ChannelWork {
  const RequestQueue& reads;
  const RequestQueue& writes;
  const BankForecast& banks;
  AgeWatch& write_age;
  unsigned backlog;  ///< Writes that wait in the controller, for all its channels.
};

/// One channel's turn: a run of lines of one direction.
struct DrainTurn {
  bool writing = false;
  unsigned left = 0;      ///< Lines before the turn may pass.
  unsigned overtime = 0;  ///< Lines granted after that, of rows still open.

  void begin(bool write, unsigned lines) { *this = {write, lines, 0}; }
  void sent(bool write) {
    if (write == writing && left > 0) --left;
  }
};

class WriteDrain {
 public:
  virtual ~WriteDrain() = default;
  /// True when the channel's next line is a write. Something is queued, in one direction at least.
  virtual bool writes_next(DrainTurn& turn, const ChannelWork& work) const = 0;
  /// True when the other direction is about to follow on `write`: its rows are worth opening.
  virtual bool ends_soon(const DrainTurn& turn, bool write, const ChannelWork& work) const = 0;

  /// The strategy that spec.write_drain names (marks, arrival_order, reads_first, row_count), or null for an unknown
  /// name.
  static std::unique_ptr<WriteDrain> make(const DramSpec& spec);
};

/// Strategies, one file each.
std::unique_ptr<WriteDrain> make_marks_drain(const DramSpec& spec);
std::unique_ptr<WriteDrain> make_arrival_order_drain();
std::unique_ptr<WriteDrain> make_reads_first_drain(const DramSpec& spec);
std::unique_ptr<WriteDrain> make_row_count_drain(const DramSpec& spec);

}  // namespace gputlm
