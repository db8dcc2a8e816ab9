// SPDX-License-Identifier: Apache-2.0
//
// What a kernel can do wrong, and what goes on beside a stream that has failed.
#include "fault_bench.h"
#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/hostformats/pushbuffer_writer.h"
#include "gputlm/system/statistics_tree.h"

using namespace gputlm;
using namespace gputlm::test;

// -- Kernels ---------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_kernel_that_stores_to_an_address_that_is_not_mapped) {
  FaultBench m;
  m.cuda.launch(m.bad, m.launch_of("fill", 1, 32, Parameters() << kNowhere << 1U << 32));
  m.failed(kMmu, 0, "address " + hex(kNowhere) + " is not mapped");
}

BOOST_AUTO_TEST_CASE(a_kernel_that_loads_from_an_address_that_is_not_mapped) {
  FaultBench m;
  const std::uint64_t out = m.cuda.malloc(4096);
  m.cuda.launch(m.bad, m.launch_of("copy4", 1, 32, Parameters() << kNowhere << out << 32));
  m.failed(kMmu, 0, "SM 0 warp 0 instruction ");
}

BOOST_AUTO_TEST_CASE(a_kernel_that_stores_askew) {
  FaultBench m;
  const std::uint64_t out = m.cuda.malloc(4096);
  m.cuda.launch(m.bad, m.launch_of("fill", 1, 32, Parameters() << out + 2 << 1U << 32));
  m.failed(kException, 0,
           "kernel fill, CTA 0, warp 0: a global access of 4 bytes at " + hex(out + 2) +
               ", which is not aligned (at STG.E [R2.64], R5)");
}

BOOST_AUTO_TEST_CASE(an_atomic_on_the_hosts_memory) {
  FaultBench m;
  const HostBuffer counter = m.pin(std::vector<unsigned>{7});
  const std::uint64_t order = m.cuda.malloc(4096);
  m.cuda.launch(m.bad, m.launch_of("ticket", 1, 32, Parameters() << counter.address << order));
  m.failed(kMmu, 0, "address " + hex(counter.address) + " was refused");
}

BOOST_AUTO_TEST_CASE(a_kernel_that_stores_past_the_end_of_pinned_memory) {
  FaultBench m;
  m.works(0);
  m.kernel("fill");
  const HostBuffer host = m.cuda.host_malloc(4096);
  m.cuda.launch(m.bad, m.launch_of("fill", 2, 1024, Parameters() << host.address << 1U << 1025));
  m.failed(kMmu, 0, "address " + hex(host.address + 4096) + " is not mapped");
}

BOOST_AUTO_TEST_CASE(of_a_kernel_that_fails_no_further_blocks_start) {
  FaultBench m;
  m.cuda.launch(m.bad, m.launch_of("fill", 100000, 256, Parameters() << kNowhere << 1U << 25600000));
  m.failed(kMmu, 0, " is not mapped");
  StatisticSum blocks({"blocks"});
  BOOST_TEST(blocks.over(m.machine.host.distributor).total() < 10000);
}

BOOST_AUTO_TEST_CASE(a_launch_that_fails_has_the_entry_that_launched_it) {
  FaultBench m;
  const HostBuffer semaphore = m.cuda.host_malloc(16);
  m.cuda.record(m.bad);
  m.cuda.launch(m.bad, m.launch_of("fill", 1, 32, Parameters() << kNowhere << 1U << 32));
  const auto low = static_cast<std::uint32_t>(semaphore.address),
             high = static_cast<std::uint32_t>(semaphore.address >> 32U);
  for (int n = 0; n < 3; ++n)  // entries that do not wait for the launch
    m.cuda.submit(m.bad, PushbufferWriter().incrementing(0, channel_method::sem_addr_lo, {low, high, 1, 0, 1}).take());
  m.failed(kMmu, 1, " is not mapped");
}

BOOST_AUTO_TEST_CASE(warps_at_a_barrier_do_not_wait_for_one_that_has_failed) {
  FaultBench m;
  m.works(0);
  m.kernel("saxpy_shared");
  const std::uint64_t page = m.machine.gpu.config().mmu.page_bytes, x = m.cuda.malloc(page);  // nothing is behind it
  m.cuda.launch(m.bad, m.launch_of("saxpy_shared", 1, 256, Parameters() << x + page - 512 << x << 1.0F << 256, 1024));
  m.failed(kMmu, 0, " is not mapped");
}

BOOST_AUTO_TEST_CASE(a_loop_without_end_runs_out_of_its_budget) {
  FaultBench m({"instructions.budget=5000"});
  const SassListing listing = parse_listing(
      "\t\tFunction : endless\n"
      "/*0000*/ BRA 0x0; /* 0xfffffff000007947 */\n"
      "/* 0x000fc0000383ffff */\n"
      "\t\t..........\n",
      "endless.sass");
  KernelLaunch launch;
  launch.kernel = m.cuda.load(std::make_unique<SassCode>(listing, listing.kernel("endless")));
  launch.grid.x = 3;
  launch.block.x = 64;
  m.cuda.launch(m.bad, launch);
  m.failed(kException, 0, "has issued 5000 instructions, its budget: an endless loop, or a wait for what never comes");
  BOOST_TEST(m.cuda.errors()[0].reason.find("endless.sass:2: kernel endless") == 0U);
}

// -- Beside a failing one --------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(kernels_on_the_same_sms_go_on_and_their_results_are_right) {
  FaultBench m;
  const auto numbers = some_floats(20000, 0.5F);
  const std::uint64_t in = m.upload(numbers), out = m.cuda.malloc(4096);
  const PreparedLaunch good =
      m.cuda.prepare(m.launch_of("grid_stride_sum", 8, 128, Parameters() << in << out << 20000));
  const PreparedLaunch wrong =
      m.cuda.prepare(m.launch_of("grid_stride_sum", 8, 128, Parameters() << in << kNowhere << 20000));
  m.cuda.launch(m.bad, wrong);
  m.cuda.launch(0, good);
  m.cuda.synchronize(0);
  const auto sums = m.download<float>(out, 1024);
  for (std::size_t t = 0; t < 1024; ++t) {
    float sum = 0;
    for (std::size_t i = t; i < 20000; i += 1024) sum += numbers[i];
    BOOST_REQUIRE_EQUAL(sums[t], sum);
  }
  m.failed(kMmu, 0, " is not mapped");
}

BOOST_AUTO_TEST_CASE(the_page_of_constant_banks_is_used_again_although_a_stream_has_failed) {
  FaultBench m;
  m.cuda.submit(m.bad, PushbufferWriter().immediate(0, 0x24, 0).take());
  m.failed(kPushbuffer, 0, "found 0x24");
  KernelLaunch launch = m.launch_of("fill", 1, 32, Parameters() << m.cuda.malloc(128) << 1U << 32);
  launch.parameters.resize(32000);
  for (int n = 0; n < 100; ++n) BOOST_REQUIRE_NO_THROW(m.cuda.prepare(launch));
  m.works(0);
}

BOOST_AUTO_TEST_CASE(a_stream_that_waits_for_a_failed_one_fails_too_and_no_other) {
  FaultBench m({"host_engine.acquire_timeout=50us"});
  const StreamId behind = m.cuda.create_stream();
  m.cuda.launch(m.bad, m.launch_of("fill", 1, 32, Parameters() << kNowhere << 1U << 32));
  m.cuda.wait_for(behind, m.cuda.record(m.bad));
  BOOST_CHECK_THROW(m.cuda.synchronize(), DriverError);
  m.machine.settle();
  BOOST_TEST_REQUIRE(m.cuda.errors().size() == 2U);
  BOOST_TEST(m.cuda.errors()[0].channel == m.bad);
  BOOST_TEST(m.cuda.errors()[1].channel == behind);
  BOOST_TEST((m.cuda.errors()[1].kind == kTimeout));
  BOOST_TEST(m.cuda.interrupts() == 2U);
  m.works(0);
}
