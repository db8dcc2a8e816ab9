// SPDX-License-Identifier: Apache-2.0
#include "gputlm/judge/fence_judge.h"

#include <algorithm>
#include <iomanip>

namespace gputlm {
namespace {

bool is_control(const Sideband& s) {
  return s.operation == Operation::l1_invalidate || s.operation == Operation::system_barrier;
}
bool returns_data(const Sideband& s) {
  return s.operation == Operation::load || s.operation == Operation::atomic;
}
bool orders_both(const Sideband& s) {
  return s.semantics == Semantics::acq_rel || s.semantics == Semantics::seq_cst;
}
bool acquires(const Sideband& s) {
  return returns_data(s) && (s.semantics == Semantics::acquire || orders_both(s));
}
bool releases(const Sideband& s) {
  return s.operation != Operation::load && (s.semantics == Semantics::release || orders_both(s));
}
bool same_program(const Origin& a, const Origin& b) {
  return a.sm == b.sm && a.warp == b.warp && a.kernel == b.kernel && a.cta == b.cta;
}

}  // namespace

FenceJudge::Sm& FenceJudge::sm_of(unsigned sm) {
  if (sm >= sms_.size()) sms_.resize(sm + 1);
  return sms_[sm];
}

FenceJudge::Warp& FenceJudge::warp_of(Sm& sm, unsigned warp) {
  if (warp >= sm.warps.size()) sm.warps.resize(warp + 1);
  return sm.warps[warp];
}

FenceJudge::Warp& FenceJudge::warp_of(Sm& sm, const Origin& origin) {
  Warp& w = warp_of(sm, origin.warp);
  w.known = true;
  w.kernel = origin.kernel;
  w.cta = origin.cta;
  return w;
}

FenceJudge::Waiting* FenceJudge::find_waiting(Sm& sm, const Origin& origin) {
  const auto at = std::find_if(sm.waiting.begin(), sm.waiting.end(),
                               [&](const Waiting& w) { return same_program(w.what.origin, origin); });
  return at == sm.waiting.end() ? nullptr : &*at;
}

void FenceJudge::report(unsigned sm, const Sideband& what, const std::string& text) {
  findings_.add(FindingKind::unordered, sm, what.virtual_address, 0, 0,
                "warp " + std::to_string(what.origin.warp) + " instruction " + std::to_string(what.origin.instruction) +
                    ": " + name_of(what.operation) + " (" + name_of(what.semantics) + "." + name_of(what.scope) + ") " +
                    text);
}

// -- seen at the schedulers ------------------------------------------------------------------------------------------

void FenceJudge::on_issue(unsigned sm, unsigned warp, std::uint32_t index, const WarpInstruction& instruction) {
  using Kind = WarpInstruction::Kind;
  Warp& w = warp_of(sm_of(sm), warp);
  if (w.fence_due != kNoInstruction)
    findings_.add(FindingKind::unordered, sm, 0, 0, 0,
                  "warp " + std::to_string(warp) + " instruction " + std::to_string(w.fence_due) +
                      ": fence went by without a fence at the load/store unit");
  w.fence_due = kNoInstruction;
  if (instruction.kind == Kind::fence) w.fence_due = index;
  if (instruction.kind == Kind::cta_barrier) check_barrier(sm, warp, index);
  if (instruction.kind == Kind::exit) w = Warp{};
}

void FenceJudge::check_barrier(unsigned sm, unsigned warp, std::uint32_t index) {
  const std::vector<Warp>& all = sm_of(sm).warps;
  const Warp& arrived = all[warp];
  const bool others = std::any_of(all.begin(), all.end(), [&](const Warp& w) {
    return &w != &arrived && w.known && w.kernel == arrived.kernel && w.cta == arrived.cta;
  });
  if (arrived.unordered && others)
    findings_.add(FindingKind::unordered, sm, 0, 0, 0,
                  "warp " + std::to_string(warp) + " instruction " + std::to_string(index) +
                      ": CTA barrier reached with accesses that no fence has ordered");
}

// -- seen at the load/store unit -------------------------------------------------------------------------------------

void FenceJudge::on_access(unsigned sm, const Payload& access) {
  const Sideband* s = find_sideband(access);
  if (s == nullptr || s->origin.sm != sm) return;
  Sm& state = sm_of(sm);
  Warp& w = warp_of(state, s->origin);
  if (find_waiting(state, s->origin) != nullptr)
    report(sm, *s, "was sent although the warp's fence or acquire before it is not answered");
  const bool fence = s->operation == Operation::fence;
  if (fence) {
    const bool instruction = w.fence_due == s->origin.instruction;
    w.fence_due = kNoInstruction;
    if (w.loads > 0 && (instruction || s->scope != Scope::cta))
      report(sm, *s, "began although " + std::to_string(w.loads) + " of the warp's loads are not back");
  } else {
    if (releases(*s) && (w.fenced_at != s->origin.instruction || w.fenced_scope < s->scope))
      report(sm, *s, "was sent without a fence of its scope before it");
    w.unordered = true;
    if (returns_data(*s)) ++w.loads;
  }
  if (fence || acquires(*s)) state.waiting.push_back({&access, *s, state.next});
}

void FenceJudge::on_line_request(unsigned sm, const Payload& line) {
  const Sideband* s = find_sideband(line);
  if (s == nullptr || is_control(*s)) return;
  Sm& state = sm_of(sm);
  if (s->origin.sm == sm) {
    const Warp& w = warp_of(state, s->origin.warp);
    const bool same = w.known && w.kernel == s->origin.kernel && w.cta == s->origin.cta;
    if (same && w.fenced_at != kNoInstruction && s->origin.instruction < w.fenced_at)
      report(sm, *s,
             "left for L1 after the fence behind it (instruction " + std::to_string(w.fenced_at) + ") was answered");
    if (Waiting* const acquire = find_waiting(state, s->origin);
        acquire != nullptr && acquire->what.origin.instruction == s->origin.instruction) {
      ++acquire->lines;
      acquire->dropped = false;
    }
  }
  if (s->operation != Operation::load)
    state.writes[reinterpret_cast<std::uintptr_t>(&line)] = {state.next++, s->origin, line.get_address()};
}

void FenceJudge::on_line_response(unsigned sm, const Payload& line) {
  const Sideband* s = find_sideband(line);
  if (s == nullptr || is_control(*s)) return;
  Sm& state = sm_of(sm);
  if (s->operation != Operation::load) state.writes.erase(reinterpret_cast<std::uintptr_t>(&line));
  Waiting* const acquire = find_waiting(state, s->origin);
  if (acquire == nullptr || acquire->what.origin.instruction != s->origin.instruction || acquire->lines == 0) return;
  --acquire->lines;
  acquire->dropped = false;
}

void FenceJudge::on_barrier_answered(const Payload& barrier) {
  const Sideband* s = find_sideband(barrier);
  if (s == nullptr || s->origin.sm >= sms_.size()) return;
  if (Waiting* const fence = find_waiting(sms_[s->origin.sm], s->origin)) fence->host_answered = true;
}

/// A write that the fence has to wait for and that is not acknowledged.
const FenceJudge::Write* FenceJudge::missing_write(const Sm& sm, const Waiting& fence) {
  const Write* missing = nullptr;
  sm.writes.for_each([&](std::uint64_t, const Write& w) {
    const bool own = same_program(w.origin, fence.what.origin) && w.origin.instruction < fence.what.origin.instruction;
    if ((own || w.number < fence.after) && (missing == nullptr || w.number < missing->number)) missing = &w;
  });
  return missing;
}

void FenceJudge::on_invalidate_all(unsigned sm) {
  Sm& state = sm_of(sm);
  for (Waiting& w : state.waiting) {
    if (w.what.operation == Operation::fence)
      w.dropped = w.dropped || (missing_write(state, w) == nullptr && (w.what.scope != Scope::sys || w.host_answered));
    else
      w.dropped = w.lines == 0;
  }
}

void FenceJudge::check_fence(unsigned sm, const Waiting& fence) {
  if (fence.what.scope == Scope::cta) return;
  if (const Write* missing = missing_write(sm_of(sm), fence)) {
    report(sm, fence.what,
           "was answered although a write of warp " + std::to_string(missing->origin.warp) + " instruction " +
               std::to_string(missing->origin.instruction) + " is not acknowledged");
  } else if (fence.what.scope == Scope::sys && !fence.host_answered) {
    report(sm, fence.what, "was answered before the host's ordering point had answered");
  } else if (!fence.dropped) {
    report(sm, fence.what, "was answered without L1 having been dropped behind what the fence waits for");
  }
}

void FenceJudge::on_access_answered(unsigned sm, const Payload& access) {
  const Sideband* s = find_sideband(access);
  if (s == nullptr || s->origin.sm != sm) return;
  Sm& state = sm_of(sm);
  Warp& w = warp_of(state, s->origin.warp);
  if (returns_data(*s) && w.loads > 0) --w.loads;
  const auto at =
      std::find_if(state.waiting.begin(), state.waiting.end(), [&](const Waiting& x) { return x.access == &access; });
  if (at == state.waiting.end()) return;
  const Waiting waiting = *at;
  state.waiting.erase(at);
  if (access.is_response_error()) return;  // a fault; the warp ends
  ++judged_;
  if (s->operation == Operation::fence) {
    check_fence(sm, waiting);
    w.fenced_at = s->origin.instruction;
    w.fenced_scope = s->scope;
    w.unordered = false;
  } else if (s->scope != Scope::cta && s->lanes->active != 0 && !waiting.dropped) {
    report(sm, *s, "was answered without L1 having been dropped behind its data");
  }
}

void FenceJudge::print(std::ostream& out) const {
  for (const Finding& f : findings_.kept())
    out << std::fixed << std::setprecision(3) << to_ns(f.time) << " ns SM " << f.sm << ' ' << name_of(f.kind) << ": "
        << f.text << '\n';
  if (findings_.total() > findings_.kept().size())
    out << "and " << findings_.total() - findings_.kept().size() << " more findings\n";
}

}  // namespace gputlm
