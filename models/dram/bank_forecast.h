// SPDX-License-Identifier: Apache-2.0
//
// What a controller remembers of the rows it asked a channel for: which row each bank should have open, and roughly
// when the bank and its group could take a next column. A forecast only: the channel's calendar has the last word, and
// a wrong forecast costs time, never correctness.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "gputlm/dram/page_policy.h"
#include "gputlm/dram/request_queue.h"

namespace gputlm {

class BankForecast {
 public:
  /// The queues are told which rows are open.
  BankForecast(const DramSpec& spec, const DramTiming& timing, std::array<RequestQueue*, 2> queues);
  void reset(Ck now);
  /// Accounts for rows closed by refreshes and by the page policy up to `now`.
  void advance(Ck now);

  unsigned banks() const { return static_cast<unsigned>(banks_.size()); }
  unsigned groups() const { return static_cast<unsigned>(group_next_.size()); }
  unsigned group_of(unsigned bank) const { return bank / banks_per_group_; }
  std::uint64_t row(unsigned bank) const { return banks_[bank].row; }
  /// Earliest column of the open row.
  Ck column_at(unsigned bank) const;
  /// Earliest column after opening another row.
  Ck column_after_opening(unsigned bank) const;

  void opened(unsigned bank, std::uint64_t row);
  /// A line with so many columns of the row was handed over.
  void used(unsigned bank, std::uint64_t row, unsigned columns, bool write);

 private:
  struct Bank {
    std::uint64_t row = kNoRow;
    Ck ready = 0;  // first column of the open row
    Ck may_activate = 0;
    Ck may_precharge = 0;
    Ck last_column = 0;
    Ck refresh_start = kNever;
  };
  Ck activate_at(const Bank& bank) const;
  void set_row(unsigned bank, std::uint64_t row);
  void close_passed(unsigned bank);
  Ck closes_at(const Bank& bank) const;

  const DramTiming& timing_;
  std::unique_ptr<PagePolicy> policy_;
  unsigned banks_per_group_;
  std::vector<Bank> banks_;
  std::vector<Ck> group_next_;
  const std::array<RequestQueue*, 2> queues_;
  Ck now_ = 0;
  Ck next_close_ = 0;  // no row is closed before
};

}  // namespace gputlm
