// SPDX-License-Identifier: Apache-2.0
//
// Records transactions as they travel: listens on every arrow of a card, on its caches and its DRAM channels. A card
// without a recorder has no listener, and an arrow that nobody listens on costs one branch.
//
// In memory are the transactions under way and one batch of those that have ended, which sinks write to their files.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "gputlm/system/judged_gpu.h"
#include "gputlm/trace/door_stalls.h"
#include "gputlm/trace/trace_filter.h"
#include "gputlm/trace/trace_sampler.h"
#include "gputlm/trace/trace_sink.h"
#include "gputlm/trace/trace_window.h"

namespace gputlm {

/// What is recorded.
struct TraceSelection {
  /// Hops and events, some 350 bytes each in a JSON file and 100 in a database.
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 22;

  TraceWindow window;    ///< A transaction belongs to it by the time at which it is first seen, and is then kept whole.
  TraceFilter filter;    ///< Of transactions, hop by hop, and of events by whose they are, else by unit and line.
  bool explain = false;  ///< Hops say what held them.
  std::uint64_t most = kMost;  ///< Past so many hops and events no further ones are begun, only counted.
};

/// Create before the run; both live equally long.
class TraceRecorder : private L2Observer, private L1Observer, private DramObserver {
 public:
  /// Time between two samples of the counters.
  static constexpr Fs kSampleInterval = 100 * kFsPerNs;
  /// Hops, events and samples of a batch.
  static constexpr std::size_t kBatch = std::size_t{1} << 14;

  TraceRecorder(JudgedGpu& machine, TraceSelection selection);
  ~TraceRecorder() override;

  /// Before the run.
  void add(std::unique_ptr<TraceSink> sink);
  /// One more arrow (of a host) before the first sink is added.
  void listen(ArrowPort& arrow, TraceUnit unit, unsigned number, std::string name, unsigned port = 0);

  const TraceDescription& description() const { return description_; }
  /// After the run, however it ended: what is still under way is given as it stands, and the sinks keep their files.
  void finish();
  /// After finish().
  const TraceLoss& loss() const { return loss_; }
  /// Something has happened in the window, kept by the filter or not; hops and events that were kept.
  bool happened() const { return happened_; }
  std::uint64_t recorded() const { return recorded_; }

 private:
  class Ear;
  /// A transaction under way with all its hops, those left out by the filter too.
  struct Open {
    TraceTransaction transaction;
    std::vector<bool> kept;         ///< By hop.
    std::vector<DoorTotals> doors;  ///< By hop, when the request came; only to explain.
    DoorTotals slice{};             ///< The slice's door, when the request came into the crossbar.
    std::size_t under_way = 0;
    bool any = false;
  };
  /// Whose work a payload may do: an instruction of a warp, or what it wants of a line.
  struct Want {
    std::uint64_t line = kNoAddress;
    std::uint32_t instruction = 0;
    std::uint16_t sm = 0, warp = 0;
    bool physical = false;
    bool operator==(const Want& o) const {
      return line == o.line && instruction == o.instruction && sm == o.sm && warp == o.warp && physical == o.physical;
    }
  };
  struct WantHash {
    std::size_t operator()(const Want& w) const;
  };

  void listen_to_sms();
  void listen_to_memory();
  void on_phase(std::uint32_t track, const ArrowEvent& e);
  void begin_hop(std::uint32_t track, const ArrowEvent& e);
  void watch_door(Open& o, std::uint32_t track, const Payload& p);
  void explain(Open& o, std::size_t hop);
  std::size_t depth_at(const TraceTrack& place, const Payload& p) const;
  Open* open(std::uint32_t track, const ArrowEvent& e);
  void describe(TraceTransaction& t, std::uint32_t track, const Payload& p) const;
  std::uint64_t translate(std::uint64_t virtual_address) const;
  std::uint64_t parent_of(const TraceTransaction& t) const;
  void enlist(const TraceTransaction& t);
  void strike(const TraceTransaction& t);
  void close(const Payload* payload);
  void keep(Open& o);
  bool full() const { return recorded_ >= selection_.most; }
  void note(TraceEvent event, const Payload* cause);
  void note_line(std::uint32_t track, const char* name, const Payload& p);
  void sample_if_due();
  void flush();

  // -- Observers
  void on_store(unsigned slice, const Payload& p) override;
  void on_load(unsigned slice, const Payload& p) override;
  void on_atomic(unsigned slice, const Payload& p) override;
  void on_line(unsigned slice, LineEvent event, unsigned set, unsigned way, std::uint64_t line) override;
  void on_hit(unsigned sm, unsigned slot, const Payload& load, ByteMask wanted) override;
  void on_store_update(unsigned sm, unsigned slot, const Payload& store, ByteMask mask) override;
  void on_fill(unsigned sm, unsigned slot, const Payload& fill, ByteMask installed) override;
  void on_command(unsigned controller, unsigned channel, const BookedCommand& command, Ck watermark) override;

  JudgedGpu& machine_;
  const TraceSelection selection_;
  TraceDescription description_;
  TraceSampler sampler_;
  std::vector<std::unique_ptr<Ear>> ears_;
  std::vector<std::unique_ptr<TraceSink>> sinks_;
  std::unordered_map<const Payload*, Open> open_;
  std::unordered_map<Want, std::uint64_t, WantHash> wants_;  ///< Transactions under way, by what they are for.
  std::vector<Fs> request_end_, response_end_;               ///< By track, of the latest.
  std::vector<std::uint32_t> l1_track_, slice_track_, channel_track_;
  std::vector<const Payload*> serving_;  ///< By track, between BEGIN_REQ and END_REQ.
  std::shared_ptr<TraceBatch> batch_ = std::make_shared<TraceBatch>();
  std::size_t batch_size_ = 0;
  TraceLoss loss_;
  std::uint64_t last_id_ = 0, recorded_ = 0;
  Fs next_sample_ = 0;
  bool happened_ = false;
};

}  // namespace gputlm
