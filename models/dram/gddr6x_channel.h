// SPDX-License-Identifier: Apache-2.0
//
// One 16-bit channel of a GDDR6X chip, with the timing half of its controller: 4 bank groups of 4 banks, rows of 1 KiB,
// 32-byte columns (READS; MIC6). It takes line transactions and books all commands of each at once: precharge and
// activate where needed, one column command per 32-byte sector, masked writes holding the command bus for more clocks.
// END_REQ comes when the data bus is booked no further than `look_ahead` ahead; BEGIN_RESP comes `response_latency`
// (the controller's and PHY's way back) after the end of the data. A transaction's effect on memory, and the data of a
// read, are those of the moment at which it is taken. A read of no byte opens its row and is completed at once.
//
// Left out: data errors and their retries, ZQ calibration, temperature, power states, the WCK clock's start-up.
#pragma once

#include "gputlm/dram/bank_array.h"
#include "gputlm/dram/sparse_memory.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

struct ChannelStatistics {
  std::uint64_t reads = 0, writes = 0;  ///< Line transactions.
  std::uint64_t bytes_read = 0;         ///< 32 per column read, those of a merge included.
  std::uint64_t bytes_written = 0;      ///< 32 per column write.
  std::uint64_t bytes_enabled = 0;      ///< Unmasked bytes of the writes.
  std::uint64_t merged_sectors = 0;     ///< ecc codeword: partial sectors read, merged and written.
};

class Gddr6xChannel : public Unit {
 public:
  /// `controller` and `channel` say which one this is; map and memory are the card's.
  Gddr6xChannel(const sc_core::sc_module_name& name, const DramSpec& spec, unsigned controller, unsigned channel,
                const DramMap& map, SparseMemory& memory);

  /// Line transactions from the controller.
  TargetSocket<Gddr6xChannel> commands;
  /// Told of every command; may be null.
  void set_observer(DramObserver* observer) { banks_.observer = observer; }

  const DramTiming& timing() const { return timing_; }
  const ChannelStatistics& statistics() const { return statistics_; }
  const BankStatistics& bank_statistics() const { return banks_.statistics(); }
  BankView bank(unsigned b) const { return banks_.view(b); }
  /// Backdoor: opens a row of a bank in no time and without a command, so that no observer may judge the channel's
  /// commands afterwards.
  void set_row(unsigned bank, std::uint64_t row);
  /// Time the data bus has been booked for, in all.
  Fs data_bus_busy() const;

  /// Keeps the contents of the memory, which belong to the card.
  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return responses_.empty(); }
  void list_waits(WaitList& waits) const override;

  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t port, Payload& p);

 private:
  tlm::tlm_response_status check(const Payload& p) const;
  ColumnRequest perform(Payload& p, ByteMask mask);
  void add_writes(ByteMask mask, ColumnRequest& request);
  Fs accept_delay(Ck from) const;
  void send_responses();

  const DramSpec spec_;
  const DramMap& map_;
  SparseMemory& memory_;
  const DramTiming timing_;
  const bool merges_partial_sectors_;
  const unsigned columns_ahead_, columns_refill_;  ///< look_ahead, and what is left of it when more is taken.
  BankArray banks_;
  TimedQueue<PayloadRef> responses_;
  Wakeup respond_;
  ChannelStatistics statistics_;
};

}  // namespace gputlm
