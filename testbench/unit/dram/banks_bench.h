// SPDX-License-Identifier: Apache-2.0
//
// The banks of one channel driven clock by clock, every command recorded and judged.
#pragma once

#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <vector>

#include "dram_facts.h"
#include "gputlm/dram/bank_array.h"
#include "gputlm/dram/rule_names.h"
#include "gputlm/dram_checker/command_checker.h"

namespace gputlm {

using namespace rule_names;

struct Recorder : DramObserver {
  explicit Recorder(const DramSpec& spec) : checker(spec) {}
  void on_command(unsigned controller, unsigned channel, const BookedCommand& c, Ck watermark) override {
    commands.push_back(c);
    checker.on_command(controller, channel, c, watermark);
  }
  std::vector<BookedCommand> commands;
  CommandChecker checker;
};

/// One channel's banks without refresh, open page, to be driven clock by clock.
struct Banks {
  explicit Banks(DramSpec s) : spec(std::move(s)), timing(spec, 0), banks(spec, timing, 0, 0), seen(spec) {
    banks.observer = &seen;
  }
  ~Banks() {
    seen.checker.finish();
    for (const std::string& v : seen.checker.violations()) BOOST_ERROR(v);
  }
  Ck access(Ck now, unsigned bank, std::uint64_t row, SectorSet reads, SectorSet writes = 0,
            WriteMask mask = WriteMask::none) {
    ColumnRequest r;
    r.at.bank = bank;
    r.at.bank_group = bank / spec.banks_per_group;
    r.at.row = row;
    r.reads = reads;
    r.writes = writes;
    r.masks.fill(mask);
    banks.advance(now);
    return banks.book(r);
  }
  /// Clock of the n-th command of a kind (from 0, in order of clocks).
  Ck clock(CommandKind kind, std::size_t n) const {
    std::vector<Ck> clocks;
    for (const BookedCommand& c : seen.commands)
      if (c.kind == kind) clocks.push_back(c.clock);
    std::sort(clocks.begin(), clocks.end());
    BOOST_REQUIRE_LT(n, clocks.size());
    return clocks[n];
  }
  std::size_t count(CommandKind kind) const {
    return static_cast<std::size_t>(std::count_if(seen.commands.begin(), seen.commands.end(),
                                                  [&](const BookedCommand& c) { return c.kind == kind; }));
  }

  const DramSpec spec;
  const DramTiming timing;
  BankArray banks;
  Recorder seen;
};

inline DramSpec open_page() {
  DramSpec s = rtx4090_dram();
  s.page_policy = "open";
  s.timing.refresh_interval = 0;
  return s;
}

}  // namespace gputlm
