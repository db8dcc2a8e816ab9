// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema_builder.h"

namespace gputlm {

namespace {

void describe_size_and_speed(SchemaBuilder& t) {
  using S = L2Spec;
  t.count("l2.slices", {1, 1024}, "slices", "Slices of the card.", {at(&Config::crossbar, &CrossbarSpec::slices)});
  t.count("l2.slices_per_controller", {1, 64}, "slices", "Slices that share a memory controller.",
          {at(&Config::crossbar, &CrossbarSpec::slices_per_controller),
           at(&Config::dram, &DramSpec::slices_per_controller)});
  t.count("l2.sets", {1, 1U << 20}, "sets", "Sets of a slice; a power of two.", {at(&Config::l2, &S::sets)});
  t.count("l2.ways", {1, 64}, "ways", "Ways of a set.", {at(&Config::l2, &S::ways)});
  t.real("l2.requests_per_cycle", kRate, "requests per cycle", "Requests that a slice serves.",
         {at(&Config::l2, &S::requests_per_cycle)});
  t.real("l2.store_bytes_per_cycle", kRate, "bytes per cycle", "Store data that a slice takes.",
         {at(&Config::l2, &S::store_bytes_per_cycle)});
  t.real("l2.load_bytes_per_cycle", kRate, "bytes per cycle", "Load data that a slice gives.",
         {at(&Config::l2, &S::load_bytes_per_cycle)});
  t.time("l2.load_latency", kLatency, "Request at the slice to data leaving it, on a hit.",
         {at(&Config::l2, &S::load_latency)});
  t.time("l2.store_latency", kLatency, "Request at the slice to acknowledgement leaving it.",
         {at(&Config::l2, &S::store_latency)});
  t.time("l2.atomic_latency", kLatency, "Added to load_latency for a read-modify-write.",
         {at(&Config::l2, &S::atomic_latency)});
  t.real("l2.atomic_same_word_cycles", kCycles, "cycles", "Between two atomic operations on the same word.",
         {at(&Config::l2, &S::atomic_same_word_cycles)});
  t.count("l2.fetch_entries", {1, kMostOfAnyQueue}, "lines",
          "Lines of a slice that may be on their way from DRAM at once.", {at(&Config::l2, &S::fetch_entries)});
  t.count("l2.write_back_entries", {1, kMostOfAnyQueue}, "lines",
          "Write-backs of a slice that may wait for the controller.", {at(&Config::l2, &S::write_back_entries)});
  t.count("l2.fifo_drain_interval", {1, 1024}, "fills", "Fills of a set per pop of its write-back FIFO.",
          {at(&Config::l2, &S::fifo_drain_interval)});
  t.choice("l2.partial_sector_load", {"fetch", "serve_valid"},
           "A load of a sector of which some bytes are valid: fetch the sector, or serve it when the bytes wanted are "
           "valid.",
           {at(&Config::l2, &S::partial_sector_load)});
  t.choice("l2.write_allocate", {"no_fetch", "fetch"},
           "A store keeps its bytes alone, or also fetches what it leaves out of the sectors that it touches.",
           {at(&Config::l2, &S::write_allocate)});
}

void describe_set_index(SchemaBuilder& t) {
  using S = SetIndexSpec;
  const auto field = [](auto member) { return at(&Config::l2, &L2Spec::set_index, member); };
  t.choice("l2.set_index.type", {"published", "modulo"}, "Which function takes a physical address to its set.",
           {field(&S::type)});
  t.masks("l2.set_index.line_masks", {0, 16},
          "Index bit i is the parity of the address under line mask i, xor the parity of the quotient under quotient "
          "mask i.",
          {field(&S::line_masks)});
  t.masks("l2.set_index.quotient_masks", {0, 16}, "See line_masks.", {field(&S::quotient_masks)});
  t.bytes("l2.set_index.quotient_bytes", {1, 1U << 30}, "The quotient is floor(address / quotient_bytes).",
          {field(&S::quotient_bytes)});
  t.count(
      "l2.set_index.invert_shift", {0, 63}, "bits",
      "The last index bit is inverted when floor(address / 2^invert_shift) mod invert_modulus is in invert_residues.",
      {field(&S::invert_shift)});
  t.count("l2.set_index.invert_modulus", {1, 1U << 16}, "", "See invert_shift.", {field(&S::invert_modulus)});
  t.counts("l2.set_index.invert_residues", {0, 1U << 16}, {0, 64}, "", "See invert_shift.",
           {field(&S::invert_residues)});
}

void describe_replacement(SchemaBuilder& t) {
  using S = ReplacementSpec;
  const auto field = [](auto member) { return at(&Config::l2, &L2Spec::replacement, member); };
  t.choice("l2.replacement.policy", {"rrip", "lru", "tree_plru", "srrip", "brrip", "drrip", "random"},
           "Which policy picks a victim.", {field(&S::policy)});
  t.count("l2.replacement.levels", {2, 256}, "levels", "RRPV values, 0 to levels - 1; the last marks a victim.",
          {field(&S::levels)});
  t.count("l2.replacement.insert_rrpv", {0, 255}, "RRPV", "RRPV of a line just brought in by a load or store.",
          {field(&S::insert_rrpv)});
  t.count("l2.replacement.load_hit_rrpv", {0, 255}, "RRPV", "RRPV after a load hit.", {field(&S::load_hit_rrpv)});
  t.choice("l2.replacement.store_hit", {"keep", "promote"},
           "A store hit leaves the RRPV alone, or promotes the line to load_hit_rrpv.", {field(&S::store_hit)});
  t.choice("l2.replacement.eviction_classes", {"ignore", "honour"},
           "Whether lines accessed with the cache hint evict first are given up before others, evict last behind them.",
           {field(&S::eviction_classes)});
  t.count("l2.replacement.bimodal_interval", {1, 1U << 16}, "insertions",
          "brrip, drrip: every n-th bimodal insertion of a slice is one level before a victim, the others are victims.",
          {field(&S::bimodal_interval)});
  t.count("l2.replacement.duel_sets", {1, 1U << 16}, "sets",
          "drrip: sets of a slice that always insert by one of the two policies.", {field(&S::duel_sets)});
  t.count("l2.replacement.duel_bits", {1, 20}, "bits", "drrip: width of the counter that picks the winner.",
          {field(&S::duel_bits)});
  t.count("l2.replacement.random_seed", {0, std::uint64_t{1} << 63}, "", "random: seed of its generators.",
          {field(&S::random_seed)});
}

void describe_janitor(SchemaBuilder& t) {
  using S = JanitorSpec;
  const auto field = [](auto member) { return at(&Config::l2, &L2Spec::janitor, member); };
  t.choice("l2.janitor.policy", {"threshold", "none", "eager", "row_aware"},
           "Which dirty lines are cleaned ahead of need: of sets with too many, none, any while memory is idle, or as "
           "threshold and with each line others of its DRAM row.",
           {field(&S::policy)});
  t.count("l2.janitor.dirty_threshold", {1, 64}, "lines",
          "Dirty lines of a set from which a store first cleans the least recently stored one.",
          {field(&S::dirty_threshold)});
  t.choice("l2.janitor.trigger", {"any_store", "new_dirty_line"},
           "Any store to such a set cleans one, or only a store that would add a dirty line.", {field(&S::trigger)});
  t.time("l2.janitor.idle_time", {kFsPerNs, 1'000'000 * kFsPerNs}, "eager: between two looks whether memory is idle.",
         {field(&S::idle_time)});
}

}  // namespace

void describe_l2(SchemaBuilder& t) {
  describe_size_and_speed(t);
  describe_set_index(t);
  describe_replacement(t);
  describe_janitor(t);
}

}  // namespace gputlm
