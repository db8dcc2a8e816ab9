// SPDX-License-Identifier: Apache-2.0
//
// One of the RTX 4090's 36 L2 slices: 1024 sets x 16 ways x 128-byte lines, the point of coherence of device memory.
//
// Hardware: published set hash; per byte valid and dirty (dirty: not yet accepted by the memory controller). A store
// writes its bytes and is acknowledged, on a miss too, without a fetch. A load that lacks bytes fetches the sectors.
// Reductions and atomics are performed here. RRIP replacement; dirty victims wait in a per-set write-back FIFO and stay
// readable; a janitor cleans sets with too many dirty lines.
//
// Model: a request takes its place in the order of memory in the call that brings it (or in the one that ends its
// stall), and its port then stays closed for its service time. Loads that miss get the bytes that were valid when they
// came plus fetched ones, never a later store's; atomics on missing bytes likewise, in order of arrival. By name also
// what the hardware is not: other replacement and cleaning policies, eviction classes, stores that fetch. Left out:
// ECC, compression, the slice-to-slice fabric of larger chips, and a limit on waiting loads (the network's).
//
// Files: l2_slice.cpp requests and responses; l2_slice_serve.cpp the three kinds of request; l2_slice_ways.cpp finding
// a way, FIFO; l2_slice_cleaning.cpp janitor, other cleaning ahead of need, flush; l2_slice_write_back.cpp write-backs;
// l2_slice_fetch.cpp misses and fills; l2_slice_debug.cpp debug access and backdoor; l2_slice_report.cpp statistics and
// explanations.
#pragma once

#include "gputlm/l2/atomic_alu.h"
#include "gputlm/l2/cleaning_policy.h"
#include "gputlm/l2/dirty_rows.h"
#include "gputlm/l2/eviction_classes.h"
#include "gputlm/l2/fetch_table.h"
#include "gputlm/l2/l2_observer.h"
#include "gputlm/l2/l2_spec.h"
#include "gputlm/l2/l2_state.h"
#include "gputlm/l2/memory_view.h"
#include "gputlm/l2/set_index.h"
#include "gputlm/l2/write_back_fifo.h"
#include "gputlm/tlm/debug_span.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// What a slice has counted since its reset.
struct L2Counters {
  std::uint64_t requests = 0, stores = 0, store_hits = 0, store_fetches = 0, loads = 0, load_hits = 0, load_misses = 0;
  std::uint64_t partial_sector_loads = 0, atomics = 0, reductions = 0, fetches = 0, fetched_sectors = 0,
                fetches_held = 0;
  std::uint64_t fetch_errors = 0, write_backs = 0, write_back_bytes = 0, write_back_errors = 0, janitor_cleans = 0;
  std::uint64_t flush_cleans = 0, fifo_entries = 0, fifo_pops = 0, forced_pops = 0, fifo_rescues = 0, evictions = 0;
  std::uint64_t refused = 0;
  unsigned dirty_lines_peak = 0, dirty_lines_per_set_peak = 0, fetches_in_flight_peak = 0, write_back_list_peak = 0;
};

/// State of one way, for tests, pictures, and saving a warmed cache.
struct L2Way {
  bool present = false;
  std::uint64_t line = 0;
  ByteMask valid, dirty;
  unsigned rrpv = 0;                               ///< Replacement's byte of the way.
  EvictionClass eviction = EvictionClass::normal;  ///< While classes are honoured.
  std::uint64_t last_use = 0, last_store = 0;      ///< Order numbers within the slice; higher is later.
  bool in_fifo = false;                            ///< Member of the set's write-back FIFO.
  bool writing = false;                            ///< Its write-back waits for the controller.
  SectorSet fetching = 0;                          ///< Sectors on their way.
};

class L2Slice : public Unit {
 public:
  L2Slice(const sc_core::sc_module_name& name, const L2Spec& spec, unsigned slice_number, PayloadPool& pool);

  TargetSocket<L2Slice> requests;   ///< From the crossbar.
  InitiatorSocket<L2Slice> reads;   ///< Fetches, to the controller (port 0).
  InitiatorSocket<L2Slice> writes;  ///< Write-backs, to the controller (port 1).

  /// Why a request is held at the door.
  enum class Stall : std::uint8_t { write_back_list, ways_busy, fetch_entries };
  static constexpr std::size_t kStalls = 3;

  L2Observer* observer = nullptr;

  /// During elaboration: what cleaning policies may know of the memory behind this slice.
  void set_memory_view(MemoryView view) { memory_ = std::move(view); }

  // -- Unit
  // ------------------------------------------------------------------------------------------------------------
  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override;
  void list_waits(WaitList& waits) const override;

  // -- Host's side
  // -----------------------------------------------------------------------------------------------------
  /// Starts the write-back of every line that is dirty now; the lines stay, clean. Done when !flushing() and idle().
  void flush();
  bool flushing() const { return flushing_; }
  /// Drops every line that is clean and not on its way in or out; returns how many lines are left.
  unsigned invalidate_clean();

  // -- What is held
  // ----------------------------------------------------------------------------------------------------
  /// Bytes the controller has not accepted yet.
  std::uint64_t dirty_bytes() const { return dirty_bytes_; }
  /// Lines with dirty bytes that are neither in a FIFO nor already handed to the write-back list; of one set, of all.
  unsigned dirty_lines() const { return dirty_lines_; }
  unsigned dirty_lines(unsigned set) const { return set_dirty_lines_[set]; }
  const L2Counters& counters() const { return counters_; }
  /// Time for which requests were held at the door, up to now.
  Fs stall_time(Stall cause) const { return stall_.total(cause, now()); }

  // -- Backdoor: takes no time, asks nobody
  // ----------------------------------------------------------------------------
  unsigned set_of(std::uint64_t address) const { return index_->set_of(line_of(address)); }
  L2Way way(unsigned set, unsigned way) const;
  /// All ways of a set, for printing it.
  std::vector<L2Way> view_set(unsigned set) const;
  /// Ways of the set's write-back FIFO, oldest first.
  std::vector<unsigned> fifo(unsigned set) const;
  const unsigned char* data(unsigned set, unsigned way) const { return lines_.data(lines_.slot(set, way)); }
  /// Gives a way this state and (unless null) these 128 bytes; dirty lines marked in_fifo join the FIFO without a
  /// write-back of their own. The way must not be on its way in or out.
  void set_way(unsigned set, unsigned way, const L2Way& state, const unsigned char* bytes);
  /// What the slice remembers besides, and that given to it once its ways have their lines.
  L2SliceState state() const;
  void set_state(const L2SliceState& state);

  // -- Called by the sockets
  // -------------------------------------------------------------------------------------------
  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t port, Payload& p);
  void on_accepted(std::size_t port, Payload& p, Fs delay);
  bool on_response(std::size_t port, Payload& p, Fs delay);
  void on_debug_written(std::size_t /*port*/, std::uint64_t /*first*/, std::uint64_t /*last*/) {}

 private:
  static constexpr std::size_t kReads = 0, kWrites = 1;
  using Event = L2Observer::LineEvent;

  /// The request being served. Its marks keep a retry from repeating what the first attempt did already.
  struct Request {
    Payload* payload = nullptr;
    ByteMask mask;
    Fs arrived = 0;
    Fs not_before = 0;                                     ///< The port is closed until then.
    bool cleaned = false;                                  ///< The janitor has done its part for it.
    bool searched = false;                                 ///< A search was prepared for it, among ...
    EvictionClass searched_class = EvictionClass::normal;  ///< ... lines of this class.
    Stall stall = Stall::write_back_list;
  };
  struct Response {
    PayloadRef payload;
    Fs arrived = 0;
    Fs bus_time = 0;  ///< Of the data bus.
  };
  /// Why a line is written back.
  enum class Cause : std::uint8_t { victim, janitor, flush };
  /// A write-back that waits for BEGIN_REQ.
  struct QueuedWrite {
    Slot slot = 0;
    Cause cause = Cause::victim;
  };
  /// The write-back that waits for its END_REQ.
  struct SentWrite {
    bool open = false;
    Slot slot = 0;
    ByteMask mask;            ///< Bytes in the payload.
    ByteMask stored_again;    ///< Of the slot since.
    Fs accepted_at = kNever;  ///< END_REQ came, effective then.
  };
  struct WriteInFlight {
    PayloadRef payload;
    Slot slot = 0;
  };

  // l2_slice.cpp
  /// Asks the host for all that serving a request of the set looks at; the misses then overlap.
  void prefetch(unsigned set) const {
    lines_.prefetch(set);
    fifo_.prefetch(set);
    __builtin_prefetch(&set_dirty_lines_[set]);
  }
  bool stalled(Request& r, Stall cause) {
    r.stall = cause;
    return false;
  }
  void close_port(const Payload& p, ByteMask mask, Fs start);
  void retry_held();
  void acknowledge(Payload& p, Fs arrived, Fs at) { acknowledgements_.push(at, {PayloadRef(p), arrived, 0}); }
  void return_data(Payload& p, ByteMask mask, Fs arrived, Fs at);
  void send_responses();
  void run();
  void schedule();

  // l2_slice_serve.cpp
  bool serve(Request& r);
  bool serve_store(Request& r);
  bool serve_load(Request& r);
  bool serve_atomic(Request& r);
  void finish_atomic(Payload& p, ByteMask words, Fs arrived, Fs start, Fs accepted);
  Waiter& wait_for_fill(const Request& r, Slot slot, SectorSet fetch, ByteMask wanted);

  // l2_slice_ways.cpp
  bool take_way(Request& r, unsigned set, unsigned& way);
  bool make_room(Request& r, unsigned set, unsigned& way);
  unsigned choose_victim(Request& r, unsigned set);
  WayMask victims(unsigned set) const;
  void note_hint(Slot slot, const Payload& p) {
    const Sideband* s = find_sideband(p);
    if (s != nullptr && s->eviction != EvictionClass::normal) set_eviction_class(lines_.flags(slot), s->eviction);
  }
  void insert(unsigned set, unsigned way, std::uint64_t line);
  void touch_by_store(Slot slot);
  void mark_stored(Slot slot, ByteMask mask);
  void leave_fifo(Slot slot);
  bool pop_accepted(unsigned set);
  void settle_fifo(unsigned set);

  // l2_slice_cleaning.cpp
  bool clean_ahead(Request& r, unsigned set, unsigned& way);
  bool cleanable(Slot slot) const;
  WayMask cleanable_ways(unsigned set) const;
  bool clean(Slot slot);
  void clean_row_of(std::uint64_t line, Slot but);
  void look_for_idle_memory();
  bool clean_next_set();
  void pump_flush();
  bool flush_one();

  // l2_slice_write_back.cpp
  bool list_full() const { return waiting_writes_.size() + (sent_.open ? 1U : 0U) >= spec_.write_back_entries; }
  bool queue_write_back(Slot slot, Cause cause);
  ByteMask sendable(Slot slot) const;
  ByteMask uncovered(Slot slot) const;
  void recount(Slot slot);
  void set_dirty(Slot slot, ByteMask dirty);
  void pump_writes();
  void send_write(QueuedWrite write);
  void finish_write();

  // l2_slice_fetch.cpp
  bool is_fetching(Slot slot) const { return (lines_.flags(slot) & SlotFlag::fetching) != 0; }
  const PendingLine* pending_line(Slot slot) const { return is_fetching(slot) ? fetches_.find(slot) : nullptr; }
  PendingLine* pending_line(Slot slot) { return is_fetching(slot) ? fetches_.find(slot) : nullptr; }
  ByteMask available(Slot slot) const;
  SectorSet sectors_to_fetch(Slot slot, ByteMask missing) const;
  SectorSet sectors_to_complete(unsigned set, unsigned way, ByteMask stored) const;
  void start_fetch(Slot slot, SectorSet sectors, const Payload& cause);
  void pump_reads();
  void release_fetches(Slot slot);
  void fill(unsigned entry);
  bool serve_waiter(Waiter& w, SectorSet arrived, tlm::tlm_response_status status, unsigned char* image);

  // l2_slice_debug.cpp
  unsigned debug_below(Payload& p, unsigned bytes);
  void debug_write(Slot slot, const DebugSpan& span, const Payload& p);

  void tell(Event event, Slot slot) {
    if (observer != nullptr)
      observer->on_line(number_, event, lines_.set_of(slot), lines_.way_of(slot), lines_.line(slot));
  }

  const L2Spec spec_;
  const unsigned number_;
  PayloadPool& pool_;
  const bool whole_sectors_;   ///< partial_sector_load is fetch.
  const bool fetch_on_store_;  ///< write_allocate is fetch.
  const bool honour_classes_;  ///< Of eviction.
  const Fs service_, atomic_interval_;
  std::array<Fs, kSectorsPerLine + 1> store_time_{}, load_time_{};  ///< By number of sectors.
  const std::unique_ptr<SetIndex> index_;
  const std::unique_ptr<ReplacementPolicy> replacement_;
  const std::unique_ptr<CleaningPolicy> cleaning_;
  const bool by_rows_;         ///< Cleaning takes a line's row along.
  const bool by_idle_memory_;  ///< Cleaning uses idle memory.
  MemoryView memory_;

  LineArray lines_;
  WriteBackFifo fifo_;
  FetchTable fetches_;
  SameWordGate same_word_;
  ZeroedArray<std::uint8_t> set_dirty_lines_;
  DirtyRows dirty_rows_;  ///< Kept only when by_rows_.
  Fs next_idle_look_ = kNever;
  unsigned idle_set_ = 0;  ///< Cleaned last.
  std::uint64_t order_ = 0;
  std::uint64_t dirty_bytes_ = 0;
  unsigned dirty_lines_ = 0;

  Fs port_free_ = 0, reads_free_ = 0, writes_free_ = 0, bus_free_ = 0;
  Request held_;  ///< payload null: none.
  PayloadRef held_ref_;
  Ring<QueuedWrite> waiting_writes_;
  SentWrite sent_;
  std::vector<WriteInFlight> writes_in_flight_;
  std::vector<std::uint32_t> free_writes_;
  Ring<unsigned> waiting_fetches_;
  TimedQueue<unsigned> fills_;  ///< Fetch entries whose data are here from then on.
  TimedQueue<Response> acknowledgements_, data_;
  bool flushing_ = false, flush_waits_ = false;
  unsigned flush_set_ = 0;

  L2Counters counters_;
  StallClock<Stall, kStalls> stall_;
  Histogram load_latency_, store_latency_, fetch_latency_;
  Wakeup wake_;
};

}  // namespace gputlm
