// SPDX-License-Identifier: Apache-2.0
#include <iomanip>
#include <ostream>

#include "gputlm/judge/scoreboard.h"

namespace gputlm {

void Scoreboard::report(StatisticsSink& sink) const {
  sink.count("bytes_checked", "byte",
             "Bytes compared: loads, L1 hits, content before partial stores and atomics, audits", bytes_checked());
  sink.count("mismatches", "finding", "Findings in all; 0 in a sound run", mismatches());
  for (unsigned k = 0; k < kFindingKinds; ++k)
    if (const auto kind = static_cast<FindingKind>(k); mismatches(kind) > 0)
      sink.count(name_of(kind), "finding", "Of the mismatches, those of this kind", mismatches(kind));
  sink.count("loads_answered", "line", "Line loads answered at the load/store units",
             responses_[index(Operation::load)]);
  sink.count("stores_answered", "line", "Line stores acknowledged at the load/store units",
             responses_[index(Operation::store)]);
  sink.count("stores_in_flight", "line", "Line stores not acknowledged yet", in_flight(Operation::store));
  sink.count("host_memory", "byte", "Host memory of the digests: 32 bytes a line in 64 KiB pages",
             reference_.host_bytes());
}

void Scoreboard::print(std::ostream& out) const {
  for (const Finding& f : findings_.kept()) {
    out << std::fixed << std::setprecision(3) << to_ns(f.time) << " ns ";
    if (f.sm != Origin{}.sm) out << "SM " << f.sm << ' ';
    out << "address 0x" << std::hex << f.address << ' ' << name_of(f.kind) << ": " << f.text << ", expected 0x"
        << f.expected << ", got 0x" << f.got << std::dec << '\n';
  }
  if (mismatches() > findings_.kept().size())
    out << "and " << mismatches() - findings_.kept().size() << " more findings\n";
}

}  // namespace gputlm
