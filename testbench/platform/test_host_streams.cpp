// SPDX-License-Identifier: Apache-2.0
//
// Streams, events, kernels on the host's memory, and L1 beside shared memory.
#include "gputlm/test_support/sc_test.h"

#include <numeric>

#include "tiny_bench.h"

using namespace gputlm;
using namespace gputlm::test;

// -- Streams ---------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(streams_run_side_by_side) {
  Tiny t;
  const StreamId other = t.cuda.create_stream();
  const std::uint64_t in = t.upload(some_floats(4096, 1)), out = t.cuda.malloc(4096), out2 = t.cuda.malloc(4096);
  const auto sum = [&](std::uint64_t to) {
    return t.cuda.prepare(t.launch_of("grid_stride_sum", 1, 32, Parameters() << in << to << 4096));
  };
  const PreparedLaunch one = sum(out), two = sum(out2);
  const Ticket a = t.cuda.launch(0, one), b = t.cuda.launch(other, two);
  t.cuda.synchronize();
  const LaunchTimes &x = t.cuda.times(a).launch, &y = t.cuda.times(b).launch;
  BOOST_TEST(x.first_block < y.last_retired);
  BOOST_TEST(y.first_block < x.last_retired);
  BOOST_TEST(t.download<float>(out, 32) == t.download<float>(out2, 32));
  BOOST_TEST(t.problems() == "");
}

// A kernel that has loads and stores under way all the time must not hold up who has nothing to do with it.
BOOST_AUTO_TEST_CASE(copies_and_kernels_end_while_a_long_kernel_of_another_stream_stores) {
  Tiny t;
  const StreamId copies = t.cuda.create_stream(), kernels = t.cuda.create_stream();
  constexpr int kCount = 1 << 20;
  const std::uint64_t in = t.upload(some_floats(256, 1)), out = t.cuda.malloc(4 * kCount), sums = t.cuda.malloc(4096);
  const HostBuffer host = t.cuda.host_malloc(1024);
  const PreparedLaunch one = t.cuda.prepare(t.launch_of("grid_stride_sum", 1, 32, Parameters() << in << sums << 256));
  const PreparedLaunch endless = t.cuda.prepare(t.launch_of("fill", kCount / 32, 32, fill_parameters(out, 1, kCount)));
  t.cuda.synchronize();
  const Ticket brief = t.cuda.launch(kernels, one), lengthy = t.cuda.launch(0, endless);
  Ticket copy;
  for (int n = 0; n < 3; ++n) copy = t.cuda.memcpy(copies, host.address, in, 1024);
  t.cuda.synchronize();
  const LaunchTimes &x = t.cuda.times(brief).launch, &y = t.cuda.times(lengthy).launch;
  BOOST_TEST(x.last_retired > y.first_block);
  BOOST_TEST(t.cuda.times(brief).seen < y.last_retired);
  BOOST_TEST(t.cuda.times(copy).copy_end > y.first_block);
  BOOST_TEST(t.cuda.times(copy).seen < y.last_retired);
  BOOST_TEST(t.problems() == "");
}

BOOST_AUTO_TEST_CASE(commands_of_a_stream_run_in_order) {
  Tiny t;
  const std::uint64_t out = t.cuda.malloc(4096), copy = t.cuda.malloc(4096);
  const Ticket a = t.cuda.launch(0, t.launch_of("fill", 4, 256, fill_parameters(out, 1, 1024)));
  const Ticket b = t.cuda.memcpy(0, copy, out, 4096);
  const Ticket c = t.cuda.launch(0, t.launch_of("fill", 4, 256, fill_parameters(out, 2, 1024)));
  BOOST_TEST(!t.cuda.reached(a));
  t.cuda.synchronize(a);
  BOOST_TEST(t.cuda.reached(a));
  BOOST_TEST(!t.cuda.reached(c));
  t.cuda.synchronize();
  BOOST_TEST(t.cuda.times(a).launch.released <= t.cuda.times(b).copy_start);
  BOOST_TEST(t.cuda.times(b).copy_end <= t.cuda.times(c).launch.received);
  BOOST_TEST(t.cuda.times(c).seen != kNever);
  BOOST_TEST(t.download<std::uint32_t>(copy, 1024) == counted(1, 1024));
  BOOST_TEST(t.download<std::uint32_t>(out, 1024) == counted(2, 1024));
  BOOST_TEST(t.problems() == "");
}

BOOST_AUTO_TEST_CASE(an_event_orders_one_stream_behind_another) {
  Tiny t;
  const StreamId other = t.cuda.create_stream();
  const std::uint64_t in = t.upload(some_floats(8192, 1)), out = t.cuda.malloc(4096), copy = t.cuda.malloc(4096);
  t.cuda.launch(0, t.launch_of("grid_stride_sum", 1, 32, Parameters() << in << out << 8192));
  const Ticket event = t.cuda.record(0);
  t.cuda.wait_for(other, event);
  const Ticket behind = t.cuda.memcpy(other, copy, out, 128);
  t.cuda.synchronize(other);
  BOOST_TEST(t.cuda.reached(event));
  BOOST_TEST(t.cuda.times(event).seen <= t.cuda.times(behind).copy_start);
  BOOST_TEST(t.download<float>(copy, 32) == t.download<float>(out, 32));
  BOOST_TEST(t.problems() == "");
}

BOOST_AUTO_TEST_CASE(a_ring_of_four_entries_takes_any_number_of_launches) {
  Tiny t;
  const StreamId small = t.cuda.create_stream(4);
  const std::uint64_t out = t.cuda.malloc(4096);
  for (std::uint32_t n = 0; n < 25; ++n)
    t.cuda.launch(small, t.launch_of("fill", 1, 32, fill_parameters(out + 128 * n, 1000 * n, 32)));
  t.cuda.synchronize();
  BOOST_CHECK_THROW(t.cuda.create_stream(1), DriverError);  // it could never take an entry
  for (std::uint32_t n = 0; n < 25; ++n)
    BOOST_TEST(t.download<std::uint32_t>(out + 128 * n, 32) == counted(1000 * n, 32), "launch " << n);
  BOOST_TEST(t.cuda.errors().empty());
  BOOST_TEST(t.problems() == "");
}

BOOST_AUTO_TEST_CASE(constant_banks_are_used_again_only_when_nothing_reads_them) {
  Tiny t;
  const std::uint64_t out = t.cuda.malloc(16384);
  constexpr std::uint32_t kLaunches = 100;  // of 32 KiB of constants each: more than a page holds
  for (std::uint32_t n = 0; n < kLaunches; ++n) {
    KernelLaunch launch = t.launch_of("fill", 1, 32, fill_parameters(out + 128 * n, 1000 * n, 32));
    launch.parameters.resize(32000);
    t.cuda.launch(0, std::move(launch));
  }
  t.cuda.synchronize();
  for (std::uint32_t n = 0; n < kLaunches; ++n)
    BOOST_TEST(t.download<std::uint32_t>(out + 128 * n, 32) == counted(1000 * n, 32), "launch " << n);
  BOOST_TEST(t.problems() == "");
}

// -- Memory of the host ----------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_kernel_reads_and_writes_pinned_memory_over_pcie) {
  Tiny t;
  constexpr int kCount = 1000;
  const auto x = some_floats(kCount, 0.5F), y = some_floats(kCount, 2);
  const HostBuffer a = t.pin(x), c = t.pin(std::vector<float>(1024, -1));
  const std::uint64_t b = t.upload(y);
  t.run("vadd", 8, 128, Parameters() << a.address << b << c.address << kCount);
  const auto sums = t.pinned<float>(c);
  for (std::size_t n = 0; n < 1024; ++n) BOOST_REQUIRE_EQUAL(sums[n], n < kCount ? x[n] + y[n] : -1);
  BOOST_TEST(t.problems() == "");
}

namespace {

/// Notes what data were there when a flag in the host's memory became 1.
struct FlagWatch : SystemMemoryObserver {
  FlagWatch(HostedBench& bench, const HostBuffer& data, const HostBuffer& flag)
      : bench_(bench), data_(data), flag_(flag), next_(bench.machine.host.memory.observer) {
    bench.machine.host.memory.observer = this;
  }
  ~FlagWatch() override { bench_.machine.host.memory.observer = next_; }
  void on_device_write(std::uint64_t line, ByteMask bytes) override {
    if (line == line_of(flag_.physical) && bench_.pinned<int>(flag_)[0] == 1 && seen.empty())
      seen = bench_.pinned<int>(data_);
    next_->on_device_write(line, bytes);
  }

  std::vector<int> seen;

 private:
  HostedBench& bench_;
  const HostBuffer data_, flag_;
  SystemMemoryObserver* const next_;
};

}  // namespace

// A copy keeps the link busy, so the data wait for their turn on it; membar.sys waits for them.
BOOST_AUTO_TEST_CASE(data_are_in_the_hosts_memory_when_the_flag_behind_membar_sys_is) {
  Tiny t;
  const StreamId other = t.cuda.create_stream();
  constexpr std::uint32_t kBusy = 1U << 20U;
  const std::uint64_t source = t.cuda.malloc(kBusy);
  const HostBuffer sink = t.cuda.host_malloc(kBusy);
  const HostBuffer data = t.pin(std::vector<int>(32, -1)), flag = t.pin(std::vector<int>(1));
  FlagWatch watch(t, data, flag);
  const PreparedLaunch fence =
      t.cuda.prepare(t.launch_of("system_fence", 1, 32, Parameters() << data.address << flag.address));
  t.cuda.memcpy(other, sink.address, source, kBusy);
  const Ticket kernel = t.cuda.launch(0, fence);
  t.cuda.synchronize();
  std::vector<int> expected(32);
  std::iota(expected.begin(), expected.end(), 0);
  BOOST_TEST(watch.seen == expected);
  const LaunchTimes& times = t.cuda.times(kernel).launch;
  const Fs alone = t.machine.gpu.config().host.ordering_round_trip;
  BOOST_TEST(times.last_retired - times.first_block > alone);
  BOOST_TEST(times.barrier_done - times.last_retired >= alone);
  BOOST_TEST(t.problems() == "");
}

// -- L1 --------------------------------------------------------------------------------------------------------------

namespace {

/// Sets of an SM's L1 that hold a line in the way.
unsigned filled_sets(const HostedBench& t, unsigned sm, unsigned way) {
  const L1Spec& spec = t.machine.gpu.config().l1;
  unsigned filled = 0;
  for (unsigned set = 0; set < spec.sets; ++set) filled += t.machine.gpu.sms[sm]->l1.slot(set, way).has_value() ? 1 : 0;
  return filled;
}

}  // namespace

// Six blocks of 1 KiB and the system's share take 12 KiB of shared memory: a carve-out of 16 KiB, and one way of four.
BOOST_AUTO_TEST_CASE(shared_memory_takes_a_way_of_l1_until_a_kernel_without_it_comes) {
  Tiny t;
  constexpr std::size_t kCount = 1 << 17;
  const unsigned sets = t.machine.gpu.config().l1.sets;
  const std::uint64_t x = t.upload(some_floats(kCount, 1)), y = t.upload(some_floats(kCount, 1));
  t.run("saxpy_shared", kCount / 256, 256, Parameters() << x << y << 2.0F << static_cast<int>(kCount), 1024);
  for (unsigned sm = 0; sm < 2; ++sm) {
    BOOST_TEST(filled_sets(t, sm, 2) == sets);
    BOOST_TEST(filled_sets(t, sm, 3) == 0U);
  }
  t.run("grid_stride_sum", 2, 256, Parameters() << x << y << static_cast<int>(kCount));
  for (unsigned sm = 0; sm < 2; ++sm) BOOST_TEST(filled_sets(t, sm, 3) == sets);
  BOOST_TEST(t.problems() == "");
}
