// SPDX-License-Identifier: Apache-2.0
//
// Reads first; writes go in turns from the backlog's high mark down to its low mark, and while no read waits. Each
// direction keeps its turn for a batch of lines, so that neither a flood of writes starves the reads nor the bus turns
// around for single lines; a direction without requests gives way at once.
#include <algorithm>

#include "gputlm/dram/write_drain.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {
namespace {

class MarksDrain : public WriteDrain {
 public:
  explicit MarksDrain(const DramSpec& spec)
      : spec_(spec),
        write_turn_(std::max(1U, spec.write_high_mark - spec.write_low_mark)),
        read_turn_(std::max(1U, write_turn_ / spec.channels_per_controller)) {}

  bool writes_next(DrainTurn& turn, const ChannelWork& work) const override {
    const unsigned above_low = work.backlog - std::min(work.backlog, spec_.write_low_mark);
    if (work.writes.queued() == 0) {
      if (turn.writing) turn.begin(false, 0);
      return false;
    }
    if (work.reads.queued() == 0) {
      if (!turn.writing) turn.begin(true, above_low / spec_.channels_per_controller);
      return true;
    }
    if (turn.writing) {
      if (turn.left > 0 && above_low > 0) return true;
      if (finishes_rows(turn, work.writes, work.banks)) return true;
      turn.begin(false, std::min(read_turn_, work.reads.queued()));
      return false;
    }
    const bool wanted = work.backlog >= spec_.write_high_mark || work.write_age.overdue(work.writes) != kNoSlot;
    if (turn.left > 0 || !wanted || finishes_rows(turn, work.reads, work.banks)) return false;
    turn.begin(true, write_turn_);
    return true;
  }

  bool ends_soon(const DrainTurn& turn, bool write, const ChannelWork& work) const override {
    if (turn.overtime > 0) return true;
    const unsigned soon = spec_.bank_groups;  // a line of each group hides the opening of a row in each
    if (write) return turn.left <= soon || work.backlog <= spec_.write_low_mark + soon || work.writes.queued() <= soon;
    return turn.left <= soon && work.backlog + soon >= spec_.write_high_mark;
  }

 private:
  /// A turn that is over may finish the rows that are open, without opening more, as long as all bank groups but one
  /// take part: reopening them next time would cost more.
  bool finishes_rows(DrainTurn& turn, const RequestQueue& queue, const BankForecast& banks) const {
    const auto lines_per_row = static_cast<unsigned>(spec_.row_bytes / kLineBytes);
    if (!spec_.row_batching || turn.overtime >= lines_per_row * spec_.bank_groups) return false;
    std::uint64_t groups = 0;
    for (std::uint64_t hits = queue.hit_banks(); hits != 0; hits &= hits - 1)
      groups |= 1ULL << banks.group_of(static_cast<unsigned>(__builtin_ctzll(hits)));
    if (static_cast<unsigned>(__builtin_popcountll(groups)) + 1 < spec_.bank_groups) return false;
    ++turn.overtime;
    return true;
  }

  const DramSpec& spec_;
  const unsigned write_turn_;  // most lines a channel writes while reads wait
  const unsigned read_turn_;   // least lines it then reads before it writes again
};

}  // namespace

std::unique_ptr<WriteDrain> make_marks_drain(const DramSpec& spec) {
  return std::make_unique<MarksDrain>(spec);
}

}  // namespace gputlm
