// SPDX-License-Identifier: Apache-2.0
//
// The RTX 4090's DRAM numbers and the first stage of its slice function, as the tests' own copy of the published facts.
#pragma once

#include "gputlm/dram/dram_spec.h"

namespace gputlm {

/// Parity of the bits of `address` under `mask`.
inline unsigned parity(std::uint64_t address, std::uint64_t mask) {
  return static_cast<unsigned>(__builtin_parityll(address & mask));
}

/// First stage of the published slice function (READS, appendix): the controller of a physical address.
inline unsigned published_controller(std::uint64_t a) {
  const unsigned p1 = parity(a, 0x76A990400), p2 = parity(a, 0x2CCF7B000);
  const auto third = static_cast<unsigned>(((a >> 15) + 2 * parity(a, 0x3C9041000) + parity(a, 0x2882B0800) + 2) % 3);
  return (2 * p1 + p2) * 3 + third;
}

/// The numbers of the RTX 4090 (facts, sections 9, 10 and 14).
inline DramSpec rtx4090_dram() {
  DramSpec s;
  s.controllers = 12;
  s.channels_per_controller = 2;
  s.slices_per_controller = 3;
  s.bank_groups = s.banks_per_group = 4;
  s.rows = 65536;
  s.row_bytes = 1024;
  s.capacity = 24ULL << 30;
  s.read_queue_entries = 64;
  s.write_queue_entries = 128;
  s.write_high_mark = 112;
  s.write_low_mark = 32;
  s.age_cap = from_ns(2000);
  s.write_drain = "marks";
  s.drain_row_lines = 4;
  s.row_batching = true;
  s.request_latency = from_ns(47.7);
  s.response_latency = from_ns(47.7);
  s.look_ahead = from_ns(60);
  s.look_ahead_refill = 0.75;
  s.scheduler = "fr_fcfs";
  s.page_policy = "idle_timer";
  s.idle_close = from_ns(100);
  s.ecc = "none";
  DramTimingSpec& t = s.timing;
  t.clock_hz = 1.3125e9;
  t.burst = 1;
  t.tRCDRD = 22, t.tRCDWR = 15, t.tRP = 22, t.tRAS = 45, t.tRC = 67, t.tCL = 19, t.tWL = 5;
  t.tCCDS = 1, t.tCCDL = 4, t.tRRDS = 7, t.tRRDL = 7, t.tFAW = 28;
  t.tWR = 22, t.tWTRS = 7, t.tWTRL = 9, t.tRTP = 3, t.tRTW = 17;
  t.wdm_slots = 2, t.wsm_slots = 3, t.commands_per_clock = 1;
  t.refresh_interval = from_ns(1407);
  t.refresh_duration = from_ns(176);
  s.map.type = "windowed";
  s.map.channel_mask = 0x124924100;
  s.map.window_bytes = 98304;
  s.map.rows_per_window = 4;
  s.map.block_shift = 15;
  s.map.rank_bits = {12, 11};
  s.map.column_bits = {5, 6, 7, 9, 14};
  s.map.rotate_bank_groups = true;
  return s;
}

}  // namespace gputlm
