// SPDX-License-Identifier: Apache-2.0
//
// Every kernel of the shipped listing on the whole card, launched by the driver, against plain C++.
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hosted_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

struct Card : HostedBench {
  Card() : HostedBench("rtx4090") {}
};

constexpr std::uint32_t kUntouched = 0xcccccccc;

std::vector<std::uint32_t> untouched(std::size_t count) {
  std::vector<std::uint32_t> words(count, kUntouched);
  return words;
}

}  // namespace

BOOST_AUTO_TEST_CASE(vadd_adds_and_leaves_what_is_past_n_alone) {
  Card card;
  constexpr std::size_t kCount = 100000, kRoom = 391 * 256;
  const auto x = some_floats(kRoom, 0.5F), y = some_floats(kRoom, 1.25F);
  const std::uint64_t a = card.upload(x), b = card.upload(y), c = card.upload(untouched(kRoom));
  card.run("vadd", kRoom / 256, 256, Parameters() << a << b << c << static_cast<int>(kCount));
  const auto sums = card.download<float>(c, kCount);
  for (std::size_t n = 0; n < kCount; ++n) BOOST_REQUIRE_EQUAL(sums[n], x[n] + y[n]);
  BOOST_TEST(card.download<std::uint32_t>(c + 4 * kCount, kRoom - kCount) == untouched(kRoom - kCount));
  BOOST_TEST(card.problems() == "");
}

BOOST_AUTO_TEST_CASE(fill_counts_from_the_value_given) {
  Card card;
  constexpr std::uint32_t kCount = 1000;
  const std::uint64_t out = card.upload(untouched(1024));
  card.run("fill", 8, 128, Parameters() << out << std::uint32_t{0xfffffff0} << static_cast<int>(kCount));
  const auto values = card.download<std::uint32_t>(out, 1024);
  for (std::uint32_t n = 0; n < 1024; ++n) BOOST_REQUIRE_EQUAL(values[n], n < kCount ? 0xfffffff0U + n : kUntouched);
  BOOST_TEST(card.problems() == "");
}

BOOST_AUTO_TEST_CASE(fill_bytes_writes_one_byte_of_each_sector) {
  Card card;
  constexpr std::size_t kCount = 2000;
  const std::uint64_t out = card.upload(untouched(2048 * 8));
  card.run("fill_bytes", 32, 64, Parameters() << out << static_cast<int>(kCount));
  const auto bytes = card.download<unsigned char>(out, 2048 * 32);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const bool written = n % 32 == 0 && n / 32 < kCount;
    BOOST_REQUIRE_EQUAL(bytes[n], written ? static_cast<unsigned char>(n / 32) : 0xcc);
  }
  BOOST_TEST(card.problems() == "");
}

BOOST_AUTO_TEST_CASE(copy4_moves_sixteen_bytes_a_thread) {
  Card card;
  constexpr std::size_t kCount = 20000, kRoom = 209 * 96;
  std::vector<std::uint32_t> from(4 * kRoom);
  std::iota(from.begin(), from.end(), 7U);
  const std::uint64_t in = card.upload(from), out = card.upload(untouched(4 * kRoom));
  card.run("copy4", kRoom / 96, 96, Parameters() << in << out << static_cast<int>(kCount));
  std::fill(from.begin() + 4 * kCount, from.end(), kUntouched);
  BOOST_TEST((card.download<std::uint32_t>(out, 4 * kRoom) == from));
  BOOST_TEST(card.problems() == "");
}

BOOST_AUTO_TEST_CASE(grid_stride_sum_adds_in_the_order_of_its_loop) {
  Card card;
  constexpr std::size_t kCount = 10003, kThreads = 4 * 128;
  const auto numbers = some_floats(kCount, 0.37F);
  const std::uint64_t in = card.upload(numbers), out = card.cuda.malloc(kThreads * sizeof(float));
  card.run("grid_stride_sum", 4, 128, Parameters() << in << out << static_cast<int>(kCount));
  const auto sums = card.download<float>(out, kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    float sum = 0;
    for (std::size_t i = t; i < kCount; i += kThreads) sum += numbers[i];
    BOOST_REQUIRE_EQUAL(sums[t], sum);
  }
  BOOST_TEST(card.problems() == "");
}

BOOST_AUTO_TEST_CASE(the_consumer_on_another_sm_sees_what_the_producer_wrote_ahead_of_its_flag) {
  Card card;
  const std::vector<int> zero(32);
  const std::uint64_t flag = card.upload(zero), data = card.upload(zero), seen = card.upload(zero);
  card.run("producer_consumer", 2, 32, Parameters() << flag << data << seen);
  BOOST_TEST(card.download<int>(flag, 1)[0] == 1);
  BOOST_TEST(card.download<int>(data, 1)[0] == 42);
  BOOST_TEST(card.download<int>(seen, 1)[0] == 42);
  BOOST_TEST(card.problems() == "");
}

namespace {

void stores_of_a_fence_kernel_arrive(const char* kernel) {
  Card card;
  std::vector<int> expected(256);
  std::iota(expected.begin(), expected.end(), 0);
  const std::uint64_t data = card.upload(std::vector<int>(256, -1)), flag = card.upload(std::vector<int>(1));
  card.run(kernel, 1, 256, Parameters() << data << flag);
  BOOST_TEST(card.download<int>(data, 256) == expected);
  BOOST_TEST(card.download<int>(flag, 1)[0] == 1);
  BOOST_TEST(card.problems() == "");
}

}  // namespace

BOOST_AUTO_TEST_CASE(system_fence_leaves_data_and_flag) {
  stores_of_a_fence_kernel_arrive("system_fence");
}

BOOST_AUTO_TEST_CASE(block_fence_leaves_data_and_flag) {
  stores_of_a_fence_kernel_arrive("block_fence");
}

BOOST_AUTO_TEST_CASE(every_ticket_is_drawn_once) {
  Card card;
  constexpr std::uint32_t kBlocks = 150, kBlock = 96, kTickets = kBlocks * kBlock;
  const std::uint64_t counter = card.upload(std::vector<std::uint32_t>{1000});
  const std::uint64_t order = card.cuda.malloc(kTickets * sizeof(std::uint32_t));
  card.run("ticket", kBlocks, kBlock, Parameters() << counter << order);
  auto tickets = card.download<std::uint32_t>(order, kTickets);
  std::sort(tickets.begin(), tickets.end());
  for (std::uint32_t n = 0; n < kTickets; ++n) BOOST_REQUIRE_EQUAL(tickets[n], 1000 + n);
  BOOST_TEST(card.download<std::uint32_t>(counter, 1)[0] == 1000 + kTickets);
  BOOST_TEST(card.problems() == "");
}

BOOST_AUTO_TEST_CASE(saxpy_reads_its_block_backwards_through_shared_memory) {
  Card card;
  constexpr std::size_t kCount = 40000, kRoom = 157 * 256;
  const auto xs = some_floats(kRoom, 0.25F), ys = some_floats(kRoom, 0.75F);
  const std::uint64_t x = card.upload(xs), y = card.upload(ys);
  card.run("saxpy_shared", kRoom / 256, 256, Parameters() << x << y << 1.5F << static_cast<int>(kCount), 1024);
  const auto out = card.download<float>(y, kRoom);
  for (std::size_t i = 0; i < kRoom; ++i) {
    const std::size_t mirrored = i / 256 * 256 + 255 - i % 256;
    const float t = mirrored < kCount ? xs[mirrored] : 0.0F;
    BOOST_REQUIRE_EQUAL(out[i], i < kCount ? std::fma(t, 1.5F, ys[i]) : ys[i]);
  }
  BOOST_TEST(card.problems() == "");
}
