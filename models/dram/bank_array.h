// SPDX-License-Identifier: Apache-2.0
//
// The banks of one channel and how a line transaction is fitted between what is booked already: precharge, activate and
// columns at the earliest legal clocks, around refreshes, which close rows and take their pair of banks away.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "gputlm/dram/command_calendar.h"
#include "gputlm/dram/dram_map.h"
#include "gputlm/dram/dram_observer.h"
#include "gputlm/dram/page_policy.h"

namespace gputlm {

/// What one line transaction wants of its row.
struct ColumnRequest {
  DramLocation at;                                 ///< Of the line's first sector.
  SectorSet reads = 0;                             ///< Columns read, before the writes.
  SectorSet writes = 0;                            ///< Columns written.
  std::array<WriteMask, kSectorsPerLine> masks{};  ///< Per written column.
};

/// How the row was found.
enum class RowOutcome : std::uint8_t { hit, miss, conflict };

struct BankStatistics {
  std::uint64_t activates = 0, precharges = 0, refreshes = 0;
  std::uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;  // per line transaction
  std::uint64_t columns_read = 0, columns_written = 0;
  std::array<std::uint64_t, 3> writes_by_mask{};  // indexed by WriteMask
  std::uint64_t refresh_stalls = 0;               // transactions pushed behind a refresh
  Ck refresh_stall_clocks = 0;
};

/// A bank as pictures show it.
struct BankView {
  bool open = false;
  std::uint64_t row = 0;
  Ck last_column = 0;  ///< Latest column command booked.
  Ck last_activate = 0;
};

class BankArray {
 public:
  BankArray(const DramSpec& spec, const DramTiming& timing, unsigned controller, unsigned channel);

  void reset(Ck now);
  /// Nothing will be booked before `now` any more; rows whose idle time is over are closed.
  void advance(Ck now);
  /// Books a transaction from advance()'s time on; returns the end of its data on the bus.
  Ck book(const ColumnRequest& request);
  /// Opens the row ahead of the transactions that will use it, unless the bank is booked too far ahead already.
  void open_row(const DramLocation& at);

  const CommandCalendar& calendar() const { return calendar_; }
  const BankStatistics& statistics() const { return statistics_; }
  BankView view(unsigned bank) const;
  /// Backdoor: the bank's row is this one from now on, as if it had been opened long ago; no command, nobody is told.
  void set_row(unsigned bank, std::uint64_t row);

  DramObserver* observer = nullptr;

 private:
  struct Bank {
    std::uint64_t row = kNoRow;
    Ck activated = 0;      // last activate
    Ck may_activate = 0;   // earliest next activate as far as this bank goes (tRC, tRP, refresh)
    Ck may_precharge = 0;  // earliest precharge of the open row
    Ck last_column = 0;
    Ck refresh_start = kNever;  // the next refresh that nothing of this bank is booked behind
    std::uint64_t refresh = 0;  // its number
    bool prepared = false;      // opened by open_row and not used yet; `found` tells how the row was found then
    RowOutcome found = RowOutcome::hit;
  };

  /// Clocks chosen for one transaction, not booked yet.
  struct Plan {
    RowOutcome outcome = RowOutcome::hit;
    Ck precharge = 0, activate = 0;
    LineColumns reads, writes;
    Ck closable = 0;  // the bank could be closed again
    Ck data_end = 0;
  };

  Plan plan(const Bank& bank, const ColumnRequest& request) const;
  void plan_row(const Bank& bank, const ColumnRequest& request, Plan& plan) const;
  Ck plan_columns(CommandKind kind, const ColumnRequest& request, Ck from, Ck row_open, Plan& plan) const;
  Plan plan_around_refresh(Bank& bank, const ColumnRequest& request);
  void commit_row(Bank& bank, const DramLocation& at, const Plan& plan);
  void commit_columns(Bank& bank, const ColumnRequest& request, const Plan& plan);
  void show_columns(const ColumnRequest& request, const Plan& plan);
  void count_outcome(Bank& bank, RowOutcome outcome);

  void pass_refresh(Bank& bank);
  void settle(Bank& bank, Ck now);
  void close_idle_rows(Ck now);
  void close_row(Bank& bank, Ck at, unsigned slots);
  void reserve_refreshes();
  unsigned slots_of(WriteMask mask) const;
  unsigned index_of(const Bank& bank) const { return static_cast<unsigned>(&bank - banks_.data()); }
  void show(CommandKind kind, unsigned bank, std::uint64_t row, Ck at, unsigned slots, unsigned column = 0,
            WriteMask mask = WriteMask::none);

  const DramSpec& spec_;
  const DramTiming& timing_;
  const unsigned controller_, channel_;
  std::unique_ptr<PagePolicy> policy_;
  CommandCalendar calendar_;
  std::vector<Bank> banks_;
  std::uint64_t next_refresh_ = 0;  // first one whose command is not in the calendar yet
  Ck next_refresh_at_ = kNever;
  Ck idle_check_ = kNever;  // no open row is due to close before
  BankStatistics statistics_;
};

}  // namespace gputlm
