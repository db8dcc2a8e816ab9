// SPDX-License-Identifier: Apache-2.0
//
// The command checker alone, fed by hand with the commands of one channel.
#pragma once

#include "gputlm/test_support/sc_test.h"

#include <string>
#include <vector>

#include "dram_facts.h"
#include "gputlm/dram/rule_names.h"
#include "gputlm/dram_checker/command_checker.h"

namespace gputlm {

using namespace rule_names;

struct GivenCommand {
  Ck clock;
  CommandKind kind;
  unsigned bank;
  unsigned slots = 1;
  WriteMask mask = WriteMask::none;
  std::uint64_t row = 1;
};

struct Judge {
  explicit Judge(const DramSpec& s = rtx4090_dram()) : spec(s), timing(spec, 0), checker(spec) {}

  void command(const GivenCommand& c) {
    checker.on_command(0, 0, {c.kind, c.bank, c.row, 0, c.mask, c.slots, c.clock, timing.time_of(c.clock)}, 0);
  }
  void commands(const std::vector<GivenCommand>& all) {
    for (const GivenCommand& c : all) command(c);
  }
  /// All that is wrong, in words.
  const std::vector<std::string>& verdict() {
    checker.finish();
    return checker.violations();
  }
  bool content() {
    for (const std::string& v : verdict()) BOOST_TEST_MESSAGE(v);
    return checker.violation_count() == 0;
  }
  /// One violation, and it is this one.
  bool complains_only_of(const std::string& what) {
    for (const std::string& v : verdict()) BOOST_TEST_MESSAGE(v);
    return checker.violation_count() == 1 && checker.violations().front().find(what) != std::string::npos;
  }

  DramSpec spec;
  DramTiming timing;
  CommandChecker checker;
};

}  // namespace gputlm
