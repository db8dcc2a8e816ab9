// SPDX-License-Identifier: Apache-2.0
//
// What a program on the host gets from the driver: memory, copies, streams and events, and how they meet the caches.
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <numeric>

#include "gputlm/hostformats/copy_methods.h"
#include "hosted_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

struct Tiny : HostedBench {
  explicit Tiny(const std::vector<std::string>& overrides = {}) : HostedBench("tiny", overrides) {}

  std::uint64_t dram_read() const { return machine.gpu.mem.dram_bytes().read; }
  std::uint64_t page() const { return machine.gpu.config().mmu.page_bytes; }
};

std::vector<unsigned char> some_bytes(std::size_t count, unsigned salt) {
  std::vector<unsigned char> bytes(count);
  for (std::size_t n = 0; n < count; ++n) bytes[n] = static_cast<unsigned char>(n * 37 + n / 251 + salt);
  return bytes;
}

std::vector<std::uint32_t> counted(std::uint32_t first, std::size_t count) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

Parameters fill_parameters(std::uint64_t out, std::uint32_t value, int count) {
  return Parameters() << out << value << count;
}

}  // namespace

// -- Memory ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(device_memory_is_mapped_in_pages_and_given_out_again) {
  Tiny t;
  const PageTable& pages = t.machine.gpu.pages;
  const std::uint64_t a = t.cuda.malloc(1), b = t.cuda.malloc(t.page() + 1), c = t.cuda.malloc(1);
  BOOST_TEST(pages.translate(a).has_value());
  BOOST_TEST(b - a == t.page());
  BOOST_TEST(c - b == 2 * t.page());
  BOOST_TEST(pages.translate(b + 2 * t.page() - 1).has_value());
  t.cuda.free(b);
  BOOST_TEST(!pages.translate(b).has_value());
  BOOST_TEST(t.cuda.malloc(2 * t.page()) == b);
  BOOST_CHECK_THROW(t.cuda.free(b + 1), DriverError);
  t.cuda.free(a);
  BOOST_CHECK_THROW(t.cuda.free(a), DriverError);
}

BOOST_AUTO_TEST_CASE(what_there_is_no_memory_for_is_refused_and_costs_nothing) {
  Tiny t;
  const std::uint64_t all = t.machine.gpu.config().memory_bytes(), first = t.cuda.malloc(1);
  BOOST_CHECK_THROW(t.cuda.malloc(all), DriverError);
  BOOST_CHECK_THROW(t.cuda.malloc(0), DriverError);
  for (int n = 0; n < 4; ++n) BOOST_CHECK_THROW(t.cuda.malloc(std::uint64_t{150} << 30U), DriverError);
  BOOST_TEST(t.cuda.malloc(all - t.page()) == first + t.page());
  BOOST_CHECK_THROW(t.cuda.host_malloc(t.machine.host.memory.capacity()), DriverError);
  BOOST_CHECK_THROW(t.cuda.host_malloc(0), DriverError);
  const HostBuffer one = t.cuda.host_malloc(5000);
  t.cuda.host_free(one);
  BOOST_TEST(t.cuda.host_malloc(8192).address == one.address);
}

BOOST_AUTO_TEST_CASE(a_page_that_was_freed_is_not_reached_through_a_stale_translation) {
  Tiny t;
  const std::uint64_t keep = t.cuda.malloc(4096), gone = t.cuda.malloc(4096);
  t.run("fill", 8, 32, fill_parameters(gone, 1, 256));
  t.cuda.free(gone);
  const Ticket ticket = t.cuda.launch(0, t.launch_of("fill", 8, 32, fill_parameters(gone, 2, 256)));
  BOOST_CHECK_THROW(t.cuda.synchronize(ticket), DriverError);
  BOOST_TEST(t.cuda.errors().size() == 1U);
  BOOST_TEST(t.machine.gpu.pages.translate(keep).has_value());
}

// -- Copies ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(odd_sizes_and_offsets_come_back_as_they_went) {
  Tiny t;
  const std::uint64_t buffer = t.cuda.malloc(65536);
  const auto background = some_bytes(65536, 3);
  t.cuda.upload(buffer, background.data(), background.size());
  auto expected = background;
  unsigned salt = 11;
  for (const auto& [offset, bytes] :
       {std::pair{0U, 1U}, {1U, 127U}, {127U, 2U}, {129U, 255U}, {1000U, 4097U}, {8191U, 257U}, {20001U, 33333U}}) {
    const auto data = some_bytes(bytes, ++salt);
    t.cuda.upload(buffer + offset, data.data(), data.size());
    std::copy(data.begin(), data.end(), expected.begin() + offset);
    std::vector<unsigned char> back(bytes);
    t.cuda.download(back.data(), buffer + offset, bytes);
    BOOST_TEST((back == data), "offset " << offset << ", " << bytes << " bytes");
  }
  BOOST_TEST((t.download<unsigned char>(buffer, 65536) == expected));
  BOOST_TEST(t.problems() == "");
}

BOOST_AUTO_TEST_CASE(device_memory_is_copied_to_device_memory) {
  Tiny t;
  const auto data = some_bytes(10000, 1);
  const std::uint64_t from = t.upload(data), to = t.upload(std::vector<unsigned char>(10002, 0xcc));
  t.cuda.synchronize(t.cuda.copy(0, to + 1, from, 10000));
  auto expected = data;
  expected.insert(expected.begin(), 0xcc);
  expected.push_back(0xcc);
  BOOST_TEST((t.download<unsigned char>(to, 10002) == expected));
  BOOST_TEST(t.problems() == "");
}

BOOST_AUTO_TEST_CASE(a_copy_too_long_for_its_register_is_queued_in_parts) {
  Tiny t;
  PushbufferDump dump;
  t.cuda.keep(dump);
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;
  const Ticket last = t.cuda.copy(0, HostDriver::kDeviceVirtual, HostDriver::kHostVirtual, 5 * kGiB);
  BOOST_TEST(last.value == 3U);
  std::uint64_t bytes = 0;
  for (const DumpRecord& record : dump.records) {
    if (!std::holds_alternative<DumpEntry>(record)) continue;
    const auto& words = std::get<DumpEntry>(record).words;
    const auto burst = PushbufferWriter().incrementing(4, copy_method::line_length_in, {0, 1}).take();
    const auto at = std::find(words.begin(), words.end(), burst[0]);
    BOOST_TEST_REQUIRE((at != words.end()));
    bytes += at[1];
  }
  BOOST_TEST(bytes == 5 * kGiB);
}

BOOST_AUTO_TEST_CASE(a_result_that_is_dirty_in_l2_is_copied_without_reading_dram) {
  Tiny t;
  constexpr int kCount = 65536;
  const std::uint64_t out = t.cuda.malloc(4 * kCount);
  t.run("fill", kCount / 256, 256, fill_parameters(out, 9, kCount));
  const std::uint64_t before = t.dram_read();
  BOOST_TEST(t.machine.gpu.mem.dirty_bytes() >= 4 * kCount);
  BOOST_TEST((t.download<std::uint32_t>(out, kCount) == counted(9, kCount)));
  BOOST_TEST(t.dram_read() == before);
  BOOST_TEST(t.problems() == "");
}

BOOST_AUTO_TEST_CASE(a_flush_leaves_nothing_dirty_and_everything_in_dram) {
  Tiny t;
  constexpr int kCount = 65536;
  const std::uint64_t out = t.cuda.malloc(4 * kCount);
  t.run("fill", kCount / 256, 256, fill_parameters(out, 5, kCount));
  const std::uint64_t written = t.machine.gpu.mem.dram_bytes().written;
  t.cuda.synchronize(t.cuda.flush_l2(0));
  BOOST_TEST(t.machine.gpu.mem.dirty_bytes() == 0U);
  BOOST_TEST(t.machine.gpu.mem.dram_bytes().written >= written + 4 * kCount);
  for (const auto& slice : t.machine.gpu.mem.slices) slice->invalidate_clean();
  BOOST_TEST((t.download<std::uint32_t>(out, kCount) == counted(5, kCount)));
  BOOST_TEST(t.problems() == "");
}

// -- BAR1 ------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(the_host_reads_a_dirty_line_through_bar1_without_dram) {
  Tiny t;
  const std::uint64_t out = t.cuda.malloc(4096);
  t.run("fill", 4, 256, fill_parameters(out, 100, 1024));
  const std::uint64_t before = t.dram_read();
  const auto bytes = t.cuda.bar1_read(out + 398, 300);
  const auto values = counted(100, 1024);
  BOOST_TEST(std::equal(bytes.begin(), bytes.end(), reinterpret_cast<const unsigned char*>(values.data()) + 398));
  BOOST_TEST(bytes.size() == 300U);
  BOOST_TEST(t.dram_read() == before);
  BOOST_CHECK_THROW(t.cuda.bar1_read(0x1000, 4), DriverError);
  BOOST_CHECK_THROW(t.cuda.bar1_write(0x1000, bytes.data(), 4), DriverError);
  BOOST_TEST(t.problems() == "");
}

BOOST_AUTO_TEST_CASE(a_kernel_sees_what_the_host_wrote_through_bar1_before_the_doorbell) {
  Tiny t;
  constexpr int kCount = 96;
  const auto first = counted(1, 4 * kCount), second = counted(7000, 4 * kCount);
  const std::uint64_t in = t.upload(first), out = t.cuda.malloc(16 * kCount);
  t.run("copy4", 1, kCount, Parameters() << in << out << kCount);
  BOOST_TEST(t.download<std::uint32_t>(out, 4 * kCount) == first);
  t.cuda.bar1_write(in, second.data(), 16 * kCount);  // what L1 has of it is stale from now on
  t.run("copy4", 1, kCount, Parameters() << in << out << kCount);
  BOOST_TEST(t.download<std::uint32_t>(out, 4 * kCount) == second);
  BOOST_TEST(t.problems() == "");
}

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
  for (int n = 0; n < 3; ++n) copy = t.cuda.copy(copies, host.address, in, 1024);
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
  const Ticket b = t.cuda.copy(0, copy, out, 4096);
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
  const Ticket behind = t.cuda.copy(other, copy, out, 128);
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
  t.cuda.copy(other, sink.address, source, kBusy);
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
