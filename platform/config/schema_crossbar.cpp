// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema_builder.h"

namespace gputlm {

namespace {

template <class Member>
Field slice_function(Member member) {
  return at(&Config::crossbar, &CrossbarSpec::slice_function, member);
}

void describe_slice_function(SchemaBuilder& t) {
  using S = SliceFunctionSpec;
  const std::string p = "crossbar.slice_function.";
  t.choice(p + "type", {"published", "published_48", "modulo", "xor_fold", "table"},
           "Which function takes a physical address to its slice.", {slice_function(&S::type)});
  t.bytes(p + "granule", {128, 1U << 30},
          "modulo, xor_fold, table: bytes on one slice before the next; a power of two.",
          {slice_function(&S::granule)});
  t.mask(p + "p1", "Stage 1: mask of parity P1.", {slice_function(&S::p1)});
  t.mask(p + "p2", "Stage 1: mask of parity P2.", {slice_function(&S::p2)});
  t.mask(p + "a1", "Stage 1: mask of the parity that counts twice in term A.", {slice_function(&S::a1)});
  t.mask(p + "a2", "Stage 1: mask of the parity that counts once in term A.", {slice_function(&S::a2)});
  t.count(p + "a_shift", {0, 63}, "bits", "Term A: floor(address / 2^a_shift).", {slice_function(&S::a_shift)});
  t.count(p + "a_add", {0, 2}, "", "Term A: constant added before mod 3.", {slice_function(&S::a_add)});
  t.masks(p + "q", {4, 4}, "Stage 2: masks of the parities q0 to q3.", {slice_function(&S::q)});
  t.count(p + "g_shift", {0, 63}, "bits", "Stage 2: g = floor((address + g_add) / 2^g_shift) mod 9.",
          {slice_function(&S::g_shift)});
  t.bytes(p + "g_add", {0, std::uint64_t{1} << 40}, "Stage 2: added to the address in g.", {slice_function(&S::g_add)});
  t.counts(p + "s", {0, 8}, {5, 5}, "",
           "Stage 2: s = (s[0] + s[1] q0 + s[2] q1 + s[3] q2 + s[4] q3 - majority(q0, q1, q2)) mod 9.",
           {slice_function(&S::s)});
  t.counts(p + "shift", {0, 8}, {3, 3}, "", "Stage 2: o = (g - shift[A] - s) mod 9.", {slice_function(&S::shift)});
  t.counts(p + "offset", {0, 2}, {3, 3}, "",
           "Stage 2, three slices per controller: offset[A] is added to the slice, mod 3.",
           {slice_function(&S::offset)});
  t.masks(p + "table_masks", {0, kMostTableMasks}, "table: parity i of the address under mask i is bit i of the place.",
          {slice_function(&S::table_masks)});
  t.counts(p + "table", {0, 1023}, {0, 1U << 16}, "slice",
           "table: the slice at each place, rows of 2^masks places; the row is the granule's number modulo the rows.",
           {slice_function(&S::table)});
}

}  // namespace

void describe_crossbar(SchemaBuilder& t) {
  using S = CrossbarSpec;
  t.time("crossbar.request_latency", kLatency, "SM port to slice port, unloaded.",
         {at(&Config::crossbar, &S::request_latency)});
  t.time("crossbar.response_latency", kLatency, "Slice port to SM port, unloaded.",
         {at(&Config::crossbar, &S::response_latency)});
  t.real("crossbar.sm_request_bytes_per_cycle", kRate, "bytes per cycle", "Store data into the network per SM port.",
         {at(&Config::crossbar, &S::sm_request_bytes_per_cycle)});
  t.real("crossbar.sm_requests_per_cycle", kRate, "requests per cycle", "Request headers into the network per SM port.",
         {at(&Config::crossbar, &S::sm_requests_per_cycle)});
  t.real("crossbar.sm_response_bytes_per_cycle", kRate, "bytes per cycle", "Load data out of the network per SM port.",
         {at(&Config::crossbar, &S::sm_response_bytes_per_cycle)});
  t.count("crossbar.sm_request_depth", {1, kMostOfAnyQueue}, "requests",
          "Requests of one SM inside the request network; more are held back.",
          {at(&Config::crossbar, &S::sm_request_depth)});
  t.count("crossbar.slice_request_depth", {1, kMostOfAnyQueue}, "requests",
          "Requests for one slice inside the request network, summed over the SMs.",
          {at(&Config::crossbar, &S::slice_request_depth)});
  t.reals("crossbar.sm_position", {-1000, 1000}, {0, 1024}, "cycles",
          "Extra cycles each way per SM port, for a die on which position matters; empty for none.",
          {at(&Config::crossbar, &S::sm_position)});
  t.reals("crossbar.slice_position", {-1000, 1000}, {0, 1024}, "cycles",
          "Extra cycles each way per slice port; empty for none.", {at(&Config::crossbar, &S::slice_position)});
  describe_slice_function(t);
}

}  // namespace gputlm
