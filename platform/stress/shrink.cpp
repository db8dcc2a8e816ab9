// SPDX-License-Identifier: Apache-2.0
//
// Delta debugging: leave out ever smaller parts of a list as long as the rest still fails.
#include <algorithm>

#include "gputlm/stress/stress_runner.h"

namespace gputlm {
namespace {

using Fails = std::function<bool(const StressCase&)>;

// `list(c)` is the list to cut in a case. True when anything could be left out.
template <class List>
bool cut(StressCase& c, List list, std::size_t least, const Fails& fails) {
  bool any = false;
  for (std::size_t part = std::max<std::size_t>(1, list(c).size() / 2); part > 0; part /= 2) {
    for (std::size_t at = 0; at < list(c).size();) {
      StressCase smaller = c;
      auto& all = list(smaller);
      const std::size_t n = std::min(part, all.size() - at);
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(at), all.begin() + static_cast<std::ptrdiff_t>(at + n));
      if (all.size() >= least && fails(smaller)) {
        c = std::move(smaller);
        any = true;
      } else {
        at += part;
      }
    }
  }
  return any;
}

// One lane, no stall, no wait, where that still fails.
bool simplify(StressCase& c, const Fails& fails) {
  bool any = false;
  for (std::size_t w = 0; w < c.warps.size(); ++w)
    for (std::size_t n = 0; n < c.warps[w].instructions.size(); ++n) {
      StressCase simpler = c;
      StressInstruction& i = simpler.warps[w].instructions[n];
      i.active &= ~i.active + 1;
      i.stall = 1;
      i.wait = i.alias = false;
      const StressInstruction& old = c.warps[w].instructions[n];
      const bool same = i.active == old.active && i.stall == old.stall && i.wait == old.wait && i.alias == old.alias;
      if (same || !fails(simpler)) continue;
      c = std::move(simpler);
      any = true;
    }
  return any;
}

}  // namespace

StressCase shrink(StressCase c, const Fails& fails) {
  for (bool any = true; any;) {
    any = cut(
        c, [](StressCase & x) -> auto& { return x.warps; }, 1, fails);
    for (std::size_t w = 0; w < c.warps.size(); ++w)
      any = cut(
                c, [w](StressCase & x) -> auto& { return x.warps[w].instructions; }, 0, fails) ||
            any;
    any = cut(
              c, [](StressCase & x) -> auto& { return x.overrides; }, 0, fails) ||
          any;
    any = simplify(c, fails) || any;
  }
  return c;
}

}  // namespace gputlm
