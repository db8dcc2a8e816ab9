// SPDX-License-Identifier: Apache-2.0
//
// PAT-C's rule: writes are sorted by DRAM page, and a page is drained when so many of its writes have come together
// (drain_row_lines); when the backlog is at its high mark, the page of the oldest write. A turn is one page's writes,
// so each pays for its activate; reads go in between. Whether the hardware turns its bus that way is not known: to
// compare with.
#include <algorithm>

#include "gputlm/dram/write_drain.h"

namespace gputlm {
namespace {

class RowCountDrain : public WriteDrain {
 public:
  explicit RowCountDrain(const DramSpec& spec) : spec_(spec) {}

  bool writes_next(DrainTurn& turn, const ChannelWork& work) const override {
    if (work.writes.queued() == 0 || work.reads.queued() == 0) {
      turn.begin(work.reads.queued() == 0, 0);
      return turn.writing;
    }
    if (turn.left > 0) return turn.writing;
    if (turn.writing) {  // the reads waiting now go before the next page, as many as it had lines
      turn.begin(false, std::min(spec_.drain_row_lines, work.reads.queued()));
      return false;
    }
    const unsigned lines = page_due(work);
    turn.begin(lines > 0, lines);
    return turn.writing;
  }
  bool ends_soon(const DrainTurn& turn, bool write, const ChannelWork& work) const override {
    return write ? turn.left <= 1 : turn.left <= spec_.bank_groups && page_due(work) > 0;
  }

 private:
  /// Writes of the page to drain, 0: none is due. Of a bank the page of its oldest write is looked at, which is the one
  /// that goes first.
  unsigned page_due(const ChannelWork& work) const {
    if (work.writes.queued() == 0) return 0;
    const auto together = [&](unsigned bank) {
      return work.writes.count_for(bank, work.writes[work.writes.head(bank)].at.row);
    };
    unsigned most = 0;
    for (std::uint64_t busy = work.writes.busy_banks(); busy != 0; busy &= busy - 1)
      most = std::max(most, together(static_cast<unsigned>(__builtin_ctzll(busy))));
    if (most >= spec_.drain_row_lines) return most;
    const bool forced = work.backlog >= spec_.write_high_mark || work.write_age.overdue(work.writes) != kNoSlot;
    return forced ? together(work.writes[work.writes.oldest()].at.bank) : 0;
  }

  const DramSpec& spec_;
};

}  // namespace

std::unique_ptr<WriteDrain> make_row_count_drain(const DramSpec& spec) {
  return std::make_unique<RowCountDrain>(spec);
}

}  // namespace gputlm
