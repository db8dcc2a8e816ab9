// SPDX-License-Identifier: Apache-2.0
//
// A unit has one observer; a list is one that passes every call on, for a scoreboard and a recorder side by side.
#pragma once

#include <utility>
#include <vector>

#include "gputlm/l1/l1_observer.h"
#include "gputlm/l2/l2_observer.h"
#include "gputlm/lsu/lsu_observer.h"
#include "gputlm/warp/warp_observer.h"

namespace gputlm {

/// Calls the observers in the order in which they were added. Does not own them.
template <class Observer>
class ObserverFanOut : public Observer {
 public:
  void add(Observer& observer) { observers_.push_back(&observer); }

 protected:
  template <class Call>
  void each(Call call) const {
    for (Observer* o : observers_) call(*o);
  }

 private:
  std::vector<Observer*> observers_;
};

class L2ObserverList : public ObserverFanOut<L2Observer> {
 public:
  void add(L2Observer& observer) {
    ObserverFanOut::add(observer);
    if (observer.watches_lines()) line_watchers_.push_back(&observer);
  }
  void on_store(unsigned slice, const Payload& p) override {
    each([&](L2Observer& o) { o.on_store(slice, p); });
  }
  void on_load(unsigned slice, const Payload& p) override {
    each([&](L2Observer& o) { o.on_load(slice, p); });
  }
  void on_load_done(unsigned slice, const Payload& p) override {
    each([&](L2Observer& o) { o.on_load_done(slice, p); });
  }
  void on_atomic(unsigned slice, const Payload& p) override {
    each([&](L2Observer& o) { o.on_atomic(slice, p); });
  }
  void on_atomic_done(unsigned slice, const Payload& p) override {
    each([&](L2Observer& o) { o.on_atomic_done(slice, p); });
  }
  void on_line(unsigned slice, LineEvent event, unsigned set, unsigned way, std::uint64_t line) override {
    for (L2Observer* o : line_watchers_) o->on_line(slice, event, set, way, line);
  }

 private:
  std::vector<L2Observer*> line_watchers_;
};

class L1ObserverList : public ObserverFanOut<L1Observer> {
 public:
  void on_allocate(unsigned sm, unsigned slot, std::uint64_t virtual_line) override {
    each([&](L1Observer& o) { o.on_allocate(sm, slot, virtual_line); });
  }
  void on_store_update(unsigned sm, unsigned slot, const Payload& store, ByteMask mask) override {
    each([&](L1Observer& o) { o.on_store_update(sm, slot, store, mask); });
  }
  void on_store_kept(unsigned sm, unsigned slot, const Payload& store, ByteMask mask) override {
    each([&](L1Observer& o) { o.on_store_kept(sm, slot, store, mask); });
  }
  void on_write_back(unsigned sm, unsigned slot, const Payload& write) override {
    each([&](L1Observer& o) { o.on_write_back(sm, slot, write); });
  }
  void on_drop_but(unsigned sm, unsigned slot, ByteMask stay) override {
    each([&](L1Observer& o) { o.on_drop_but(sm, slot, stay); });
  }
  void on_fill(unsigned sm, unsigned slot, const Payload& fill, ByteMask installed) override {
    each([&](L1Observer& o) { o.on_fill(sm, slot, fill, installed); });
  }
  void on_hit(unsigned sm, unsigned slot, const Payload& load, ByteMask wanted) override {
    each([&](L1Observer& o) { o.on_hit(sm, slot, load, wanted); });
  }
  void on_miss_answered(unsigned sm, const Payload& load, ByteMask from_slot, const Payload& fill) override {
    each([&](L1Observer& o) { o.on_miss_answered(sm, load, from_slot, fill); });
  }
  void on_drop(unsigned sm, unsigned slot) override {
    each([&](L1Observer& o) { o.on_drop(sm, slot); });
  }
  void on_invalidate_all(unsigned sm) override {
    each([&](L1Observer& o) { o.on_invalidate_all(sm); });
  }
  void on_debug_write(unsigned sm, unsigned slot, const unsigned char* line, ByteMask mask) override {
    each([&](L1Observer& o) { o.on_debug_write(sm, slot, line, mask); });
  }
};

class WarpObserverList : public ObserverFanOut<WarpObserver> {
 public:
  void on_issue(unsigned sm, unsigned warp, std::uint32_t index, const WarpInstruction& instruction) override {
    each([&](WarpObserver& o) { o.on_issue(sm, warp, index, instruction); });
  }
  void on_access_done(unsigned sm, const Payload& access) override {
    each([&](WarpObserver& o) { o.on_access_done(sm, access); });
  }
  void on_warp_fault(unsigned sm, unsigned warp, std::uint32_t index, std::uint64_t address,
                     tlm::tlm_response_status status) override {
    each([&](WarpObserver& o) { o.on_warp_fault(sm, warp, index, address, status); });
  }
  void on_cta_retired(unsigned sm, std::uint32_t kernel, std::uint32_t cta) override {
    each([&](WarpObserver& o) { o.on_cta_retired(sm, kernel, cta); });
  }
  void on_throttled(unsigned sm, bool throttled) override {
    each([&](WarpObserver& o) { o.on_throttled(sm, throttled); });
  }
};

class LsuObserverList : public ObserverFanOut<LsuObserver> {
 public:
  void on_line_request(unsigned sm, const Payload& line) override {
    each([&](LsuObserver& o) { o.on_line_request(sm, line); });
  }
  void on_line_response(unsigned sm, const Payload& line) override {
    each([&](LsuObserver& o) { o.on_line_response(sm, line); });
  }
  void on_fault(unsigned sm, const Payload& access, std::uint64_t address, tlm::tlm_response_status status) override {
    each([&](LsuObserver& o) { o.on_fault(sm, access, address, status); });
  }
  void on_access_answered(unsigned sm, const Payload& access) override {
    each([&](LsuObserver& o) { o.on_access_answered(sm, access); });
  }
  void on_invalidate(unsigned sm) override {
    each([&](LsuObserver& o) { o.on_invalidate(sm); });
  }
};

}  // namespace gputlm
