// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema_builder.h"

namespace gputlm {

void describe_card(SchemaBuilder& t) {
  t.text("name", "Name of the card.", {at(&Config::name)});
  t.text("description", "What the configuration describes, in a sentence.", {at(&Config::description)});
  t.choice("timing", {"approximate", "loose"},
           "How the memory below the SMs answers: by every unit on the road, or at once with an estimated time.",
           {at(&Config::timing)});

  t.frequency("clocks.sm", kClock, "Clock of the SMs: warp schedulers, load/store unit, L1.",
              {at(&Config::warp, &WarpSpec::clock_hz), at(&Config::sass, &SassSpec::clock_hz),
               at(&Config::lsu, &LsuSpec::clock_hz), at(&Config::l1, &L1Spec::clock_hz)});
  t.frequency("clocks.crossbar", kClock, "Clock of the networks between SMs and L2.",
              {at(&Config::crossbar, &CrossbarSpec::clock_hz)});
  t.frequency("clocks.l2", kClock, "Clock of the L2 slices.", {at(&Config::l2, &L2Spec::clock_hz)});
  t.frequency("clocks.dram", kClock, "Command clock (CK) of the DRAM.",
              {at(&Config::dram, &DramSpec::timing, &DramTimingSpec::clock_hz)});
}

}  // namespace gputlm
