// SPDX-License-Identifier: Apache-2.0
//
// L1 data cache of one SM: 128 KiB, 4 ways x 256 sets of 128-byte lines in 32-byte sectors, virtually indexed and
// tagged (so two virtual aliases of a line take two slots), strict LRU, write-through. It is not coherent: a weak load
// hits on what the slot holds, stale or not, until a strong access to the line or an invalidate drops it.
//
// By name also what the hardware is not (l1.write_policy): write-around gives stores no slot. Write-back keeps weak and
// cta-scope stores, acknowledged, until the slot is evicted, a strong load or atomic of this SM goes to the line, or an
// invalidate (a fence, an acquire, a kernel's end) flushes everything: then the L1 takes no request until L2 has
// acknowledged the last dirty line. Until then no other SM sees them, and a virtual alias does not either. A write-back
// that fails is counted and remembered; no instruction can be blamed any more.
//
// Left out: a bound on hits that wait for the data port, replays, the carve-out's own data path (shared memory),
// texture and constant paths. A load waits for one fill; if none on its way brings all it lacks, a new one asks for all
// of it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

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
  enum class Stall : std::uint8_t { fills, network, write_back };
  static constexpr std::size_t kStalls = 3;
  /// What a slot holds, for tests and tools.
  struct SlotView {
    std::uint64_t line;
    ByteMask valid;
    const unsigned char* data;
  };
  /// A write-back that was answered with an error.
  struct FailedWrite {
    std::uint64_t line;  ///< Virtual.
    tlm::tlm_response_status status;
  };

  L1Cache(const sc_core::sc_module_name& name, const L1Spec& spec, unsigned sm, PayloadPool& pool);

  TargetSocket<L1Cache> requests;   ///< From the LSU.
  InitiatorSocket<L1Cache> misses;  ///< To the MMU.
  L1Observer* observer = nullptr;

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override;
  void list_waits(WaitList& waits) const override;

  /// Kernel boundary: what l1_invalidate does, without a transaction. Dirty lines are flushed first; no request enters
  /// until that is done.
  void invalidate_all();
  /// Ways left to the cache, 1 to spec.ways, when shared memory takes the rest; drops the lines of the others, dirty
  /// ones as invalidate_all() does.
  void set_ways(unsigned ways);

  /// Everything stored here has been acknowledged by L2.
  bool clean() const { return array_.dirty_slots() == 0 && writing_ == 0; }
  /// Flushes and drops everything, then calls `done`, in the same call when clean().
  void flush(std::function<void()> done);
  /// The first write-back that failed since the last call; nothing when none did.
  std::optional<FailedWrite> take_failed_write() { return std::exchange(failed_write_, std::nullopt); }

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
    std::uint64_t stores_kept = 0, write_backs = 0, write_back_bytes = 0, write_back_errors = 0, flushes = 0;
    Histogram hit_latency, fill_latency, load_wait;
  };

  /// Everything dirty is on its way down, and the door is closed until it is there.
  struct Flush {
    bool on = false;
    PayloadRef request;                       ///< The invalidate to answer; null: none.
    std::vector<std::function<void()>> done;  ///< To be called.
    Slot next = 0;                            ///< Slots before it have been sent.
    Fs send_from = 0;                         ///< Earliest effective time of the next write-back at this L1.
    unsigned ways = 0;                        ///< To be set afterwards; 0: as they are.
  };

  bool keeps(const Sideband& s) const { return keeps_stores_ && s.operation == Operation::store && s.may_use_l1(); }
  Admission admit(Payload& p, Sideband& s, Fs& delay, Fs asked);
  Admission load(Payload& p, Fs& delay, Fs asked);
  Admission hit(Payload& p, Slot slot, ByteMask wanted, Fs delay);
  Admission miss(Payload& p, Slot slot, ByteMask wanted, ByteMask missing, Fs& delay, Fs asked);
  Admission pass(Payload& p, Fs& delay);
  Admission send(Payload& outgoing, Payload& request, Fs& delay);
  Admission hold(Payload& request, Fs delay, Stall cause);
  void store(const Payload& p, bool kept);
  Admission keep(Payload& p, Fs delay);
  Fs answer_from_slot(Payload& p, SectorSet sectors, Fs arrival);
  void passed_back(Payload& p);

  // l1_write_back.cpp
  bool make_clean(const Payload& p, const Sideband& s, Fs& delay);
  bool write_out(Slot slot, Fs& delay);
  void written_back(Payload& p, Fs delay);
  Admission begin_invalidate(Payload& p, Sideband& s, Fs delay);
  void begin_flush(Fs from);
  void pump_flush();
  void end_flush_if_done(Fs delay);
  bool is_write_back(const Payload& p) const;
  void road_is_free();
  void report_write_back(StatisticsSink& sink) const;

  PayloadRef make_child(const Payload& load, ByteMask bytes);
  void install(FillTable::Index fill);
  void answer(Payload& load, ByteMask captured, const Payload& fill) const;
  Slot allocate(std::uint64_t line);
  void drop_line(std::uint64_t line);
  void drop_slot(Slot slot);
  void drop_clean_bytes(Slot slot);
  void drop_ways(unsigned ways);
  void drop_everything();
  void refresh(Slot slot, std::uint64_t first, std::uint64_t last);

  void run();
  void retry();
  void schedule();

  const L1Spec spec_;
  const unsigned sm_;
  PayloadPool& pool_;
  const bool keeps_stores_;  ///< write_back.
  const bool around_;        ///< write_around.
  L1Array array_;
  FillTable fills_;
  std::array<Fs, kSectorsPerLine + 1> hit_occupancy_{};  ///< Time on the data port by number of sectors.
  Fs hit_port_free_ = 0;
  TimedQueue<PayloadRef> hits_;
  Held held_;
  Fs retry_at_ = kNever;
  Fs road_free_ = 0;                     ///< Earliest effective time here of the next request that goes on.
  std::uint64_t passing_ = 0;            ///< Requests that went on and are not answered yet, children not counted.
  std::vector<PayloadRef> write_backs_;  ///< On their way, by cookie; null: free.
  std::vector<std::uint32_t> free_writes_;
  std::size_t writing_ = 0;  ///< Of them on their way.
  std::optional<FailedWrite> failed_write_;
  Flush flush_;
  Wakeup wakeup_;
  StallClock<Stall, kStalls> stall_;
  Counters counters_;
};

}  // namespace gputlm
