// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Timing of one GDDR6X channel, in command-clock cycles (CK) unless said otherwise.
struct DramTimingSpec {
  double clock_hz = 0;              ///< Command clock (1.3125 GHz).
  unsigned burst = 0;               ///< CK of data bus per 32-byte column (1).
  unsigned tRCDRD = 0, tRCDWR = 0;  ///< Activate to read, to write.
  unsigned tRP = 0, tRAS = 0,
           tRC = 0;                 ///< Precharge to activate, activate to precharge, activate to activate of one bank.
  unsigned tCL = 0, tWL = 0;        ///< Read, write command to first data.
  unsigned tCCDS = 0, tCCDL = 0;    ///< Column to column, other and same bank group.
  unsigned tRRDS = 0, tRRDL = 0;    ///< Activate to activate of other banks, other and same bank group.
  unsigned tFAW = 0;                ///< Window that holds at most four activates.
  unsigned tWR = 0;                 ///< End of write data to precharge.
  unsigned tWTRS = 0, tWTRL = 0;    ///< End of write data to read, other and same bank group.
  unsigned tRTP = 0;                ///< Read to precharge.
  unsigned tRTW = 0;                ///< Read command to write command.
  unsigned wdm_slots = 0;           ///< Command slots of a write with double-byte mask (2).
  unsigned wsm_slots = 0;           ///< Command slots of a write with single-byte mask (3).
  unsigned commands_per_clock = 0;  ///< Command slots per CK (1).
  Fs refresh_interval = 0;          ///< Between two per-bank-pair refreshes of a channel (1407 ns).
  Fs refresh_duration = 0;          ///< A bank pair is unavailable for so long (176 ns).
};

/// Physical address to channel, bank, row and column within one controller; serves timing only.
struct DramMapSpec {
  std::string type;                ///< Strategy name: windowed (the constructed default), linear.
  std::uint64_t channel_mask = 0;  ///< Channel = parity(address AND mask).
  std::uint64_t window_bytes =
      0;  ///< Windowed: aligned window that holds `rows_per_window` rows of every channel (98304).
  unsigned rows_per_window = 0;     ///< 4.
  unsigned block_shift = 0;         ///< Windowed: log2 of the block whose number leads a row's rank in its window (15).
  std::vector<unsigned> rank_bits;  ///< Windowed: address bits that order rows of one block, high first (12, 11).
  std::vector<unsigned> column_bits;  ///< Address bits of the column, low first (5, 6, 7, 9, 14).
  bool rotate_bank_groups = true;     ///< Consecutive rows rotate over the bank groups.
};

/// Parameters of one memory controller and its channels.
struct DramSpec {
  unsigned controllers = 0;              ///< 12.
  unsigned channels_per_controller = 0;  ///< 2.
  unsigned slices_per_controller = 0;    ///< 3.
  unsigned bank_groups = 0;              ///< 4.
  unsigned banks_per_group = 0;          ///< 4.
  std::uint64_t rows = 0;                ///< Per bank (65,536).
  std::uint64_t row_bytes = 0;           ///< 1 KiB.
  std::uint64_t capacity = 0;            ///< Bytes of the whole card (24 GiB).
  unsigned read_queue_entries = 0;       ///< Lines per channel (64).
  unsigned write_queue_entries = 0;      ///< Lines per controller, shared by its channels (128).
  unsigned write_high_mark = 0;          ///< Writes go first from so many waiting lines (112).
  unsigned write_low_mark = 0;           ///< ... down to so many (32).
  std::string write_drain;               ///< Strategy name: marks, arrival_order, reads_first, row_count.
  unsigned drain_row_lines = 0;          ///< row_count: writes of one row that are drained together (4).
  bool row_batching = false;             ///< marks: a turn that is over finishes the rows that are open.
  Fs age_cap = 0;                        ///< A request that waited so long goes first.
  Fs request_latency = 0;                ///< Controller and PHY, way in.
  Fs response_latency = 0;               ///< Controller and PHY, way back.
  Fs look_ahead = 0;                     ///< How far ahead of now the channel's data bus is booked.
  double look_ahead_refill = 0;          ///< Once it is, the next line is taken when this share of that is left.
  std::string scheduler;                 ///< Strategy name: fr_fcfs, fcfs.
  std::string page_policy;               ///< Strategy name: open, closed, idle_timer.
  Fs idle_close = 0;                     ///< idle_timer: an open row is precharged after so long without use.
  std::string ecc;                       ///< none, or codeword: a partial sector becomes read, merge, write.
  DramTimingSpec timing;
  DramMapSpec map;
};

}  // namespace gputlm
