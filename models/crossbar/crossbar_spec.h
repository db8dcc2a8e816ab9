// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// The published two-stage physical-address-to-slice function as a table (see docs/policies.md for the formulas).
struct SliceFunctionSpec {
  std::string type;              ///< Strategy name: published, published_48, modulo, xor_fold, table.
  std::uint64_t granule = 0;     ///< modulo, xor_fold, table: bytes per slice before the next (256).
  std::uint64_t p1 = 0, p2 = 0;  ///< Stage 1 parity masks.
  std::uint64_t a1 = 0, a2 = 0;  ///< Masks inside term A.
  unsigned a_shift = 0;          ///< Term A: floor(address / 2^a_shift).
  unsigned a_add = 0;            ///< Term A: constant added before mod 3.
  std::vector<std::uint64_t> q;  ///< Stage 2 masks q0..q3.
  unsigned g_shift = 0;          ///< g = floor((a + g_add) / 2^g_shift) mod 9.
  std::uint64_t g_add = 0;
  std::vector<unsigned> s;                 ///< s = (s[0] + s[1] q0 + s[2] q1 + s[3] q2 + s[4] q3 - majority) mod 9.
  std::vector<unsigned> shift;             ///< o = (g - shift[A] - s) mod 9.
  std::vector<unsigned> offset;            ///< Added to the slice by A, mod 3.
  std::vector<std::uint64_t> table_masks;  ///< table: parities that choose within a row.
  std::vector<unsigned> table;             ///< table: slices, rows of 2^masks entries.
};

/// A table has 2^masks entries at least.
inline constexpr unsigned kMostTableMasks = 12;

/// Parameters of the request and response networks between SMs and L2 slices.
struct CrossbarSpec {
  double clock_hz = 0;                     ///< Crossbar clock.
  unsigned sm_ports = 0;                   ///< 128.
  unsigned hub_ports = 0;                  ///< Of other units that use memory (host side); alike, behind the SMs'.
  unsigned slices = 0;                     ///< 36.
  unsigned slices_per_controller = 0;      ///< 3.
  Fs request_latency = 0;                  ///< SM port to slice port, unloaded.
  Fs response_latency = 0;                 ///< Slice port to SM port, unloaded.
  double sm_request_bytes_per_cycle = 0;   ///< Store data into the network per SM port (32).
  double sm_requests_per_cycle = 0;        ///< Request headers into the network per SM port (2).
  double sm_response_bytes_per_cycle = 0;  ///< Load data out of the network per SM port (32).
  unsigned sm_request_depth = 0;           ///< Requests of one SM inside the request network; more are held back.
  unsigned slice_request_depth = 0;        ///< Requests for one slice inside the network, summed over SMs.
  std::vector<double> sm_position;         ///< Extra cycles each way per SM port; empty: none.
  std::vector<double> slice_position;      ///< Extra cycles each way per slice port; empty: none.
  SliceFunctionSpec slice_function;
};

}  // namespace gputlm
