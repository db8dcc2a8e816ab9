// SPDX-License-Identifier: Apache-2.0
//
// The copy engine: moves rectangles of bytes between the card's memory and the host's, or within either.
//
// It takes copies in turn, one at a time. A copy is cut into chunks that end where the source's aligned chunks end; a
// bounded number of them is read and not yet written. The card's memory is read and written through the crossbar, so
// through L2: what is dirty there reaches the host without a trip to DRAM. When the last write is answered, the flush
// that was asked for is made, the semaphore is written (behind the data, by the order of the link, or because they are
// answered) and whoever asked is told.
//
// Left out: blocklinear layouts, remapping, compression, and further copy engines.
#pragma once

#include <optional>

#include "gputlm/host/copy_engine_spec.h"
#include "gputlm/host/dma_master.h"
#include "gputlm/host/engine_ports.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

class CopyObserver {
 public:
  virtual ~CopyObserver() = default;
  /// A copy has ended, well or not: `start` is its first read's time at the earliest, `end` now.
  virtual void on_copy_ended(const CopyRequest& request, Fs start, Fs end) = 0;
};

class CopyEngine : public Unit, public CopyPort {
 public:
  CopyEngine(const sc_core::sc_module_name& name, const CopyEngineSpec& spec, PayloadPool& pool,
             const GpuAddressSpace& space);

  DmaMaster dma;  ///< dma.host to the link, dma.device to the crossbar.

  MemoryOperations* memory = nullptr;  ///< Set before the simulation starts.
  CopyObserver* observer = nullptr;    ///< May stay null.

  void copy(std::uint32_t channel, const CopyRequest& request, WorkDone done) override;

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return !job_ && waiting_.empty() && dma.idle(); }
  void list_waits(WaitList& waits) const override;

 private:
  struct Job {
    CopyRequest request;
    WorkDone done;
    std::uint32_t channel = 0;
    Fs since = 0;                        // taken
    Fs start = 0;                        // first read, at the earliest
    std::uint32_t line = 0, offset = 0;  // of the next chunk
    unsigned in_flight = 0;
    std::string fault;  // empty: none
  };

  void end_of_elaboration() override;
  void run();
  bool all_read() const;
  void copy_chunk();
  void write_chunk(std::uint64_t destination, const DmaMaster::Data& data);
  void chunk_failed(const char* what, std::uint64_t address);
  void chunk_done();
  void flush();
  void release();
  void finish(const WorkResult& result);

  const CopyEngineSpec spec_;
  std::optional<Job> job_;
  Ring<Job> waiting_;
  Wakeup wakeup_;
  unsigned generation_ = 0;  // answers to requests from before a reset are not for this job
  std::uint64_t copies_ = 0, bytes_ = 0, faults_ = 0;
  Histogram duration_;
};

}  // namespace gputlm
