// SPDX-License-Identifier: Apache-2.0
//
// What the fence judge lets an SM do, and what it finds: each rule kept, and broken once.
#include "gputlm/test_support/sc_test.h"

#include <sstream>

#include "gputlm/judge/fence_judge.h"

using namespace gputlm;

namespace {

constexpr unsigned kSm = 2;

/// One SM as its judge sees it.
class FenceBench {
 public:
  PayloadRef access(Operation operation, std::uint32_t instruction, Semantics semantics = Semantics::weak,
                    Scope scope = Scope::cta, unsigned warp = 0) {
    PayloadRef p = pool_.warp(operation);
    describe(*p, instruction, semantics, scope, warp);
    find_sideband(*p)->lanes->active = 1;
    return p;
  }
  /// The access is shown to the load/store unit.
  PayloadRef send(Operation operation, std::uint32_t instruction, Semantics semantics = Semantics::weak,
                  Scope scope = Scope::cta, unsigned warp = 0) {
    PayloadRef p = access(operation, instruction, semantics, scope, warp);
    judge.on_access(kSm, *p);
    return p;
  }
  PayloadRef send_fence(Scope scope, std::uint32_t instruction, unsigned warp = 0) {
    return send(Operation::fence, instruction, Semantics::acq_rel, scope, warp);
  }
  /// The access's line request leaves.
  PayloadRef leave(const PayloadRef& access) {
    const Sideband& s = *find_sideband(*access);
    PayloadRef line = pool_.line(tlm::TLM_IGNORE_COMMAND, 0x80, s.operation);
    describe(*line, s.origin.instruction, s.semantics, s.scope, s.origin.warp);
    judge.on_line_request(kSm, *line);
    return line;
  }
  void come_back(const PayloadRef& line) {
    line->set_response_status(tlm::TLM_OK_RESPONSE);
    judge.on_line_response(kSm, *line);
  }
  void answer(const PayloadRef& access) {
    access->set_response_status(tlm::TLM_OK_RESPONSE);
    judge.on_access_answered(kSm, *access);
  }
  void drop_l1() { judge.on_invalidate_all(kSm); }
  void host_answers(const PayloadRef& fence) {
    const PayloadRef barrier = pool_.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::system_barrier);
    find_sideband(*barrier)->origin = find_sideband(*fence)->origin;
    judge.on_barrier_answered(*barrier);
  }
  void issue(WarpInstruction::Kind kind, std::uint32_t index, unsigned warp = 0) {
    WarpInstruction i;
    i.kind = kind;
    judge.on_issue(kSm, warp, index, i);
  }
  /// A whole load or store of a warp.
  void pass(Operation operation, std::uint32_t instruction, unsigned warp = 0) {
    const PayloadRef p = send(operation, instruction, Semantics::weak, Scope::cta, warp);
    come_back(leave(p));
    answer(p);
  }
  void pass_fence(Scope scope, std::uint32_t instruction) {
    const PayloadRef fence = send_fence(scope, instruction);
    host_answers(fence);
    drop_l1();
    answer(fence);
  }

  void is_quiet() const { BOOST_TEST(judge.findings() == 0U, said()); }
  void has_found(const std::string& words) const {
    BOOST_TEST(judge.findings() == 1U, said());
    BOOST_TEST(said().find(words) != std::string::npos, said());
  }

  FenceJudge judge;

 private:
  static void describe(Payload& p, std::uint32_t instruction, Semantics semantics, Scope scope, unsigned warp) {
    Sideband& s = *find_sideband(p);
    s.semantics = semantics;
    s.scope = scope;
    s.origin = {kSm, static_cast<std::uint16_t>(warp), instruction, 7, 3};
  }
  std::string said() const {
    std::ostringstream text;
    judge.print(text);
    return text.str();
  }

  PayloadPool pool_;
};

constexpr Scope kWide[] = {Scope::gpu, Scope::sys};

}  // namespace

// -- Fences ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(fences_that_wait_for_everything_and_then_drop_l1_are_lawful) {
  FenceBench b;
  b.pass(Operation::load, 0);
  const PayloadRef store = b.send(Operation::store, 1), other = b.send(Operation::store, 0, {}, {}, 5);
  const PayloadRef line = b.leave(store), other_line = b.leave(other);
  const PayloadRef fence = b.send_fence(Scope::sys, 2);
  b.leave(b.send(Operation::store, 1, Semantics::weak, Scope::cta, 5));  // behind the fence: nobody waits for it
  b.come_back(line);
  b.come_back(other_line);
  b.host_answers(fence);
  b.drop_l1();
  b.answer(fence);
  b.pass(Operation::store, 3);
  b.pass_fence(Scope::cta, 4);
  b.pass_fence(Scope::gpu, 5);
  b.is_quiet();
  BOOST_TEST(b.judge.judged() == 3U);
}

BOOST_AUTO_TEST_CASE(a_fence_that_does_not_wait_for_its_warps_stores_is_found) {
  for (const Scope scope : kWide) {
    FenceBench b;
    b.leave(b.send(Operation::store, 0));
    b.pass_fence(scope, 1);
    b.has_found("a write of warp 0 instruction 0 is not acknowledged");
  }
}

BOOST_AUTO_TEST_CASE(a_fence_that_does_not_wait_for_the_sms_earlier_atomics_is_found) {
  FenceBench b;
  b.leave(b.send(Operation::reduction, 4, Semantics::relaxed, Scope::gpu, 6));
  b.pass_fence(Scope::gpu, 0);
  b.has_found("a write of warp 6 instruction 4 is not acknowledged");
}

BOOST_AUTO_TEST_CASE(a_store_of_its_warp_that_was_in_the_queue_when_the_fence_came_counts) {
  FenceBench b;
  const PayloadRef store = b.send(Operation::store, 0);
  const PayloadRef fence = b.send_fence(Scope::gpu, 1);
  b.leave(store);
  b.drop_l1();
  b.answer(fence);
  b.has_found("a write of warp 0 instruction 0 is not acknowledged");
}

BOOST_AUTO_TEST_CASE(an_access_that_leaves_after_the_fence_behind_it_is_found_at_every_scope) {
  for (const Scope scope : {Scope::cta, Scope::gpu, Scope::sys}) {
    FenceBench b;
    const PayloadRef store = b.send(Operation::store, 0);
    b.pass_fence(scope, 1);
    b.is_quiet();
    b.leave(store);
    b.has_found("left for L1 after the fence behind it (instruction 1)");
  }
}

BOOST_AUTO_TEST_CASE(a_fence_that_leaves_l1_as_it_was_is_found) {
  for (const Scope scope : kWide) {
    FenceBench b;
    const PayloadRef fence = b.send_fence(scope, 0);
    b.host_answers(fence);
    b.answer(fence);
    b.has_found("without L1 having been dropped");
  }
}

BOOST_AUTO_TEST_CASE(dropping_l1_before_the_stores_are_acknowledged_is_not_enough) {
  FenceBench b;
  const PayloadRef line = b.leave(b.send(Operation::store, 0));
  const PayloadRef fence = b.send_fence(Scope::gpu, 1);
  b.drop_l1();
  b.come_back(line);
  b.answer(fence);
  b.has_found("without L1 having been dropped");
}

BOOST_AUTO_TEST_CASE(a_system_fence_without_the_hosts_answer_is_found) {
  FenceBench b;
  const PayloadRef fence = b.send_fence(Scope::sys, 0);
  b.drop_l1();
  b.answer(fence);
  b.has_found("before the host's ordering point had answered");
}

BOOST_AUTO_TEST_CASE(an_access_sent_while_the_warps_fence_waits_is_found) {
  FenceBench b;
  b.send_fence(Scope::cta, 0);
  b.send(Operation::load, 1);
  b.has_found("was sent although the warp's fence or acquire before it is not answered");
}

BOOST_AUTO_TEST_CASE(a_fence_does_not_begin_before_the_warps_loads_are_back) {
  FenceBench wide, narrow, barrier;
  for (FenceBench* b : {&wide, &narrow, &barrier}) b->send(Operation::load, 0);
  wide.send_fence(Scope::gpu, 1);
  wide.has_found("began although 1 of the warp's loads are not back");
  narrow.issue(WarpInstruction::Kind::fence, 1);
  narrow.send_fence(Scope::cta, 1);
  narrow.has_found("began although 1 of the warp's loads are not back");
  barrier.pass_fence(Scope::cta, 1);  // at a CTA barrier order at L1 is enough
  barrier.issue(WarpInstruction::Kind::cta_barrier, 1);
  barrier.is_quiet();
}

BOOST_AUTO_TEST_CASE(a_fence_instruction_that_sends_no_fence_is_found) {
  FenceBench b;
  b.issue(WarpInstruction::Kind::fence, 0);
  b.issue(WarpInstruction::Kind::compute, 1);
  b.has_found("instruction 0: fence went by without a fence");
}

// -- Acquires, releases, barriers ------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(an_acquire_drops_l1_behind_its_data) {
  for (const Operation operation : {Operation::load, Operation::atomic}) {
    FenceBench lawful, never, early;
    for (FenceBench* b : {&lawful, &never, &early}) {
      const PayloadRef acquire = b->send(operation, 0, Semantics::acquire, Scope::gpu);
      const PayloadRef line = b->leave(acquire);
      if (b == &early) b->drop_l1();
      b->come_back(line);
      if (b == &lawful) b->drop_l1();
      b->answer(acquire);
    }
    lawful.is_quiet();
    never.has_found("without L1 having been dropped behind its data");
    early.has_found("without L1 having been dropped behind its data");
  }
}

BOOST_AUTO_TEST_CASE(an_acquire_of_the_cta_keeps_l1_and_its_warp_waits) {
  FenceBench b;
  const PayloadRef acquire = b.send(Operation::load, 0, Semantics::acquire, Scope::cta);
  b.come_back(b.leave(acquire));
  b.answer(acquire);
  b.is_quiet();
  b.send(Operation::load, 1, Semantics::acquire, Scope::cta);
  b.send(Operation::store, 2);
  b.has_found("is not answered");
}

BOOST_AUTO_TEST_CASE(a_release_needs_a_fence_of_its_scope_right_before_it) {
  FenceBench none, narrow, old, lawful;
  narrow.pass_fence(Scope::cta, 3);
  old.pass_fence(Scope::gpu, 2);
  lawful.pass_fence(Scope::gpu, 3);
  for (FenceBench* b : {&none, &narrow, &old, &lawful}) b->send(Operation::store, 3, Semantics::release, Scope::gpu);
  for (FenceBench* b : {&none, &narrow, &old}) b->has_found("was sent without a fence of its scope before it");
  lawful.is_quiet();
}

BOOST_AUTO_TEST_CASE(a_cta_barrier_is_reached_with_accesses_fenced_if_there_are_other_warps) {
  FenceBench alone, together;
  alone.pass(Operation::store, 0);
  alone.issue(WarpInstruction::Kind::cta_barrier, 1);
  alone.is_quiet();
  together.pass(Operation::store, 0, 1);
  together.pass(Operation::store, 0);
  together.issue(WarpInstruction::Kind::cta_barrier, 1);
  together.has_found("CTA barrier reached with accesses that no fence has ordered");
}

BOOST_AUTO_TEST_CASE(a_warps_slot_starts_anew_with_its_next_program) {
  FenceBench b;
  const PayloadRef late = b.access(Operation::store, 0);
  b.pass_fence(Scope::gpu, 4);
  b.issue(WarpInstruction::Kind::exit, 5);
  b.leave(late);  // of another program, for all that is known
  b.is_quiet();
}
