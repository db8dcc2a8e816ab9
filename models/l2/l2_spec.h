// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// L2 set index: bit i = parity(a AND line_masks[i]) xor parity(q AND quotient_masks[i]), q = floor(a /
/// quotient_bytes); the last bit is inverted when floor(a / 2^invert_shift) mod invert_modulus is in invert_residues.
struct SetIndexSpec {
  std::string type;  ///< Strategy name: published, modulo.
  std::vector<std::uint64_t> line_masks;
  std::vector<std::uint64_t> quotient_masks;
  std::uint64_t quotient_bytes = 0;       ///< 1152.
  unsigned invert_shift = 0;              ///< 15.
  unsigned invert_modulus = 0;            ///< 9.
  std::vector<unsigned> invert_residues;  ///< 2, 6.
};

/// Which line is given up.
struct ReplacementSpec {
  std::string policy;                       ///< Strategy name, one of replacement_names().
  unsigned levels = 0;                      ///< RRPV values 0 to levels - 1; the last is the victim level (3).
  unsigned insert_rrpv = 0;                 ///< 1.
  unsigned load_hit_rrpv = 0;               ///< 0.
  std::string store_hit;                    ///< keep (RRPV unchanged) or promote (to load_hit_rrpv).
  std::string eviction_classes = "ignore";  ///< ignore, or honour: lines hinted evict first go first, evict last last.
  unsigned bimodal_interval = 0;            ///< brrip, drrip: every n-th bimodal insertion is a long one (32).
  unsigned duel_sets = 0;                   ///< drrip: leader sets of each of the two policies (32).
  unsigned duel_bits = 0;                   ///< drrip: width of the counter that picks the winner (10).
  std::uint64_t random_seed = 0;            ///< random: of its generator.
};

/// The rule that cleans dirty lines ahead of need.
struct JanitorSpec {
  std::string policy;            ///< Strategy name, one of cleaning_names().
  unsigned dirty_threshold = 0;  ///< Dirty lines of a set from which a store cleans one first (8).
  std::string trigger;           ///< any_store or new_dirty_line.
  Fs idle_time = 0;              ///< eager: between two looks whether memory is idle (100 ns).
};

/// Parameters of one L2 slice.
struct L2Spec {
  double clock_hz = 0;                      ///< Slice clock.
  unsigned sets = 0;                        ///< 1024; a power of two.
  unsigned ways = 0;                        ///< 16.
  double requests_per_cycle = 0;            ///< Requests one slice serves per cycle (0.753).
  double store_bytes_per_cycle = 0;         ///< Store data taken per cycle (32).
  double load_bytes_per_cycle = 0;          ///< Load data given per cycle (54).
  Fs load_latency = 0;                      ///< Request at the slice to data leaving it, on a hit.
  Fs store_latency = 0;                     ///< Request at the slice to acknowledgement leaving it.
  Fs atomic_latency = 0;                    ///< Added to load_latency for a read-modify-write.
  double atomic_same_word_cycles = 0;       ///< Cycles between two operations on the same word (2).
  unsigned fetch_entries = 0;               ///< Lines that may be on their way from DRAM at once (192).
  unsigned write_back_entries = 0;          ///< Write-backs that may wait for the controller (8).
  unsigned fifo_drain_interval = 0;         ///< Fills of a set per pop of its write-back FIFO (2).
  std::string partial_sector_load;          ///< fetch or serve_valid.
  std::string write_allocate = "no_fetch";  ///< no_fetch, or fetch: a store brings the rest of its sectors.
  SetIndexSpec set_index;
  ReplacementSpec replacement;
  JanitorSpec janitor;
};

}  // namespace gputlm
