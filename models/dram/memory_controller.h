// SPDX-License-Identifier: Apache-2.0
//
// One of the twelve memory controllers: three L2 slices on one side, a read and a write arrow each, two GDDR6X channels
// on the other (READS). Reads wait per channel, writes in one backlog that the channels share. A WriteDrain says when a
// channel turns from reads to writes and back, a DramScheduler which request of that direction goes next; a request
// older than the age cap goes before the others of its direction. A read of bytes in the backlog gets those bytes. A
// full queue withholds END_REQ, and room is given to the waiting slices in turn.
//
// A write's BEGIN_RESP says that its data are in the DRAM. Requests of one line keep their order where it matters: a
// write leaves after the older reads and writes of its line.
//
// Left out: ECC of the link, error replay, refresh management beyond the fixed calendar, power states. When to switch
// between reads and writes, and the queues' depths, are not published: see docs/policies.md.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "gputlm/dram/dram_scheduler.h"
#include "gputlm/dram/write_drain.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// Why a request waits: at the controller's door, or in a queue since its channel has not taken the one before.
enum class ControllerStall : std::uint8_t { read_queue_full, write_backlog_full, channel };

struct ControllerStatistics {
  std::uint64_t reads = 0, writes = 0;  ///< Line requests taken in.
  std::uint64_t forwarded_reads = 0;    ///< Answered from the write backlog alone.
  std::uint64_t merged_reads = 0;       ///< Part from the backlog, part from DRAM.
  std::uint64_t ordered_writes = 0;     ///< Writes that had to wait for an older request of their line.
  std::uint64_t errors = 0;             ///< Answered with an error status.
  std::uint64_t mode_switches = 0;      ///< A channel changed from reads to writes or back.
  std::uint64_t overdue = 0;            ///< Requests sent first because of their age.
  std::uint64_t rows_opened_ahead = 0;
  unsigned backlog_peak = 0, read_queue_peak = 0;
  Histogram read_latency, write_latency;  ///< BEGIN_REQ (taken in, for writes) to BEGIN_RESP.
};

class MemoryController : public Unit {
 public:
  /// `number` counts controllers; the map is the card's.
  MemoryController(const sc_core::sc_module_name& name, const DramSpec& spec, unsigned number, PayloadPool& pool,
                   const DramMap& map);

  /// One of each per slice of the controller; both take reads and writes alike on their debug interface.
  std::vector<std::unique_ptr<TargetSocket<MemoryController>>> reads, writes;
  /// One per channel, to Gddr6xChannel::commands.
  std::vector<std::unique_ptr<InitiatorSocket<MemoryController>>> channels;

  const ControllerStatistics& statistics() const { return statistics_; }
  /// Lines in the write backlog and in all read queues, now.
  unsigned write_backlog() const { return backlog_; }
  unsigned read_backlog() const;
  /// Time lost, summed over the doors or over the channels.
  Fs stall_time(ControllerStall cause) const;
  /// Time in which a channel had work and waited for its END_REQ.
  Fs channel_stall_time(unsigned channel) const;

  /// Test backdoor: puts writes that change nothing into the backlog, one per line address, as far as there is room.
  /// They drain like any other; nobody is told.
  void fill_write_queue(const std::vector<std::uint64_t>& lines);
  /// The same for the read queues of the lines' channels.
  void fill_read_queue(const std::vector<std::uint64_t>& lines);

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override;
  void list_waits(WaitList& waits) const override;

  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t port, Payload& p);
  void on_accepted(std::size_t channel, Payload& p, Fs delay);
  bool on_response(std::size_t channel, Payload& p, Fs delay);
  void on_debug_written(std::size_t /*channel*/, std::uint64_t /*first*/, std::uint64_t /*last*/) {}

 private:
  static constexpr std::size_t kNoPort = ~std::size_t{0};

  struct InFlight {
    PayloadRef payload;
    PayloadRef sent;  // what the channel was given: the payload itself, or its patched copy
    std::size_t port = kNoPort;
    Fs arrival = 0;
  };
  /// One channel's share of the controller.
  struct Lane {
    Lane(const DramSpec& spec, unsigned channel_of_card);
    DramTiming timing;
    RequestQueue reads, writes;
    BankForecast forecast;
    TimedQueue<QueueSlot> arriving_reads, arriving_writes;
    Ring<InFlight> in_flight;  // as sent, which is about as they are answered
    std::unique_ptr<Wakeup> issue;
    Fs ready_at = 0;  // the channel takes the next transaction; kNever: its END_REQ is withheld
    DrainTurn turn;
    bool wrote_last = false;  // direction of the last transaction sent
    AgeWatch read_age, write_age;
    StallClock<ControllerStall, 3> stall;
  };
  /// A slice's arrow: port s is slice s's reads, port slices + s its writes.
  struct Door {
    PayloadRef waiting;
    Fs arrival = 0;
    StallClock<ControllerStall, 3> stall;
  };

  // Arrivals (memory_controller.cpp)
  bool is_write_port(std::size_t port) const { return port >= spec_.slices_per_controller; }
  TargetSocket<MemoryController>& socket(std::size_t port);
  tlm::tlm_response_status check(std::size_t port, const Payload& p) const;
  void admit(std::size_t port, Payload& p, Fs arrival);
  void admit_read(std::size_t port, Payload& p, Fs arrival);
  void admit_write(std::size_t port, Payload& p, Fs arrival);
  void hold_write(Request&& request);
  bool has_room(std::size_t port, const Payload& p, unsigned spare) const;
  void admit_waiting();
  void admit_round(std::size_t first_port, std::size_t& turn);
  ByteMask take_from_backlog(const Lane& lane, Payload& p, ByteMask wanted, std::uint64_t before) const;
  void send_answers();
  void finish(const InFlight& done, Fs delay);
  void patch_backlog(RequestQueue& writes, const Payload& p);
  void patch_reads_under_way(const Payload& p);

  // Sending (controller_issue.cpp)
  void issue(unsigned channel);
  void arm(Lane& lane);
  static void end_stall(Lane& lane);
  void queue_arrivals(Lane& lane);
  ChannelWork work_of(Lane& lane) const { return {lane.reads, lane.writes, lane.forecast, lane.write_age, backlog_}; }
  void open_rows_ahead(unsigned channel, bool write);
  void open_row(unsigned channel, const Request& request);
  void send(unsigned channel, bool write, QueueSlot slot);
  void release_line(Lane& lane, std::uint64_t line, std::uint64_t order);

  const DramSpec spec_;
  PayloadPool& pool_;
  const DramMap& map_;
  std::unique_ptr<DramScheduler> scheduler_;
  std::unique_ptr<WriteDrain> drain_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<Door> doors_;
  std::size_t next_read_door_ = 0, next_write_door_ = 0;
  TimedQueue<InFlight> answers_;  // reads served from the backlog
  Wakeup answer_;
  Wakeup admit_;
  unsigned doors_waiting_ = 0;
  Fs last_round_ = kNever;  // when doors were last served
  unsigned backlog_ = 0;
  std::uint64_t arrivals_ = 0;
  ControllerStatistics statistics_;
};

}  // namespace gputlm
