// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/bank_forecast.h"

#include <algorithm>

#include "gputlm/dram/rule_names.h"

namespace gputlm {

using namespace rule_names;

BankForecast::BankForecast(const DramSpec& spec, const DramTiming& timing, std::array<RequestQueue*, 2> queues)
    : timing_(timing),
      policy_(PagePolicy::make(spec, timing)),
      banks_per_group_(spec.banks_per_group),
      banks_(std::size_t{spec.bank_groups} * spec.banks_per_group),
      group_next_(spec.bank_groups),
      queues_(queues) {
  if (!policy_) SC_REPORT_FATAL("gputlm/dram", ("unknown page policy " + spec.page_policy).c_str());
  reset(0);
}

void BankForecast::reset(Ck now) {
  std::fill(banks_.begin(), banks_.end(), Bank{});
  std::fill(group_next_.begin(), group_next_.end(), now);
  now_ = next_close_ = now;
  for (unsigned b = 0; b < banks(); ++b) {
    set_row(b, kNoRow);
    if (timing_.refreshes())
      banks_[b].refresh_start = timing_.refresh_start(timing_.next_refresh(timing_.pair_of(b), now));
  }
}

void BankForecast::set_row(unsigned bank, std::uint64_t row) {
  banks_[bank].row = row;
  for (RequestQueue* queue : queues_) queue->open_row(bank, row);
}

/// When the bank's row is closed if nobody uses it, or its refresh begins.
Ck BankForecast::closes_at(const Bank& bank) const {
  return bank.row == kNoRow ? bank.refresh_start : std::min(bank.refresh_start, policy_->closes_at(bank.last_column));
}

void BankForecast::advance(Ck now) {
  now_ = now;
  if (now < next_close_) return;
  next_close_ = kNever;
  for (unsigned b = 0; b < banks(); ++b) {
    if (closes_at(banks_[b]) <= now) close_passed(b);
    next_close_ = std::min(next_close_, closes_at(banks_[b]));
  }
}

void BankForecast::close_passed(unsigned b) {
  Bank& bank = banks_[b];
  if (bank.refresh_start <= now_) {
    const std::uint64_t next = timing_.next_refresh(timing_.pair_of(b), now_ + 1);
    bank.may_activate =
        std::max(bank.may_activate, timing_.refresh_start(next - timing_.pairs()) + timing_.refresh_cycles());
    bank.refresh_start = timing_.refresh_start(next);
  } else {
    bank.may_activate = std::max(bank.may_activate, bank.may_precharge + timing_.gap(kPre, kAct, kBank));
  }
  set_row(b, kNoRow);
}

Ck BankForecast::activate_at(const Bank& bank) const {
  const Ck closed = bank.row == kNoRow ? now_ : std::max(now_, bank.may_precharge) + timing_.gap(kPre, kAct, kBank);
  return std::max(closed, bank.may_activate);
}

Ck BankForecast::column_at(unsigned bank) const {
  return std::max({now_, banks_[bank].ready, group_next_[group_of(bank)]});
}

Ck BankForecast::column_after_opening(unsigned bank) const {
  return std::max(activate_at(banks_[bank]) + timing_.gap(kAct, kRead, kBank), group_next_[group_of(bank)]);
}

void BankForecast::opened(unsigned b, std::uint64_t row) {
  Bank& bank = banks_[b];
  const Ck at = activate_at(bank);
  set_row(b, row);
  bank.ready = at + timing_.gap(kAct, kRead, kBank);
  bank.may_activate = at + timing_.gap(kAct, kAct, kBank);
  bank.may_precharge = at + timing_.gap(kAct, kPre, kBank);
  bank.last_column = bank.ready;
  next_close_ = std::min(next_close_, closes_at(bank));
}

void BankForecast::used(unsigned b, std::uint64_t row, unsigned columns, bool write) {
  if (banks_[b].row != row) opened(b, row);
  Bank& bank = banks_[b];
  const CommandKind kind = write ? kWrite : kRead;
  const Ck first = column_at(b), spacing = timing_.gap(kind, kind, kGroup);
  group_next_[group_of(b)] = first + columns * spacing;
  bank.last_column = std::max(bank.last_column, first + (Ck{columns} - 1) * spacing);
  bank.may_precharge = std::max(bank.may_precharge, bank.last_column + timing_.gap(kind, kPre, kBank));
}

}  // namespace gputlm
