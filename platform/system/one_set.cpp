// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/one_set.h"

#include <fmt/ostream.h>

namespace gputlm {

OneSet::OneSet(Simulation& simulation) : simulation_(simulation) {
  simulation.lsu_observers.add(*this);
  text_ << "Each way of the set after each access: line address, RRPV, D dirty, F in the write-back FIFO.\n";
}

void OneSet::on_access_done(unsigned, const Payload& access) {
  const Sideband& s = *find_sideband(access);
  const auto physical = simulation_.gpu.pages.translate(s.virtual_address);
  if (!physical || (!access.is_read() && !access.is_write())) return;
  const unsigned slice = simulation_.gpu.mem.slice_of(*physical), set = simulation_.gpu.mem.set_of(*physical);
  const L2Slice& l2 = *simulation_.gpu.mem.slices[slice];
  fmt::print(text_, "\n{:>3}. {:<5} line {:#x} (slice {}, set {}) at {:.3f} ns, {} dirty\n", ++accesses_,
             name_of(s.operation), line_of(*physical), slice, set, to_ns(now()), l2.dirty_lines(set));
  unsigned column = 0;
  for (const L2Way& w : l2.view_set(set)) {
    if (!w.present)
      fmt::print(text_, "     {:<24}", "-");
    else
      fmt::print(text_, "     {:<24}",
                 fmt::format("{:#x} rrpv {} {}{}", w.line, w.rrpv, w.dirty.empty() ? '-' : 'D', w.in_fifo ? 'F' : '-'));
    if (++column % 4 == 0) text_ << '\n';
  }
}

}  // namespace gputlm
