// SPDX-License-Identifier: Apache-2.0
//
// L1 data cache of one SM: 128 KiB, 4 ways x 256 sets of 128-byte lines in 32-byte sectors, virtually indexed and
// tagged (so two virtual aliases of a line take two slots), strict LRU, write-through. It is not coherent: a weak load
// hits on what the slot holds, stale or not, until a strong access to the line or an invalidate drops it.
//
// Left out: a bound on hits that wait for the data port, replays, the carve-out's own data path (shared memory),
// texture and constant paths. A load waits for one fill; if none on its way brings all it lacks, a new one asks for all
// of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gputlm/l1/fill_table.h"
#include "gputlm/l1/l1_array.h"
#include "gputlm/l1/l1_observer.h"
#include "gputlm/l1/l1_spec.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// Traffic that goes on passes in the same call, `miss_latency` later; only hits have an event of their own.
///
/// | request | what L1 does |
/// |---|---|
/// | store | updates the slot, or allocates one with the store's bytes only; passes on |
/// | load, weak or cta scope | hit, or waits for a fill; the bytes valid at its arrival are captured then |
/// | load, gpu or sys scope; reduction; atomic | drops the line and poisons its fills, now and when the answer passes
/// up | | l1_invalidate | drops every line and poisons every fill, at once | | system_barrier | passes on untouched |
class L1Cache : public Unit {
 public:
  /// Why a request is held back at the door.
  enum class Stall : std::uint8_t { fills, network };
  /// What a slot holds, for tests and tools.
  struct SlotView {
    std::uint64_t line;
    ByteMask valid;
    const unsigned char* data;
  };

  L1Cache(const sc_core::sc_module_name& name, const L1Spec& spec, unsigned sm, PayloadPool& pool);

  TargetSocket<L1Cache> requests;   ///< From the LSU.
  InitiatorSocket<L1Cache> misses;  ///< To the MMU.
  L1Observer* observer = nullptr;

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override;
  void list_waits(WaitList& waits) const override;

  /// Kernel boundary: what l1_invalidate does, without a transaction.
  void invalidate_all();
  /// Ways left to the cache, 1 to spec.ways, when shared memory takes the rest; drops the lines of the others.
  void set_ways(unsigned ways);

  unsigned set_of(std::uint64_t virtual_line) const { return array_.set_of(virtual_line); }
  /// Backdoor: what the way of a set holds, nothing when it is empty.
  std::optional<SlotView> slot(unsigned set, unsigned way) const;
  /// Backdoor: puts a line into a way of its set; `image` is 128 bytes, those of `valid` count.
  void set_slot(unsigned way, std::uint64_t virtual_line, ByteMask valid, const unsigned char* image);

  /// Time for which requests were held at the door, up to now.
  Fs stall_time(Stall cause) const { return stall_.total(cause, std::max(now(), held_.arrival)); }

  // -- Called by the sockets ------------------------------------------------------------------------------------------
  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t port, Payload& p);
  void on_accepted(std::size_t port, Payload& p, Fs delay);
  bool on_response(std::size_t port, Payload& p, Fs delay);
  void on_debug_written(std::size_t port, std::uint64_t first, std::uint64_t last);

 private:
  using Slot = L1Array::Slot;

  /// A request whose END_REQ is withheld.
  struct Held {
    PayloadRef request;
    Fs arrival = 0;
    Stall cause = Stall::network;
  };
  struct Counters {
    std::uint64_t loads = 0, hits = 0, misses = 0, partial_hits = 0, fills = 0, fills_merged = 0, fills_poisoned = 0;
    std::uint64_t stores = 0, store_hits = 0, allocations = 0, evictions = 0, invalidates = 0, strong_bypasses = 0;
    Histogram hit_latency, fill_latency, load_wait;
  };

  Admission load(Payload& p, Fs& delay, Fs asked);
  Admission hit(Payload& p, Slot slot, ByteMask wanted, Fs delay);
  Admission miss(Payload& p, ByteMask wanted, ByteMask missing, Fs& delay, Fs asked);
  Admission pass(Payload& p, Fs& delay);
  Admission send(Payload& outgoing, Payload& request, Fs& delay);
  Admission hold(Payload& request, Fs delay, Stall cause);
  void store(const Payload& p);
  void passed_back(Payload& p);

  PayloadRef make_child(const Payload& load, ByteMask bytes);
  void install(FillTable::Index fill);
  void answer(Payload& load, ByteMask captured, const Payload& fill) const;
  Slot allocate(std::uint64_t line);
  void drop_line(std::uint64_t line);
  void drop_slot(Slot slot);
  void refresh(Slot slot, std::uint64_t first, std::uint64_t last);

  void run();
  void retry();
  void schedule();

  const L1Spec spec_;
  const unsigned sm_;
  PayloadPool& pool_;
  L1Array array_;
  FillTable fills_;
  std::array<Fs, kSectorsPerLine + 1> hit_occupancy_{};  ///< Time on the data port by number of sectors.
  Fs hit_port_free_ = 0;
  TimedQueue<PayloadRef> hits_;
  Held held_;
  Fs retry_at_ = kNever;
  std::uint64_t passing_ = 0;  ///< Requests that went on and are not answered yet, children not counted.
  Wakeup wakeup_;
  StallClock<Stall, 2> stall_;
  Counters counters_;
};

}  // namespace gputlm
