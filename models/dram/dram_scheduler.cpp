// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/dram_scheduler.h"

#include "gputlm/tlm/byte_mask.h"

namespace gputlm {

std::unique_ptr<DramScheduler> DramScheduler::make(const DramSpec& spec, const DramTiming& timing) {
  if (spec.scheduler == "fcfs") return make_fcfs();
  if (spec.scheduler != "fr_fcfs") return nullptr;
  // Opening a row takes a precharge and an activate; meanwhile the group's bus share should have lines of the old row.
  const Ck opening = timing.gap(CommandKind::precharge, CommandKind::activate, RuleScope::bank) +
                     timing.gap(CommandKind::activate, CommandKind::read, RuleScope::bank);
  const Ck line = timing.gap(CommandKind::read, CommandKind::read, RuleScope::group) * kSectorsPerLine;
  return make_fr_fcfs(static_cast<unsigned>((opening + line - 1) / line));
}

}  // namespace gputlm
