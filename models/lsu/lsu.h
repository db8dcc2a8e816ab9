// SPDX-License-Identifier: Apache-2.0
//
// Load/store unit of one SM: from a warp's memory instruction to line transactions at its L1, and back.
//
// Each scheduler has a queue in front of the coalescer; END_REQ means that the instruction entered it and is withheld
// while it is full. Instructions leave a queue in order, stores at most one per 6.1 core cycles (8.3 and 12.3 for 8 and
// 16 bytes a lane), loads one per load_issue_interval. The line requests of the instructions that have left share one
// exit, which takes them in turn: a store request of n sectors holds it max(2, n) cycles, a load request half a cycle.
// The next instruction of a queue follows when the last request of the one before has been handed over. A store is
// answered by its acknowledgements, a load when its last line is back.
//
// Fences leave their queue in order and then wait aside, so that other warps go on. cta: everything earlier in the
// queue has been handed to L1, and 3 cycles more. gpu: an L2 round trip, and every store, reduction and atomic that the
// SM issued before the fence is acknowledged (later ones are not waited for); then the L1 is invalidated. sys: in
// addition the host's ordering point has answered a system barrier, plus the SM's share. An acquire at gpu or sys scope
// invalidates the L1 when its data are back.
//
// Left out: replays, the register file's ports (LDG 2, STG 3 rows) and the address unit's own latency.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "gputlm/lsu/coalescer.h"
#include "gputlm/lsu/lsu_observer.h"
#include "gputlm/lsu/lsu_spec.h"
#include "gputlm/lsu/sequence_window.h"
#include "gputlm/lsu/slot_table.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

class TieOff;

/// One SM's load/store unit. Sources: WRITES (issue interval, egress, fences), READS (two load requests a cycle), H200
/// (exit cost per sector count, queue depth, wide-lane intervals).
class Lsu : public Unit {
 public:
  /// Why a line request waits at the exit.
  enum class ExitStall : std::uint8_t { exit_busy, back_pressure };
  static constexpr std::size_t kExitStalls = 2;

  Lsu(const sc_core::sc_module_name& name, const LsuSpec& spec, unsigned sm, PayloadPool& pool);
  ~Lsu() override;

  std::vector<std::unique_ptr<TargetSocket<Lsu>>> accesses;  ///< One per scheduler.
  /// For an initiator that is no warp scheduler: warp accesses, or any contiguous access (byte enables allowed,
  /// streaming width at least the length), which is split into lines. Entries that nobody binds are tied off.
  TargetSocket<Lsu> external;
  InitiatorSocket<Lsu> line;  ///< To the L1.

  LsuObserver* observer = nullptr;

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override;
  void list_waits(WaitList& waits) const override;

  /// Time lost at the exit, or by a queue's withheld END_REQ, up to now.
  /// When the access whose line went out last had left its queue.
  Fs left_queue() const { return entries_[exit_turn_].left_at; }
  double exit_stall_ns(ExitStall cause) const { return to_ns(exit_stalls_.total(cause, now())); }
  double queue_full_ns(unsigned sub_partition) const;
  /// Line requests of loads, stores, reductions and atomics that have left. For those who ask often: a report() takes
  /// its time and makes names.
  std::uint64_t line_requests() const;
  /// Stores, reductions and atomics issued and not yet acknowledged.
  std::uint64_t unacknowledged() const { return window_.outstanding(); }

  /// Backdoor: instructions in an entry's queue now (`external` is entry spec.sub_partitions).
  std::size_t queued(unsigned entry) const { return entries_[entry].queue.size(); }
  /// Backdoor: puts weak loads of these virtual lines into an entry's queue, one instruction a line, as far as there is
  /// room. They leave like any other and change no memory; nobody is told of their end.
  void fill_queue(unsigned entry, const std::vector<std::uint64_t>& lines);

  // Socket owner: `number` is the entry's, the sub-partition, or spec.sub_partitions for `external`.
  Admission on_request(std::size_t number, Payload& p, Fs& delay);
  void on_response_taken(std::size_t, Payload&, Fs) {}
  unsigned on_debug(std::size_t entry, Payload& p);
  void on_accepted(std::size_t, Payload& p, Fs delay);
  bool on_response(std::size_t, Payload& p, Fs delay);
  void on_debug_written(std::size_t, std::uint64_t, std::uint64_t) {}  // holds no copies

 protected:
  void before_end_of_elaboration() override;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::size_t kOperations = 7, kScopes = 3;

  /// An instruction from its entry to its response.
  struct Access {
    PayloadRef payload;
    Sideband* sideband = nullptr;  // the payload's; null: a foreign payload without one
    std::size_t entry = 0;
    Fs requested = 0, arrived = 0;  // BEGIN_REQ; in the queue
    Operation operation = Operation::load;
    std::uint64_t sequence = 0;    // in window_, except loads and fences
    std::uint32_t unanswered = 0;  // line requests sent and not back
    bool asked = true;             // by an initiator, who waits for the answer; else put in by the backdoor
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  };
  /// A line transaction in flight.
  struct Line {
    PayloadRef payload;
    std::uint32_t access = kNone, lanes = 0;
  };
  enum class QueueStall : std::uint8_t { full };
  /// A queue and the instruction that has left it and is at the exit.
  struct Entry {
    Ring<std::uint32_t> queue;
    PayloadRef withheld;  // its END_REQ waits for room
    Fs withheld_from = 0;
    Fs next_leave = 0;
    std::uint32_t leaving = kNone;
    Fs left_at = 0;
    std::size_t peak = 0;
    StallClock<QueueStall, 1> stalls;
    LineRequest request;  // the next of `leaving`
    Coalescer coalescer;
  };
  /// A fence that has left its queue.
  struct Fence {
    std::uint32_t access;
    Scope scope;
    std::uint64_t after;   // every sequence number below is to be acknowledged
    Fs not_before;         // the round trip's end
    bool barrier_pending;  // the host's ordering point has not answered
    bool share_added;      // sys_fence_sm_share is in not_before
  };
  struct Control {
    Operation operation;
    std::uint32_t access;
    Fs ready;
  };
  struct Counters {
    std::array<std::uint64_t, kOperations> instructions{}, lines{};
    std::uint64_t sectors = 0, store_bytes = 0, load_bytes = 0, faults = 0, empty = 0;
    std::array<Histogram, kScopes> fence_latency;
    Histogram load_latency, store_latency, atomic_latency;
    Histogram load_line_wait, store_line_wait;
  };

  /// Durations of the spec's cycle counts.
  struct Durations {
    explicit Durations(const LsuSpec& spec);
    Fs load_interval, store_interval, store_interval_8, store_interval_16, cta_fence, header;
    std::array<Fs, kSectorsPerLine + 1> data;  // of the exit, by sectors
  };

  TargetSocket<Lsu>& socket_of(std::size_t entry) { return entry < accesses.size() ? *accesses[entry] : external; }

  // lsu.cpp: queues and exit
  Access& admit(std::size_t number, Payload& p, Fs requested, Fs arrived);
  void admit_withheld(std::size_t number, Fs at);
  void run();
  void dispatch(Fs t);
  void leave(std::size_t number);
  void start_lines(Entry& entry, const Access& access);
  bool next_request(Entry& entry);
  bool send_next(Fs t);
  void send_control();
  void send_request(std::size_t number);
  void transmit(PayloadRef p, std::uint32_t access, std::uint32_t lanes, Fs start, Fs occupancy);
  void handed_over(Fs at);
  void schedule();
  void note_leave_time(std::size_t number);
  bool exit_wanted() const { return at_exit_ > 0 || !controls_.empty(); }
  Fs issue_interval(const Access& access) const;
  PayloadRef make_line(const LineRequest& request, const Access& access);

  // lsu_response.cpp: responses and fences
  void take_response(const PayloadRef& p);
  void take_data(const Line& sent, Access& access);
  void report_fault(const Line& sent, const Access& access, tlm::tlm_response_status status) const;
  void access_finished(std::uint32_t slot);
  void answer(std::uint32_t slot);
  void start_fence(std::uint32_t slot, Fs t);
  bool answered(const Fence& fence) const;
  bool check_fences(Fs t);
  unsigned debug_range(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned length,
                       const Payload* enabling);

  const LsuSpec spec_;
  const Durations durations_;
  const unsigned sm_;
  PayloadPool& pool_;
  std::vector<std::unique_ptr<TieOff>> tie_offs_;
  Wakeup wake_;
  std::vector<Entry> entries_;
  std::vector<Fs> leave_at_;  // by entry: when its queue's head may leave as things stand, kNever: not before an event
  SlotTable<Access> table_;
  SlotTable<Line> lines_;
  TimedQueue<PayloadRef> responses_;  // come with an annotated delay
  Ring<Control> controls_;            // go before line requests
  std::vector<Fence> fences_;
  SequenceWindow window_;
  Fs exit_free_ = 0;
  std::size_t exit_turn_ = 0;    // entry served last
  unsigned at_exit_ = 0;         // entries whose instruction is there
  std::size_t handing_ = kNone;  // entry whose request waits for END_REQ; kNone: none, or a control's
  StallClock<ExitStall, kExitStalls> exit_stalls_;
  bool busy_ = false;        // inside run(), dispatch() or on_response()
  std::uint32_t epoch_ = 0;  // responses to requests from before a reset are ignored
  Counters count_;
};

/// TLM_OK_RESPONSE when the LSU can serve the access, else the error it answers with.
tlm::tlm_response_status check_access(const Payload& p);

}  // namespace gputlm
