// SPDX-License-Identifier: Apache-2.0
//
// The host engine: what turns a doorbell into work.
//
// A channel has a ring of GPFIFO entries and two cursors in its USERD page. The driver writes entries, advances GP_PUT
// and rings the doorbell with the channel's token; the engine reads GP_PUT, then entries, then the words that an entry
// names, each a round trip of DMA wherever the driver put it, decodes methods at a constant time a word, and writes
// GP_GET when an entry's words are consumed. Methods below 0x100 it executes itself: semaphores (a release waits for
// the channel's own work if asked to; an acquire looks again and again until it holds), memory barriers and L2 flushes
// (handed on), WFI, interrupts. A launch or a copy is handed on and runs beside what follows; the channel's errors
// carry its number, the entry and a reason, stand in its notifier, and stop that channel alone.
//
// Every channel makes progress on its own. Left out: run lists and time slices, so channels never wait for each other;
// prefetch of the next segment; conditional fetch (fetched always); semaphore reductions.
//
// Files: host_engine.cpp channels and doorbell; host_engine_fetch.cpp entries and segments; host_engine_execute.cpp
// methods; host_engine_report.cpp statistics and explanations.
#pragma once

#include <map>
#include <memory>

#include "gputlm/host/channel_error.h"
#include "gputlm/host/dma_master.h"
#include "gputlm/host/engine_ports.h"
#include "gputlm/host/host_channel.h"
#include "gputlm/host/host_engine_spec.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// What the engine has counted since its reset.
struct HostEngineCounters {
  std::uint64_t doorbells = 0, entries = 0, words = 0, methods = 0, launches = 0, copies = 0, releases = 0;
  std::uint64_t acquires = 0, acquire_looks = 0, memory_operations = 0, interrupts = 0, errors = 0;
};

class HostEngine : public Unit {
 public:
  HostEngine(const sc_core::sc_module_name& name, const HostEngineSpec& spec, PayloadPool& pool,
             const GpuAddressSpace& space);

  TargetSocket<HostEngine> doorbell;  ///< From the link: the usermode region.
  DmaMaster dma;                      ///< dma.host to the link, dma.device to the crossbar.

  // Set before the simulation starts.
  ComputePort* compute = nullptr;
  CopyPort* copies = nullptr;
  MemoryOperations* memory = nullptr;
  ChannelErrorObserver* errors = nullptr;  ///< May stay null.
  /// Where an interrupt's message goes (a posted write of the channel's number, so it stays behind what it announces);
  /// 0: nowhere.
  std::uint64_t interrupt_address = 0;

  /// Throws std::invalid_argument for a number or token that is taken, or a ring without entries.
  void open(const ChannelSetup& setup);
  bool failed(std::uint32_t channel) const { return channels_.at(channel)->state == ChannelState::failed; }
  const HostEngineCounters& counters() const { return counters_; }

  /// Channels are closed.
  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override;
  void list_waits(WaitList& waits) const override;

  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t port, Payload& p);

 private:
  using Channel = HostChannel;

  void end_of_elaboration() override;

  // host_engine.cpp
  void ring(std::uint32_t token);
  void enter(Channel& c, ChannelState state);
  void fail(Channel& c, ChannelErrorKind kind, const std::string& reason, std::uint32_t entry);
  void fail(Channel& c, ChannelErrorKind kind, const std::string& reason) { fail(c, kind, reason, c.entry); }
  void tell(const ChannelError& error);
  void write_notifier(const ChannelError& error, std::uint64_t address);
  void interrupt(std::uint32_t channel);
  void run();
  void resume_at(Fs t, Channel& c);

  // host_engine_fetch.cpp
  void read_put(Channel& c);
  void advance(Channel& c);
  void read_entries(Channel& c);
  void begin_entry(Channel& c);
  void fetch(Channel& c);
  void end_entry(Channel& c);

  // host_engine_execute.cpp
  void go_on(Channel& c);
  void execute(Channel& c);
  bool take_call(Channel& c, const MethodCall& call);
  void perform(Channel& c, const MethodCall& call);
  void perform_own(Channel& c, const MethodCall& call);
  bool wait_for_work(Channel& c, const MethodCall& call);
  void semaphore(Channel& c, const MethodCall& call);
  void release(Channel& c, std::uint64_t address, std::uint64_t payload, std::uint32_t execute);
  void acquire(Channel& c, const MethodCall& call, std::uint64_t address, std::uint64_t payload);
  void look(Channel& c, const MethodCall& call, bool holds);
  void memory_operation(Channel& c, std::uint32_t data);
  void launch(Channel& c);
  void copy(Channel& c, const MethodCall& call);
  WorkDone end_of_work(Channel& c, bool interrupts = false);
  WorkDone end_of_wait(Channel& c);

  const HostEngineSpec spec_;
  std::map<std::uint32_t, std::unique_ptr<Channel>> channels_;  // by number
  std::map<std::uint32_t, Channel*> by_token_;
  TimedQueue<Channel*> due_;
  Wakeup wakeup_;
  unsigned generation_ = 0;  // answers to requests from before a reset are not for these channels
  HostEngineCounters counters_;
};

}  // namespace gputlm
