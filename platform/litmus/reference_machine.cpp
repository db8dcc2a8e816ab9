// SPDX-License-Identifier: Apache-2.0
#include "gputlm/litmus/reference_machine.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "gputlm/litmus/machine_state.h"
#include "gputlm/workload/atomic_reference.h"

namespace gputlm {
namespace {

using Kind = LitmusInstruction::Kind;
using Word = std::uint32_t;
using State = MachineState;
using Step = State::Step;
using Thread = State::Thread;
using Line = State::Line;
using Pending = State::Pending;

// States of one placement beyond which the machine gives up; those of the published tests stay far below.
constexpr std::size_t kMostStates = 2'000'000;

bool orders_after(const LitmusInstruction& i) {
  return i.semantics == Semantics::acquire || i.semantics == Semantics::acq_rel || i.semantics == Semantics::seq_cst;
}
bool orders_before(const LitmusInstruction& i) {
  return i.semantics == Semantics::release || i.semantics == Semantics::acq_rel || i.semantics == Semantics::seq_cst;
}
bool is_wide(const LitmusInstruction& i) {
  return i.scope != Scope::cta;
}

/// All ways of one test with its CTAs on given SMs.
class Machine {
 public:
  Machine(const LitmusTest& test, std::vector<unsigned> sm_of_thread, std::set<FinalState>& found)
      : test_(test), sm_of_(std::move(sm_of_thread)), found_(found) {}

  /// False when there are too many.
  bool explore() {
    push(initial());
    while (!open_.empty()) {
      if (seen_.size() > kMostStates) return false;
      const State s = std::move(open_.back());
      open_.pop_back();
      bool ended = true;
      for (unsigned sm = 0; sm < s.roads.size(); ++sm)
        if (!s.roads[sm].empty()) serve(s, sm), ended = false;
      for (unsigned t = 0; t < s.threads.size(); ++t) ended = !advance(s, t) && ended;
      if (ended) finish(s);
    }
    return true;
  }

 private:
  State initial() const {
    State s;
    const unsigned sms = *std::max_element(sm_of_.begin(), sm_of_.end()) + 1;
    for (const LitmusThread& t : test_.threads) {
      s.threads.emplace_back();
      s.threads.back().registers.resize(t.registers.size());
    }
    for (unsigned l = 0; l < test_.locations.size(); ++l)
      s.memory.push_back(test_.locations[test_.storage_of(l)].initial);
    s.l1.resize(sms);
    for (auto& lines : s.l1)  // warmed; a cold L1 has lost its lines
      for (const Word value : s.memory) lines.push_back({1, value});
    s.roads.resize(sms);
    return s;
  }

  void push(State s) {
    if (seen_.insert(s.key()).second) open_.push_back(std::move(s));
  }

  Word& memory(State& s, unsigned location) const { return s.memory[test_.storage_of(location)]; }

  static Word value_of(const State& s, unsigned thread, const LitmusOperand& o) {
    return o.is_register ? s.threads[thread].registers[o.index] : o.value;
  }

  static Word modified(const LitmusInstruction& i, Word old, Word a, Word b) {
    if (i.function == AtomicFunction::compare_and_swap)
      return static_cast<Word>(atomic_result(i.function, 4, old, b, a));
    return static_cast<Word>(atomic_result(i.function, 4, old, i.negated ? ~a + 1 : a, 0));
  }

  // L2 takes the oldest request of an SM.
  void serve(State s, unsigned sm) {
    const Pending p = s.roads[sm].front();
    s.roads[sm].erase(s.roads[sm].begin());
    for (unsigned t = 0; t < s.threads.size(); ++t)
      if (sm_of_[t] == sm && s.threads[t].waits_for > 0) --s.threads[t].waits_for;
    const LitmusInstruction& i = test_.threads[p.thread].instructions[p.instruction];
    Word& word = memory(s, i.location);
    word = i.kind == Kind::store ? p.operand : modified(i, word, p.operand, 0);
    push(std::move(s));
  }

  // What the thread may do next; false: it has ended.
  bool advance(const State& s, unsigned t) {
    const Thread& thread = s.threads[t];
    const auto& program = test_.threads[t].instructions;
    if (thread.next == program.size()) return false;
    const LitmusInstruction& i = program[thread.next];
    const bool fences = i.kind == Kind::fence || (i.kind != Kind::load && orders_before(i));
    if (thread.step == Step::fencing || thread.step == Step::acquiring)
      drop_l1(s, t, thread.step == Step::acquiring || i.kind == Kind::fence);
    else if (fences && is_wide(i) && thread.step == Step::begin)
      begin_fence(s, t);
    else
      perform(s, t, i);
    return true;
  }

  void begin_fence(State s, unsigned t) {
    s.threads[t].waits_for = static_cast<Word>(s.roads[sm_of_[t]].size());
    s.threads[t].step = Step::fencing;
    push(std::move(s));
  }

  void drop_l1(State s, unsigned t, bool ends) {
    Thread& thread = s.threads[t];
    if (thread.waits_for > 0) return;
    for (Line& l : s.l1[sm_of_[t]]) l.present = 0;
    thread.step = ends ? Step::begin : Step::fenced;
    if (ends) ++thread.next;
    push(std::move(s));
  }

  void perform(const State& s, unsigned t, const LitmusInstruction& i) {
    switch (i.kind) {
      case Kind::load:
        return load(s, t, i);
      case Kind::store:
      case Kind::reduction:
        return send(s, t, i);
      case Kind::atomic:
        return atomic(s, t, i);
      default:
        return compute(s, t, i);
    }
  }

  void load(const State& s, unsigned t, const LitmusInstruction& i) {
    const unsigned sm = sm_of_[t];
    const bool weak = i.semantics == Semantics::weak || !is_wide(i);
    const Line& line = s.l1[sm][i.location];
    if (weak && line.present != 0) go_on(s, t, i, line.value);
    if (!s.roads[sm].empty()) return;  // it reaches L2 behind what has left before
    State at_l2 = s;
    const Word value = memory(at_l2, i.location);
    at_l2.l1[sm][i.location] = {weak ? 1U : 0U, value};
    go_on(std::move(at_l2), t, i, value);
  }

  void send(State s, unsigned t, const LitmusInstruction& i) {
    const Word operand = value_of(s, t, i.a);
    s.roads[sm_of_[t]].push_back({s.threads[t].next, t, operand});
    s.l1[sm_of_[t]][i.location] = {i.kind == Kind::store ? 1U : 0U, operand};
    next(s, t);
    push(std::move(s));
  }

  void atomic(State s, unsigned t, const LitmusInstruction& i) {
    if (!s.roads[sm_of_[t]].empty()) return;
    Word& word = memory(s, i.location);
    const Word old = word;
    word = modified(i, old, value_of(s, t, i.a), value_of(s, t, i.b));
    s.l1[sm_of_[t]][i.location].present = 0;
    go_on(std::move(s), t, i, old);
  }

  void compute(State s, unsigned t, const LitmusInstruction& i) {
    const Word a = value_of(s, t, i.a), b = value_of(s, t, i.b);
    next(s, t);
    if (i.kind == Kind::add) s.threads[t].registers[i.destination] = a + b;
    if (i.kind == Kind::branch_if_equal && a == b) s.threads[t].next = i.target;
    if (i.kind == Kind::branch_unless_equal && a != b) s.threads[t].next = i.target;
    push(std::move(s));
  }

  static void next(State& s, unsigned t) {
    ++s.threads[t].next;
    s.threads[t].step = Step::begin;
  }

  // A load or atomic has its data.
  void go_on(State s, unsigned t, const LitmusInstruction& i, Word value) {
    s.threads[t].registers[i.destination] = value;
    if (orders_after(i) && is_wide(i))
      s.threads[t].step = Step::acquiring;
    else
      next(s, t);
    push(std::move(s));
  }

  void finish(const State& s) {
    FinalState values;
    for (const LitmusVariable& v : test_.condition.variables()) {
      if (v.thread < 0) {
        const auto at = std::find_if(test_.locations.begin(), test_.locations.end(),
                                     [&](const LitmusLocation& l) { return l.name == v.name; });
        values.push_back(s.memory[test_.storage_of(static_cast<unsigned>(at - test_.locations.begin()))]);
      } else {
        const auto thread = static_cast<std::size_t>(v.thread);
        const auto& names = test_.threads[thread].registers;
        const auto at = std::find(names.begin(), names.end(), v.name);
        values.push_back(s.threads[thread].registers[static_cast<std::size_t>(at - names.begin())]);
      }
    }
    found_.insert(std::move(values));
  }

  const LitmusTest& test_;
  const std::vector<unsigned> sm_of_;
  std::set<FinalState>& found_;
  std::vector<State> open_;
  std::unordered_set<std::string> seen_;
};

/// Calls `visit` with the SM of each thread for every way to put the CTAs on SMs that are all alike.
template <class Visit>
bool for_each_placement(const LitmusTest& test, unsigned sms, std::vector<unsigned>& sm_of_cta, Visit visit) {
  if (sm_of_cta.size() == test.ctas.size()) {
    std::vector<unsigned> sm_of_thread(test.threads.size());
    for (std::size_t c = 0; c < test.ctas.size(); ++c)
      for (const unsigned thread : test.ctas[c]) sm_of_thread[thread] = sm_of_cta[c];
    return visit(std::move(sm_of_thread));
  }
  const unsigned used = sm_of_cta.empty() ? 0 : *std::max_element(sm_of_cta.begin(), sm_of_cta.end()) + 1;
  for (unsigned sm = 0; sm < std::min(sms, used + 1); ++sm) {
    sm_of_cta.push_back(sm);
    const bool go_on = for_each_placement(test, sms, sm_of_cta, visit);
    sm_of_cta.pop_back();
    if (!go_on) return false;
  }
  return true;
}

}  // namespace

std::optional<std::set<FinalState>> reachable_states(const LitmusTest& test, unsigned sms) {
  std::set<FinalState> found;
  std::vector<unsigned> sm_of_cta;
  const bool all = for_each_placement(test, sms, sm_of_cta, [&](std::vector<unsigned> sm_of_thread) {
    return Machine(test, std::move(sm_of_thread), found).explore();
  });
  if (!all) return std::nullopt;
  return found;
}

}  // namespace gputlm
