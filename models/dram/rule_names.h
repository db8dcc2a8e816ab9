// SPDX-License-Identifier: Apache-2.0
//
// Short names for the commands and scopes of DRAM timing rules, for code in which most lines name several. For .cpp
// files: `using namespace rule_names;`.
#pragma once

#include "gputlm/dram/dram_timing.h"

namespace gputlm::rule_names {

inline constexpr CommandKind kAct = CommandKind::activate, kPre = CommandKind::precharge, kRead = CommandKind::read,
                             kWrite = CommandKind::write, kRefresh = CommandKind::refresh;
inline constexpr RuleScope kBank = RuleScope::bank, kGroup = RuleScope::group, kChannel = RuleScope::channel;

}  // namespace gputlm::rule_names
