// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/bank_array.h"

#include <algorithm>

#include "gputlm/dram/dram_limits.h"
#include "gputlm/dram/rule_names.h"

namespace gputlm {

using namespace rule_names;

BankArray::BankArray(const DramSpec& spec, const DramTiming& timing, unsigned controller, unsigned channel)
    : spec_(spec),
      timing_(timing),
      controller_(controller),
      channel_(channel),
      policy_(PagePolicy::make(spec, timing)),
      calendar_(timing, spec.bank_groups, spec.timing.commands_per_clock, booking_window(spec, timing)),
      banks_(std::size_t{spec.bank_groups} * spec.banks_per_group) {
  if (!policy_) SC_REPORT_FATAL("gputlm/dram", ("unknown page policy " + spec.page_policy).c_str());
  const bool has_room = timing.clocks_between_refreshes() >= longest_line(spec, timing) &&
                        timing.clocks_between_refresh_commands() > widest_column(spec);
  if (timing.refreshes() && !has_room) SC_REPORT_FATAL("gputlm/dram", "refreshes leave the banks no time to work");
  reset(0);
}

void BankArray::reset(Ck now) {
  calendar_.reset();
  calendar_.advance(now);
  std::fill(banks_.begin(), banks_.end(), Bank{});
  idle_check_ = kNever;
  statistics_ = {};
  if (!timing_.refreshes()) return;
  for (Bank& bank : banks_) {
    bank.refresh = timing_.next_refresh(timing_.pair_of(index_of(bank)), now);
    bank.refresh_start = timing_.refresh_start(bank.refresh);
  }
  next_refresh_ = timing_.next_refresh(0, now);
  for (unsigned pair = 1; pair < timing_.pairs(); ++pair)
    next_refresh_ = std::min(next_refresh_, timing_.next_refresh(pair, now));
  next_refresh_at_ = timing_.refresh_start(next_refresh_);
}

void BankArray::show(CommandKind kind, unsigned bank, std::uint64_t row, Ck at, unsigned slots, unsigned column,
                     WriteMask mask) {
  if (observer == nullptr) return;
  observer->on_command(controller_, channel_, {kind, bank, row, column, mask, slots, at, timing_.time_of(at)},
                       std::min(at, calendar_.start()));
}

// -- Refresh and idle rows ------------------------------------------------------------------------------------------

void BankArray::reserve_refreshes() {
  while (next_refresh_at_ < calendar_.start() + calendar_.horizon() - 64) {
    if (next_refresh_at_ >= calendar_.start()) calendar_.book_slot(next_refresh_at_);
    ++statistics_.refreshes;
    show(CommandKind::refresh, static_cast<unsigned>(next_refresh_ % timing_.pairs()), 0, next_refresh_at_, 1);
    next_refresh_at_ = timing_.refresh_start(++next_refresh_);
  }
}

void BankArray::pass_refresh(Bank& bank) {
  bank.row = kNoRow;
  bank.prepared = false;
  bank.may_activate = std::max(bank.may_activate, bank.refresh_start + timing_.refresh_cycles());
  bank.refresh += timing_.pairs();
  bank.refresh_start = timing_.refresh_start(bank.refresh);
}

void BankArray::settle(Bank& bank, Ck now) {
  if (bank.refresh_start > now) return;
  const std::uint64_t next = timing_.next_refresh(timing_.pair_of(index_of(bank)), now + 1);
  bank.refresh = next - timing_.pairs();
  bank.refresh_start = timing_.refresh_start(bank.refresh);
  pass_refresh(bank);
}

void BankArray::close_row(Bank& bank, Ck at, unsigned slots) {
  show(kPre, index_of(bank), bank.row, at, slots);
  ++statistics_.precharges;
  bank.row = kNoRow;
  bank.prepared = false;
  bank.may_activate = std::max(bank.may_activate, at + timing_.gap(kPre, kAct, kBank));
}

void BankArray::close_idle_rows(Ck now) {
  while (idle_check_ <= now) {
    Bank* first = nullptr;
    Ck earliest = kNever;
    for (Bank& bank : banks_) {
      if (bank.row == kNoRow) continue;
      const Ck due = std::max(policy_->closes_at(bank.last_column), bank.may_precharge);
      // A row that its bank's refresh is about to close anyway gets no command of its own.
      if (due >= earliest || due >= bank.refresh_start) continue;
      earliest = due;
      first = &bank;
    }
    idle_check_ = earliest;
    if (first == nullptr || earliest > now) return;
    calendar_.advance(earliest);
    reserve_refreshes();
    const Ck at = calendar_.find_slot(earliest);
    if (at >= first->refresh_start) {
      pass_refresh(*first);
      continue;
    }
    calendar_.book_slot(at);
    close_row(*first, at, 1);
  }
}

void BankArray::advance(Ck now) {
  if (!policy_->auto_precharge()) close_idle_rows(now);
  calendar_.advance(now);
  reserve_refreshes();
}

void BankArray::set_row(unsigned bank, std::uint64_t row) {
  Bank& b = banks_[bank];
  settle(b, calendar_.start());
  b.row = row;
  b.prepared = false;
  b.activated = calendar_.start() - timing_.gap(kAct, kAct, kBank);
  b.may_activate = b.may_precharge = b.last_column = calendar_.start();
  idle_check_ = std::min(idle_check_, policy_->closes_at(b.last_column));
}

BankView BankArray::view(unsigned bank) const {
  const Bank& b = banks_[bank];
  return {b.row != kNoRow, b.row == kNoRow ? 0 : b.row, b.last_column, b.activated};
}

}  // namespace gputlm
