// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/protocol_hang.h"

#include <algorithm>

namespace gputlm {

using Open = ProtocolChecker::Open;

std::vector<Open> HangTimer::overdue() const {
  std::vector<Open> all;
  for (const ProtocolChecker* arrow : arrows_)
    for (const Open& open : arrow->open_transactions())
      if (now() - open.since > limit_) all.push_back(open);
  std::stable_sort(all.begin(), all.end(), [](const Open& a, const Open& b) { return a.since < b.since; });
  return all;
}

bool HangTimer::expired() const {
  return !overdue().empty();
}

void HangTimer::explain(std::ostream& out, std::size_t most) const {
  std::vector<Open> all = overdue();
  for (std::size_t shown = 0; !all.empty() && shown < most; ++shown) {
    const Payload* const payload = all.front().payload;
    const auto rest =
        std::stable_partition(all.begin(), all.end(), [&](const Open& o) { return o.payload == payload; });
    for (auto o = all.begin(); o != rest; ++o) out << (o == all.begin() ? "" : "  ") << o->text() << '\n';
    all.erase(all.begin(), rest);
  }
  if (!all.empty()) out << "and " << all.size() << " more\n";
}

}  // namespace gputlm
