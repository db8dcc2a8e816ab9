// SPDX-License-Identifier: Apache-2.0
//
// A driver on the host: allocates memory, builds pushbuffers, rings doorbells and waits for semaphores, as a CUDA
// driver does with the hardware's own formats. For testbenches in C++ and for `gputlm launch`.
//
// A stream is a channel: what is queued to it runs in order (the channel waits for its own work between two commands),
// and streams run beside each other; wait_for() orders one behind a command of another. Queueing takes no simulated
// time and returns at once (a launch waits for its constants to be there); synchronize() runs the simulation. Every
// command ends with a semaphore in the host's memory, which the device writes and the CPU watches; what a program on
// the host does between is not modelled.
//
// Code and constant banks reach the card through BAR1, arrays by the copy engine from pinned memory.
//
// Files: host_driver.cpp memory and modules; driver_commands.cpp what is queued; driver_wait.cpp what the host hears.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "gputlm/hostdump/dump_file.h"
#include "gputlm/hostformats/pushbuffer_writer.h"
#include "gputlm/launch/cpu_port.h"
#include "gputlm/launch/host_side.h"
#include "gputlm/launch/range_allocator.h"

namespace gputlm {

/// A channel failed, memory is exhausted, or the simulation stands still.
class DriverError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// The run was stopped from outside.
class DriverInterrupted : public std::runtime_error {
 public:
  DriverInterrupted() : runtime_error("interrupted") {}
};

/// Lets simulated time pass.
class DriverClock {
 public:
  virtual ~DriverClock() = default;
  /// Returns when `reached()` holds; throws DriverError when that cannot come any more. The simulation may be paused
  /// (sc_pause) from within to have it asked at that moment.
  virtual void run_until(const std::function<bool()>& reached) = 0;
};

/// Pinned memory of the host, mapped into the GPU's address space, too.
struct HostBuffer {
  std::uint64_t address = 0;   ///< GPU virtual.
  std::uint64_t physical = 0;  ///< In SystemMemory.
  std::uint64_t bytes = 0;
};

/// A kernel in the card's memory.
struct LoadedKernel {
  const SassCode* code = nullptr;
  std::uint64_t address = 0;
};

struct KernelLaunch {
  LoadedKernel kernel;
  Dimensions grid, block;
  std::uint32_t shared_bytes = 0;         ///< Per block, static and dynamic.
  std::uint32_t local_bytes = 0;          ///< Per thread.
  std::vector<unsigned char> parameters;  ///< From c[0x0][0x160] on.
};
/// A launch whose constant bank is on its way to the card.
struct PreparedLaunch {
  KernelLaunch launch;
  std::uint64_t bank = 0;
  std::uint32_t bank_bytes = 0;
};

using StreamId = std::uint32_t;

/// A place in a stream: reached when all that was queued up to it has ended.
struct Ticket {
  StreamId stream = 0;
  std::uint32_t value = 0;
};

class HostDriver : public sc_core::sc_module,
                   private SystemMemoryObserver,
                   private ChannelErrorObserver,
                   private LaunchObserver,
                   private CopyObserver {
 public:
  /// Virtual addresses: the card's memory, and the host's (a pushbuffer's must be below 2^40).
  static constexpr std::uint64_t kDeviceVirtual = std::uint64_t{1} << 36U, kHostVirtual = std::uint64_t{1} << 39U;

  /// Stream 0 exists from the start.
  HostDriver(const sc_core::sc_module_name& name, Gpu& gpu, HostSide& host, DriverClock& clock);

  // -- Memory. Throws DriverError when there is none left.
  std::uint64_t malloc(std::uint64_t bytes);  ///< GPU virtual address; pages of the card's size.
  void free(std::uint64_t address);
  HostBuffer host_malloc(std::uint64_t bytes);
  void host_free(const HostBuffer& buffer);
  void host_write(const HostBuffer& buffer, std::uint64_t offset, const void* from, std::size_t bytes);
  void host_read(const HostBuffer& buffer, std::uint64_t offset, void* to, std::size_t bytes) const;
  /// A store to the card's memory through BAR1, posted.
  void bar1_write(std::uint64_t address, const void* from, std::size_t bytes);
  /// A load through BAR1; waits for it.
  std::vector<unsigned char> bar1_read(std::uint64_t address, std::size_t bytes);

  // -- Commands; none of them waits, except prepare() for the constant bank to be in the card's memory.
  /// Its ring has one entry less than it could hold: a full one would look empty. Throws DriverError for fewer than 2.
  StreamId create_stream(std::uint32_t entries = kRingEntries);
  LoadedKernel load(std::unique_ptr<SassCode> code);
  PreparedLaunch prepare(KernelLaunch launch);
  Ticket launch(StreamId stream, const PreparedLaunch& prepared);
  Ticket launch(StreamId stream, KernelLaunch launched) { return launch(stream, prepare(std::move(launched))); }
  /// Between any two GPU virtual addresses; a long one in parts, of which this is the last one's ticket.
  Ticket memcpy(StreamId stream, std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
  /// Writes all dirty lines of L2 back.
  Ticket flush_l2(StreamId stream);
  /// An event: reached when what stands before it has ended.
  Ticket record(StreamId stream);
  /// What is queued to the stream from now on waits for it.
  void wait_for(StreamId stream, const Ticket& event);
  /// Words of the caller's own as one entry; nothing is added to them.
  void submit(StreamId stream, const std::vector<std::uint32_t>& words);
  /// An entry of the caller's own, well-formed or not.
  void submit_entry(StreamId stream, std::uint32_t word0, std::uint32_t word1);
  /// GP_PUT of the caller's own; whoever rings the doorbell has it read.
  void write_put(StreamId stream, std::uint32_t put);
  void ring_doorbell(std::uint32_t token);
  std::uint32_t token(StreamId stream) const { return kFirstToken + stream; }

  // -- Waiting. Throws DriverError with the channel's error when the stream has failed.
  bool reached(const Ticket& ticket) const;
  void synchronize(const Ticket& ticket);
  void synchronize(StreamId stream) { synchronize(Ticket{stream, streams_[stream].last}); }
  /// All streams. A failed one throws after the others have come to their ends.
  void synchronize();
  /// To the card and back, through pinned memory, on stream 0; waits.
  void memcpy(std::uint64_t to, const void* from, std::size_t bytes);
  void memcpy(void* to, std::uint64_t from, std::size_t bytes);

  // -- What the host has heard.
  /// Channel errors in the order in which they came.
  const std::vector<ChannelError>& errors() const { return errors_; }
  std::uint64_t interrupts() const { return interrupts_; }
  /// Where the device writes how a channel failed; layout: channel_error.h.
  const HostBuffer& notifier(StreamId stream) const { return streams_[stream].notifier; }
  /// When a command's parts happened; known once it is reached.
  struct CommandTimes {
    Fs doorbell = kNever;
    LaunchTimes launch;                         ///< Of a launch.
    Fs copy_start = kNever, copy_end = kNever;  ///< Of a copy.
    Fs seen = kNever;                           ///< The host saw the semaphore.
  };
  const CommandTimes& times(const Ticket& ticket) const { return times_.at({ticket.stream, ticket.value}); }

  /// Called when a kernel has ended and its semaphore is written, before anything behind it starts.
  std::function<void(const LaunchTimes&)> on_kernel_end;
  /// From now on everything that is submitted is recorded there, too; the channels that exist first.
  void keep(PushbufferDump& dump);

 private:
  static constexpr std::uint32_t kRingEntries = 64, kFirstToken = 0x100;
  /// Of the pushbuffer, per entry of the ring.
  static constexpr std::uint32_t kSegmentBytes = 1024;

  struct Stream {
    HostBuffer userd, ring, words, semaphore, notifier;
    std::uint32_t entries = 0, put = 0;
    std::uint32_t last = 0;  ///< Value of the last ticket.
    bool bound = false;      ///< Its subchannels have their classes.
    bool failed = false;
    std::string error;
  };

  void record_channel(StreamId stream);

  // driver_commands.cpp
  PushbufferWriter begin(Stream& s);
  Ticket copy_part(StreamId stream, std::uint64_t to, std::uint64_t from, std::uint32_t bytes);
  Ticket end(StreamId stream, PushbufferWriter& words);
  Ticket next_ticket(StreamId stream);
  void release(PushbufferWriter& words, StreamId stream, std::uint32_t value) const;
  std::uint32_t claim_slot(Stream& s);
  void put_entry(StreamId stream, std::uint32_t slot, std::uint32_t word0, std::uint32_t word1,
                 const std::vector<std::uint32_t>& words);
  Qmd qmd_of(const PreparedLaunch& prepared, StreamId stream, std::uint32_t value) const;

  // driver_wait.cpp
  void on_device_write(std::uint64_t line, ByteMask bytes) override;
  void on_channel_error(const ChannelError& error) override;
  void on_launch_ended(const LaunchTimes& times, const LaunchShape& shape) override;
  void on_copy_ended(const CopyRequest& request, Fs start, Fs end) override;
  std::uint32_t semaphore_value(const Stream& s) const;
  void await_all();
  CommandTimes* find_times(std::uint64_t semaphore, std::uint32_t value);
  void throw_if_failed(const Stream& s) const;

  Gpu& gpu_;
  HostSide& host_;
  DriverClock& clock_;
  CpuPort cpu_;
  RangeAllocator device_physical_, device_virtual_, host_physical_;
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> allocations_;  ///< Address: physical, bytes.
  std::vector<Stream> streams_;
  HostBuffer interrupt_word_;
  std::uint64_t banks_ = 0, bank_top_ = 0;  ///< Where the next constant bank goes, within the page of them.
  std::map<std::pair<StreamId, std::uint32_t>, CommandTimes> times_;
  std::vector<ChannelError> errors_;
  std::uint64_t interrupts_ = 0;
  PushbufferDump* dump_ = nullptr;
};

}  // namespace gputlm
