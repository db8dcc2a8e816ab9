// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema_builder.h"
#include "gputlm/config/virtual_space.h"

namespace gputlm {

namespace {

template <class Member>
Field limit(Member member) {
  return at(&Config::host, &HostSpec::distributor, member);
}

void describe_schedulers(SchemaBuilder& t) {
  t.count("sm.count", {1, 1024}, "SMs", "Streaming multiprocessors of the card.",
          {at(&Config::sms), at(&Config::crossbar, &CrossbarSpec::sm_ports), limit(&WorkDistributorSpec::sms)});
  t.count("sm.sub_partitions", {1, 16}, "per SM",
          "Sub-partitions: warp schedulers, and store queues of the load/store unit.",
          {at(&Config::warp, &WarpSpec::sub_partitions), at(&Config::lsu, &LsuSpec::sub_partitions),
           limit(&WorkDistributorSpec::sub_partitions)});
  t.count(
      "sm.warps_per_sub_partition", {1, 64}, "warps", "Warp slots of a scheduler.",
      {at(&Config::warp, &WarpSpec::warps_per_sub_partition), limit(&WorkDistributorSpec::warps_per_sub_partition)});
  t.count("sm.max_ctas", {1, 1024}, "CTAs", "CTAs resident on an SM at once.",
          {at(&Config::warp, &WarpSpec::max_ctas), limit(&WorkDistributorSpec::max_blocks)});
  t.count("sm.scoreboards", {1, 8}, "per warp", "Scoreboard barriers of a warp.",
          {at(&Config::warp, &WarpSpec::scoreboards)});
  t.real("sm.issue_interval", {0.01, 1e6}, "core cycles", "Between two issues of one scheduler.",
         {at(&Config::warp, &WarpSpec::issue_interval)});
  t.real("sm.memory_issue_interval", {0.01, 1e6}, "core cycles", "Between two memory instructions of one scheduler.",
         {at(&Config::warp, &WarpSpec::memory_issue_interval)});
}

// What bounds the blocks on an SM.
void describe_limits(SchemaBuilder& t) {
  using S = WorkDistributorSpec;
  t.count("sm.max_threads", {32, 65536}, "threads", "Threads resident on an SM at once.", {limit(&S::max_threads)});
  t.count("sm.max_threads_per_block", {32, 65536}, "threads", "Threads of a block at most.",
          {limit(&S::max_threads_per_block)});
  t.count("sm.registers", {1024, 1U << 24}, "registers", "32-bit registers of an SM.", {limit(&S::registers)});
  t.count("sm.register_unit", {1, 65536}, "registers", "Registers are allotted to a warp in units of this many.",
          {limit(&S::register_unit)});
  t.count("sm.max_registers_per_thread", {1, 511}, "registers", "Registers of a thread at most.",
          {limit(&S::max_registers_per_thread)});
  t.bytes("sm.shared_bytes", {0, 1U << 20}, "Shared memory that an SM's blocks can have together.",
          {limit(&S::shared_bytes)});
  t.counts("sm.carve_outs", {0, 1U << 20}, {1, 16}, "bytes",
           "What L1 can give up for shared memory, ascending: the least that holds an SM's blocks is taken.",
           {limit(&S::carve_outs)});
  t.bytes("sm.max_shared_per_block", {0, 1U << 20}, "Shared memory that a block can ask for.",
          {limit(&S::max_shared_per_block)});
  t.bytes("sm.shared_reserved", {0, 1U << 16}, "Shared memory that the system takes per block.",
          {limit(&S::shared_reserved)});
  t.bytes("sm.shared_unit", {1, 1U << 16}, "Shared memory is allotted in units of this size.",
          {limit(&S::shared_unit)});
  t.count("sm.max_barriers", {1, 31}, "barriers", "Block barriers that a block may use.", {limit(&S::max_barriers)});
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

void describe_latencies(SchemaBuilder& t) {
  using S = SassSpec;
  const auto cycles = [&t](const char* path, const char* description, double S::*member) {
    t.real(path, kCycles, "core cycles", description, {at(&Config::sass, member)});
  };
  cycles("instructions.shared_cycles", "LDS and ATOMS, issue to scoreboard clear, without bank conflicts.",
         &S::shared_cycles);
  cycles("instructions.shuffle_cycles", "SHFL, REDUX and MATCH.", &S::shuffle_cycles);
  cycles("instructions.special_function_cycles", "The quarter-rate pipe: MUFU, conversions, POPC, FLO, BREV.",
         &S::special_function_cycles);
  cycles("instructions.double_cycles", "The fp64 pipe: DADD, DMUL, DFMA, DSETP.", &S::double_cycles);
  cycles("instructions.special_register_cycles", "S2R, S2UR, CS2R and B2R.", &S::special_register_cycles);
  cycles("instructions.constant_cycles", "LDC that hits the constant cache.", &S::constant_cycles);
  cycles("instructions.local_cycles", "LDL: local memory is taken to hit L1.", &S::local_cycles);
  cycles("instructions.arithmetic_cycles",
         "The main pipes, issue to the issue of what needs the result: traces say nothing of it, listings do.",
         &S::arithmetic_cycles);
  cycles("instructions.tensor_cycles", "The same for the tensor cores: HMMA, IMMA, BMMA.", &S::tensor_cycles);
}

void describe_execution(SchemaBuilder& t) {
  using S = SassSpec;
  // Address 0 stays outside of the windows, so that a null pointer names neither shared nor local memory.
  constexpr Range<std::uint64_t> kBelowData{kWindowBytes, kFirstVirtualAddress - kWindowBytes};
  t.count("instructions.budget", {1, 1'000'000'000'000}, "instructions",
          "A warp that has issued more is taken to loop for ever: the kernel fails.",
          {at(&Config::sass, &S::instruction_budget)});
  t.count("instructions.spin_patience", {1, 1U << 20}, "jumps",
          "Jumps back after which the other threads of a warp no longer wait for the jumping ones.",
          {at(&Config::sass, &S::spin_patience)});
  t.address("instructions.shared_window", kBelowData, "Generic address of shared memory, below those of data.",
            {at(&Config::sass, &S::shared_window)});
  t.address("instructions.local_window", kBelowData, "Generic address of local memory, below those of data.",
            {at(&Config::sass, &S::local_window)});
}

}  // namespace

void describe_sm(SchemaBuilder& t) {
  describe_schedulers(t);
  describe_limits(t);
  describe_exit(t);
  describe_fences(t);
  describe_latencies(t);
  describe_execution(t);
}

}  // namespace gputlm
