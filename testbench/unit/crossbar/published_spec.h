// SPDX-License-Identifier: Apache-2.0
//
// The RTX 4090's slice function, typed in anew from the published appendix so that a slip in the configuration shows.
#pragma once

#include "gputlm/crossbar/crossbar_spec.h"

namespace gputlm {

inline CrossbarSpec published_crossbar_spec() {
  CrossbarSpec s;
  s.clock_hz = 2.6e9;
  s.sm_ports = 128;
  s.slices = 36;
  s.slices_per_controller = 3;
  s.request_latency = 35 * kFsPerNs;
  s.response_latency = 37 * kFsPerNs;
  s.sm_request_bytes_per_cycle = 32;
  s.sm_requests_per_cycle = 2;
  s.sm_response_bytes_per_cycle = 32;
  s.sm_request_depth = 64;
  s.slice_request_depth = 64;
  SliceFunctionSpec& f = s.slice_function;
  f.type = "published";
  f.granule = 256;
  f.p1 = 0x76A990400;
  f.p2 = 0x2CCF7B000;
  f.a1 = 0x3C9041000;
  f.a2 = 0x2882B0800;
  f.a_shift = 15;
  f.a_add = 2;
  f.q = {0x8000, 0x5985E0500, 0x2354E4400, 0x3C9041000};
  f.g_shift = 17;
  f.g_add = 1U << 16;
  f.s = {5, 7, 5, 2, 1};
  f.shift = {5, 0, 1};
  f.offset = {1, 0, 0};
  return s;
}

}  // namespace gputlm
