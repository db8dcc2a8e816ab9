// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/wait_for_graph.h"

#include <algorithm>
#include <utility>

namespace gputlm {
namespace {

constexpr unsigned kLinesShown = 40;

}  // namespace

WaitForGraph::WaitForGraph(const Gpu& gpu) {
  for (const Unit* unit : gpu.units()) {
    const std::size_t before = waits_.all().size();
    unit->list_waits(waits_);
    for (std::size_t i = before; i < waits_.all().size(); ++i) {
      const Wait& w = waits_.all()[i];
      if (!w.of_sm()) continue;
      Holder& holder = holders_[access_of(w.origin)];
      if (holder.unit != w.unit) holder = {units_.size(), w.unit, w.text()};
    }
    units_.emplace_back(unit->name());
  }
  note_arrows(gpu);
}

// Index of the unit that the socket belongs to.
std::size_t WaitForGraph::depth_of_socket(const std::string& name) const {
  const std::string unit = name.substr(0, name.rfind('.'));
  return static_cast<std::size_t>(std::find(units_.begin(), units_.end(), unit) - units_.begin());
}

// An arrow knows who has a transaction; a unit that has one and does not know of it has lost it.
void WaitForGraph::note_arrows(const Gpu& gpu) {
  for (const auto& checker : gpu.mem.wiring.checkers())
    for (const ProtocolChecker::Open& open : checker->open_transactions()) {
      const std::size_t depth = depth_of_socket(open.holder());
      const auto found = holders_.find(access_of(open.summary.origin));
      if (found == holders_.end() || depth >= units_.size() || depth <= found->second.depth) continue;
      found->second = {depth, units_[depth],
                       open.text() + " since " + ns_text(open.since) + ": " + open.summary.text() +
                           ", which got lost: the unit knows nothing of it"};
    }
}

bool WaitForGraph::overdue(Fs limit) const {
  return std::any_of(waits_.all().begin(), waits_.all().end(),
                     [limit](const Wait& w) { return w.of_sm() && w.since != kNever && now() - w.since > limit; });
}

void WaitForGraph::print(std::ostream& out) const {
  std::map<std::pair<unsigned, unsigned>, std::vector<const Wait*>> warps;
  for (const Wait& w : waits_.all())
    if (w.of_sm()) warps[{w.origin.sm, w.origin.warp}].push_back(&w);
  unsigned room = kLinesShown;
  std::size_t printed = 0;
  for (const auto& [warp, waits] : warps) {
    if (room == 0) break;
    out << "SM " << warp.first << " warp " << warp.second << '\n';
    print_warp(out, waits, room);
    ++printed;
  }
  if (printed < warps.size()) out << "and " << warps.size() - printed << " more warps\n";
  print_shared(out);
}

// `waits` come in the order of the road: the first one of an access is its warp's.
void WaitForGraph::print_warp(std::ostream& out, const std::vector<const Wait*>& waits, unsigned& room) const {
  std::vector<Access> told;
  for (const Wait* w : waits) {
    const Access access = access_of(w->origin);
    if (room == 0 || std::find(told.begin(), told.end(), access) != told.end()) continue;
    told.push_back(access);
    --room;
    if (w->origin.instruction == Wait::kWholeWarp) {
      out << "  " << w->text() << '\n';
      continue;
    }
    const Holder& holder = holders_.at(access);
    out << "  " << w->what << "\n    held by " << holder.unit << ": " << holder.reason << '\n';
  }
}

void WaitForGraph::print_shared(std::ostream& out) const {
  std::vector<std::pair<const Wait*, std::size_t>> kinds;
  for (const Wait& w : waits_.all()) {
    if (w.of_sm()) continue;
    const auto alike = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) {
      return !w.why.empty() && k.first->unit == w.unit && k.first->why == w.why;
    });
    if (alike != kinds.end())
      ++alike->second;
    else
      kinds.emplace_back(&w, 1);
  }
  unsigned room = kLinesShown;
  for (const auto& [wait, count] : kinds) {
    if (room-- == 0) break;
    out << wait->unit << ": " << wait->text();
    if (count > 1) out << " (and " << count - 1 << " more)";
    out << '\n';
  }
  if (kinds.size() > kLinesShown) out << "and " << kinds.size() - kLinesShown << " more\n";
}

}  // namespace gputlm
