// SPDX-License-Identifier: Apache-2.0
//
// How a line transaction finds its clocks: planned first, since a plan that a refresh would cut is made anew, then
// booked.
#include <algorithm>

#include "gputlm/dram/bank_array.h"

#include "gputlm/dram/rule_names.h"

namespace gputlm {

using namespace rule_names;

// -- Planning -------------------------------------------------------------------------------------------------------

unsigned BankArray::slots_of(WriteMask mask) const {
  return mask == WriteMask::none ? 1 : mask == WriteMask::double_byte ? spec_.timing.wdm_slots : spec_.timing.wsm_slots;
}

void BankArray::plan_row(const Bank& bank, const ColumnRequest& request, Plan& plan) const {
  Ck from = std::max(calendar_.start(), bank.may_activate);
  if (bank.row != kNoRow) {
    plan.outcome = RowOutcome::conflict;
    plan.precharge = calendar_.find_slot(std::max(calendar_.start(), bank.may_precharge));
    from = std::max(from, plan.precharge + timing_.gap(kPre, kAct, kBank));
  } else {
    plan.outcome = RowOutcome::miss;
  }
  plan.activate = calendar_.find_activate(request.at.bank_group, from);
}

Ck BankArray::plan_columns(CommandKind kind, const ColumnRequest& request, Ck from, Ck row_open, Plan& plan) const {
  const bool write = kind == kWrite;
  const Ck spacing = timing_.gap(kind, kind, RuleScope::group);
  const Ck data = Ck{write ? spec_.timing.tWL : spec_.timing.tCL} + spec_.timing.burst;
  const SectorSet sectors = write ? request.writes : request.reads;
  LineColumns& columns = write ? plan.writes : plan.reads;
  CommandCalendar::ColumnSearch search(calendar_, kind, request.at.bank_group);
  Ck next = std::max(from, row_open + timing_.gap(kAct, kind, kBank));
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if ((sectors >> s & 1U) == 0) continue;
    const unsigned slots = write ? slots_of(request.masks[s]) : 1;
    const Ck at = search.find(slots, next);
    columns.add(at, slots);
    next = at + std::max<Ck>(spacing, slots);
  }
  plan.closable = std::max(plan.closable, columns.last() + timing_.gap(kind, kPre, kBank));
  plan.data_end = columns.last() + data;
  return columns.last();
}

BankArray::Plan BankArray::plan(const Bank& bank, const ColumnRequest& request) const {
  Plan p;
  Ck row_open = bank.activated;
  if (bank.row != request.at.row) {
    plan_row(bank, request, p);
    row_open = p.activate;
  }
  p.closable = row_open + timing_.gap(kAct, kPre, kBank);
  Ck from = calendar_.start();
  if (request.reads != 0) from = plan_columns(kRead, request, from, row_open, p);
  if (request.writes != 0) {
    if (request.reads != 0) from += timing_.gap(kRead, kWrite, RuleScope::channel);
    plan_columns(kWrite, request, from, row_open, p);
  }
  return p;
}

BankArray::Plan BankArray::plan_around_refresh(Bank& bank, const ColumnRequest& request) {
  settle(bank, calendar_.start());
  Plan p = plan(bank, request);
  if (p.closable <= bank.refresh_start) return p;
  const Ck wanted = p.closable;
  do {
    pass_refresh(bank);
    p = plan(bank, request);
  } while (p.closable > bank.refresh_start);
  ++statistics_.refresh_stalls;
  statistics_.refresh_stall_clocks += std::max<Ck>(0, p.closable - wanted);
  return p;
}

// -- Booking --------------------------------------------------------------------------------------------------------

void BankArray::commit_row(Bank& bank, const DramLocation& at, const Plan& plan) {
  if (plan.outcome == RowOutcome::conflict) {
    calendar_.book_slot(plan.precharge);
    close_row(bank, plan.precharge, 1);
  }
  calendar_.book_activate(at.bank_group, plan.activate);
  ++statistics_.activates;
  show(kAct, at.bank, at.row, plan.activate, 1);
  bank.row = at.row;
  bank.activated = plan.activate;
  bank.may_activate = plan.activate + timing_.gap(kAct, kAct, kBank);
  bank.may_precharge = plan.activate + timing_.gap(kAct, kPre, kBank);
  bank.last_column = plan.activate;
}

void BankArray::commit_columns(Bank& bank, const ColumnRequest& request, const Plan& plan) {
  for (const CommandKind kind : {kRead, kWrite}) {
    const LineColumns& columns = kind == kRead ? plan.reads : plan.writes;
    if (columns.count() == 0) continue;
    calendar_.book_columns(kind, request.at.bank_group, columns);
    (kind == kRead ? statistics_.columns_read : statistics_.columns_written) += columns.count();
    bank.last_column = std::max(bank.last_column, columns.last());
  }
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if ((request.writes >> s & 1U) != 0) ++statistics_.writes_by_mask[static_cast<std::size_t>(request.masks[s])];
  bank.may_precharge = std::max(bank.may_precharge, plan.closable);
  if (observer != nullptr) show_columns(request, plan);
}

void BankArray::show_columns(const ColumnRequest& request, const Plan& plan) {
  for (const CommandKind kind : {kRead, kWrite}) {
    const SectorSet sectors = kind == kRead ? request.reads : request.writes;
    const LineColumns& columns = kind == kRead ? plan.reads : plan.writes;
    for (unsigned s = 0, i = 0; s < kSectorsPerLine; ++s) {
      if ((sectors >> s & 1U) == 0) continue;
      const WriteMask mask = kind == kRead ? WriteMask::none : request.masks[s];
      show(kind, request.at.bank, request.at.row, columns.at(i), columns.slots(i), request.at.column + s, mask);
      ++i;
    }
  }
}

void BankArray::count_outcome(Bank& bank, RowOutcome outcome) {
  if (bank.prepared) outcome = bank.found;
  bank.prepared = false;
  ++(outcome == RowOutcome::hit    ? statistics_.row_hits
     : outcome == RowOutcome::miss ? statistics_.row_misses
                                   : statistics_.row_conflicts);
}

Ck BankArray::book(const ColumnRequest& request) {
  Bank& bank = banks_[request.at.bank];
  const Plan p = plan_around_refresh(bank, request);
  if (p.data_end >= calendar_.start() + calendar_.horizon())
    SC_REPORT_FATAL("gputlm/dram", "a command would be booked past the calendar's window");
  if (p.outcome != RowOutcome::hit) commit_row(bank, request.at, p);
  count_outcome(bank, p.outcome);
  commit_columns(bank, request, p);
  if (policy_->auto_precharge() && bank.may_precharge < bank.refresh_start)
    close_row(bank, bank.may_precharge, 0);
  else if (policy_->auto_precharge())
    pass_refresh(bank);  // it starts at that very clock and closes the row itself
  else
    idle_check_ = std::min(idle_check_, policy_->closes_at(bank.last_column));
  return p.data_end;
}

void BankArray::open_row(const DramLocation& at) {
  Bank& bank = banks_[at.bank];
  ColumnRequest row_only;
  row_only.at = at;
  settle(bank, calendar_.start());
  const Ck limit = calendar_.start() + calendar_.horizon() / 2;
  if (bank.row == at.row || bank.may_activate > limit || bank.may_precharge > limit) return;
  const Plan p = plan(bank, row_only);
  if (p.closable > bank.refresh_start) return;  // it would be closed before it is used
  commit_row(bank, at, p);
  bank.prepared = true;
  bank.found = p.outcome;
  if (!policy_->auto_precharge()) idle_check_ = std::min(idle_check_, policy_->closes_at(bank.last_column));
}

}  // namespace gputlm
