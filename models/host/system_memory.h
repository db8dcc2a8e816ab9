// SPDX-License-Identifier: Apache-2.0
//
// The host's memory: physical addresses, pages of 4 KiB that come into being when first written (zeros until then).
//
// The link's side is a socket that takes lines: a write is in memory, and seen by the CPU, in the call that brings it;
// a read takes its bytes in that call and gets them back after a constant latency. The CPU's side is a pair of
// functions that take no time: what a program on the host does is not modelled, only what it leaves in memory. Left
// out: the CPU's caches (the root complex snoops them; that is in the latency), the memory's own bandwidth (more than
// the link's), and the host's page tables (addresses are physical).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "gputlm/host/system_memory_spec.h"
#include "gputlm/tlm/debug_span.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// Told what the device writes, in the moment in which the CPU can see it: a polling program need not poll.
class SystemMemoryObserver {
 public:
  virtual ~SystemMemoryObserver() = default;
  virtual void on_device_write(std::uint64_t line, ByteMask bytes) = 0;
};

/// Statistics: reads, writes (lines), refused, resident bytes.
class SystemMemory : public Unit {
 public:
  static constexpr unsigned kPageBytes = 4096;

  SystemMemory(const sc_core::sc_module_name& name, const SystemMemorySpec& spec);

  TargetSocket<SystemMemory> requests;  ///< From the link.

  SystemMemoryObserver* observer = nullptr;

  // -- The CPU's side. Throws std::out_of_range beyond the capacity.
  void read(std::uint64_t address, void* to, std::size_t bytes) const;
  void write(std::uint64_t address, const void* from, std::size_t bytes);

  std::uint64_t capacity() const { return spec_.capacity; }

  /// The contents stay.
  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return answers_.empty(); }
  void list_waits(WaitList& waits) const override;

  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t port, Payload& p);

 private:
  using Page = std::array<unsigned char, kPageBytes>;

  bool contains(std::uint64_t address, std::size_t bytes) const {
    return address <= spec_.capacity && bytes <= spec_.capacity - address;
  }
  void check(std::uint64_t address, std::size_t bytes) const;
  const Page* find(std::uint64_t address) const;
  Page& page_for(std::uint64_t address);
  void read_line(std::uint64_t line, unsigned char* to) const;
  void answer();

  const SystemMemorySpec spec_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;  // by page number
  TimedQueue<PayloadRef> answers_;
  Wakeup wakeup_;
  std::uint64_t reads_ = 0, writes_ = 0, refused_ = 0;
};

}  // namespace gputlm
