// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/dram_limits.h"

#include <algorithm>

#include "gputlm/dram/rule_names.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {

using namespace rule_names;

namespace {

// From the first column of a line to the last. A refresh command in the way costs a column as many clocks as it holds
// slots.
Ck columns(const DramTiming& timing, CommandKind kind, unsigned slots) {
  const Ck spacing = std::max<Ck>(timing.gap(kind, kind, kGroup), slots);
  return (kSectorsPerLine - 1) * spacing + Ck{kSectorsPerLine} * slots;
}

}  // namespace

unsigned widest_column(const DramSpec& spec) {
  return spec.ecc == "codeword" ? 1 : std::max({1U, spec.timing.wdm_slots, spec.timing.wsm_slots});
}

Ck longest_line(const DramSpec& spec, const DramTiming& timing) {
  const Ck activate = 1;  // one clock for a refresh command in the way
  const Ck reads = columns(timing, kRead, 1), writes = columns(timing, kWrite, widest_column(spec));
  const Ck to_read = activate + timing.gap(kAct, kRead, kBank), to_write = activate + timing.gap(kAct, kWrite, kBank);
  const Ck read = to_read + reads + timing.gap(kRead, kPre, kBank);
  const Ck recovery = writes + timing.gap(kWrite, kPre, kBank);
  const Ck merged = to_read + reads + timing.gap(kRead, kWrite, kChannel);
  const Ck write = std::max(to_write, spec.ecc == "codeword" ? merged : 0) + recovery;
  return std::max({activate + timing.gap(kAct, kPre, kBank), read, write});
}

// The channel takes nothing while its last column lies beyond half the window. A line behind that waits for the bank,
// the bus and the activate window, at worst once more behind a refresh, and so may the row opened ahead for it.
Ck booking_window(const DramSpec& spec, const DramTiming& timing) {
  const DramTimingSpec& t = spec.timing;
  const Ck wait = Ck{t.tRC} + t.tRP + t.tFAW + t.tRRDL + timing.gap(kRead, kWrite, kChannel) +
                  timing.gap(kWrite, kRead, kGroup) + t.tCL + t.burst + 64;
  const Ck behind = wait + 2 * (2 * longest_line(spec, timing) + timing.refresh_cycles());
  const Ck ahead = timing.cycles(spec.look_ahead) + timing.refresh_cycles() + 2 * Ck{t.tRC} + wait;
  return 2 * std::max(behind, 2 * ahead);
}

}  // namespace gputlm
