// SPDX-License-Identifier: Apache-2.0
//
// What opening rows of DRAM costs, for the estimate: a channel activates so often and no more, a bank closes and opens
// again no faster than its row cycle. A scheduler serves what waits for an open row before it opens another; here a row
// counts as open for as long as a full queue takes. Left out: bank groups, precharges that an access waits for,
// refresh.
#pragma once

#include <array>
#include <vector>

#include "gputlm/loose/booked_time.h"
#include "gputlm/loose/loose_spec.h"

namespace gputlm {

class LooseRows {
 public:
  explicit LooseRows(const LooseSpec& spec);

  /// When the row of an access that comes at `at` is open: then or later.
  Fs open(const LoosePlace& place, Fs at);
  /// As new: nothing booked, all rows closed.
  void reset();

 private:
  static constexpr std::size_t kRows = 4;  ///< Rows of a bank that requests may be gathered for at once.
  struct Row {
    std::uint64_t number = ~std::uint64_t{0};
    Fs opened = 0, until = 0;
  };
  struct Bank {
    std::array<Row, kRows> rows;
    std::size_t next = 0;   ///< The row to forget.
    Fs last = -kNever / 2;  ///< Activate.
  };

  Fs activate(const LoosePlace& place, Fs at);

  const Fs interval_, cycle_, gather_;
  std::vector<BookedTime> activates_;  ///< By channel.
  std::vector<Bank> banks_;
};

}  // namespace gputlm
