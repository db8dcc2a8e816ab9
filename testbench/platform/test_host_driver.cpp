// SPDX-License-Identifier: Apache-2.0
//
// What a program on the host gets from the driver: memory and copies, and how they meet the caches.
#include "gputlm/test_support/sc_test.h"

#include <algorithm>

#include "gputlm/hostformats/copy_methods.h"
#include "tiny_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

std::vector<unsigned char> some_bytes(std::size_t count, unsigned salt) {
  std::vector<unsigned char> bytes(count);
  for (std::size_t n = 0; n < count; ++n) bytes[n] = static_cast<unsigned char>(n * 37 + n / 251 + salt);
  return bytes;
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
  t.cuda.memcpy(buffer, background.data(), background.size());
  auto expected = background;
  unsigned salt = 11;
  for (const auto& [offset, bytes] :
       {std::pair{0U, 1U}, {1U, 127U}, {127U, 2U}, {129U, 255U}, {1000U, 4097U}, {8191U, 257U}, {20001U, 33333U}}) {
    const auto data = some_bytes(bytes, ++salt);
    t.cuda.memcpy(buffer + offset, data.data(), data.size());
    std::copy(data.begin(), data.end(), expected.begin() + offset);
    std::vector<unsigned char> back(bytes);
    t.cuda.memcpy(back.data(), buffer + offset, bytes);
    BOOST_TEST((back == data), "offset " << offset << ", " << bytes << " bytes");
  }
  BOOST_TEST((t.download<unsigned char>(buffer, 65536) == expected));
  BOOST_TEST(t.problems() == "");
}

BOOST_AUTO_TEST_CASE(device_memory_is_copied_to_device_memory) {
  Tiny t;
  const auto data = some_bytes(10000, 1);
  const std::uint64_t from = t.upload(data), to = t.upload(std::vector<unsigned char>(10002, 0xcc));
  t.cuda.synchronize(t.cuda.memcpy(0, to + 1, from, 10000));
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
  const Ticket last = t.cuda.memcpy(0, HostDriver::kDeviceVirtual, HostDriver::kHostVirtual, 5 * kGiB);
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
