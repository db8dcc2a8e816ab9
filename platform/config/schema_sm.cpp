// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema_builder.h"

namespace gputlm {

namespace {

void describe_schedulers(SchemaBuilder& t) {
  t.count("sm.count", {1, 1024}, "SMs", "Streaming multiprocessors of the card.",
          {at(&Config::sms), at(&Config::crossbar, &CrossbarSpec::sm_ports)});
  t.count("sm.sub_partitions", {1, 16}, "per SM",
          "Sub-partitions: warp schedulers, and store queues of the load/store unit.",
          {at(&Config::warp, &WarpSpec::sub_partitions), at(&Config::lsu, &LsuSpec::sub_partitions)});
  t.count("sm.warps_per_sub_partition", {1, 64}, "warps", "Warp slots of a scheduler.",
          {at(&Config::warp, &WarpSpec::warps_per_sub_partition)});
  t.count("sm.max_ctas", {1, 1024}, "CTAs", "CTAs resident on an SM at once.",
          {at(&Config::warp, &WarpSpec::max_ctas)});
  t.count("sm.scoreboards", {1, 8}, "per warp", "Scoreboard barriers of a warp.",
          {at(&Config::warp, &WarpSpec::scoreboards)});
  t.real("sm.issue_interval", {0.01, 1e6}, "core cycles", "Between two issues of one scheduler.",
         {at(&Config::warp, &WarpSpec::issue_interval)});
  t.real("sm.memory_issue_interval", {0.01, 1e6}, "core cycles", "Between two memory instructions of one scheduler.",
         {at(&Config::warp, &WarpSpec::memory_issue_interval)});
}

void describe_exit(SchemaBuilder& t) {
  t.count("sm.queue_entries", {1, kMostOfAnyQueue}, "instructions",
          "Memory instructions that a sub-partition's queue holds.", {at(&Config::lsu, &LsuSpec::queue_entries)});
  t.real("sm.store_issue_interval", {0.01, 1e6}, "core cycles",
         "Between stores leaving one queue, up to 4 bytes a lane, whatever the number of active lanes.",
         {at(&Config::lsu, &LsuSpec::store_issue_interval)});
  t.real("sm.store_issue_interval_8", {0.01, 1e6}, "core cycles", "The same for 8 bytes a lane.",
         {at(&Config::lsu, &LsuSpec::store_issue_interval_8)});
  t.real("sm.store_issue_interval_16", {0.01, 1e6}, "core cycles", "The same for 16 bytes a lane.",
         {at(&Config::lsu, &LsuSpec::store_issue_interval_16)});
  t.real("sm.load_issue_interval", {0.01, 1e6}, "core cycles", "Between loads leaving one queue.",
         {at(&Config::lsu, &LsuSpec::load_issue_interval)});
  t.real("sm.exit_bytes_per_cycle", kRate, "bytes per core cycle", "Store data that the SM's exit carries.",
         {at(&Config::lsu, &LsuSpec::exit_bytes_per_cycle)});
  t.real("sm.exit_min_store_cycles", kCycles, "core cycles", "Least time that a store request takes of the exit.",
         {at(&Config::lsu, &LsuSpec::exit_min_store_cycles)});
  t.real("sm.exit_loads_per_cycle", kRate, "requests per core cycle", "Load requests that the exit carries.",
         {at(&Config::lsu, &LsuSpec::exit_loads_per_cycle)});
}

void describe_fences(SchemaBuilder& t) {
  t.real("sm.cta_fence_cycles", kCycles, "core cycles", "membar.cta after the earlier stores have reached L1.",
         {at(&Config::lsu, &LsuSpec::cta_fence_cycles)});
  t.time("sm.sys_fence_sm_share", kLatency, "SM-side share of membar.sys, on top of the host's round trip.",
         {at(&Config::lsu, &LsuSpec::sys_fence_sm_share)});
}

}  // namespace

void describe_sm(SchemaBuilder& t) {
  describe_schedulers(t);
  describe_exit(t);
  describe_fences(t);
}

}  // namespace gputlm
