// SPDX-License-Identifier: Apache-2.0
//
// Every kernel of the shipped listing on flat memory, against plain C++.
#include <algorithm>
#include <numeric>

#include "sass_bench.h"

using namespace gputlm;
using namespace gputlm::sass_test;

namespace {

constexpr std::uint64_t kA = FlatMachine::kBase, kB = kA + 0x20000, kC = kA + 0x40000;
constexpr std::size_t kOffsetB = 0x20000, kOffsetC = 0x40000;

struct Run : FlatMachine {
  Run(std::uint32_t grid, std::uint32_t block) : FlatMachine(0x60000) {
    launch.grid.x = grid;
    launch.block.x = block;
    std::fill(memory.begin(), memory.end(), 0xcc);
  }
  void kernel(const char* name, const Parameters& parameters) {
    static const SassListing listing = read_listing(GPUTLM_KERNELS "/kernels.sm_89.sass");
    const SassCode code(listing, listing.kernel(name));
    BOOST_TEST(parameters.bytes().size() >= code.parameter_bytes());
    run(code, parameters);
    BOOST_TEST(faults.empty());
    BOOST_TEST(out_of_range == 0U);
  }
};

std::vector<float> some_floats(std::size_t count, float step) {
  std::vector<float> values(count);
  for (std::size_t n = 0; n < count; ++n) values[n] = step * static_cast<float>(n % 97) - 3.0F;
  return values;
}

}  // namespace

BOOST_AUTO_TEST_CASE(vadd_adds_and_leaves_what_is_past_n_alone) {
  Run m(5, 256);
  const auto a = some_floats(1200, 0.5F), b = some_floats(1200, 1.25F);
  m.write(0, a);
  m.write(kOffsetB, b);
  m.kernel("vadd", Parameters() << kA << kB << kC << 1111);
  const auto c = m.read<float>(kOffsetC, 1111);
  for (std::size_t n = 0; n < c.size(); ++n) BOOST_REQUIRE_EQUAL(c[n], a[n] + b[n]);
  BOOST_TEST(m.read<std::uint32_t>(kOffsetC + 4 * 1111, 1)[0] == 0xccccccccU);
}

BOOST_AUTO_TEST_CASE(fill_counts_from_the_value_given) {
  Run m(3, 128);
  m.kernel("fill", Parameters() << kA << std::uint32_t{0xfffffff0} << 300);
  const auto out = m.read<std::uint32_t>(0, 301);
  for (std::uint32_t n = 0; n < 300; ++n) BOOST_REQUIRE_EQUAL(out[n], 0xfffffff0U + n);
  BOOST_TEST(out[300] == 0xccccccccU);
}

BOOST_AUTO_TEST_CASE(fill_bytes_writes_one_byte_of_each_sector) {
  Run m(2, 64);
  m.kernel("fill_bytes", Parameters() << kA << 100);
  for (std::size_t n = 0; n < 128 * 32; ++n) {
    const bool written = n % 32 == 0 && n / 32 < 100;
    BOOST_REQUIRE_EQUAL(m.memory[n], written ? static_cast<unsigned char>(n / 32) : 0xcc);
  }
}

BOOST_AUTO_TEST_CASE(copy4_moves_sixteen_bytes_a_thread) {
  Run m(2, 96);
  std::vector<std::uint32_t> in(4 * 192);
  std::iota(in.begin(), in.end(), 7U);
  m.write(0, in);
  m.kernel("copy4", Parameters() << kA << kB << 150);
  const auto out = m.read<std::uint32_t>(kOffsetB, 4 * 150 + 1);
  for (std::size_t n = 0; n < 600; ++n) BOOST_REQUIRE_EQUAL(out[n], in[n]);
  BOOST_TEST(out[600] == 0xccccccccU);
}

BOOST_AUTO_TEST_CASE(grid_stride_sum_adds_in_the_order_of_its_loop) {
  Run m(2, 64);
  const int n = 1003;
  const auto in = some_floats(1003, 0.37F);
  m.write(0, in);
  m.kernel("grid_stride_sum", Parameters() << kA << kB << n);
  const auto out = m.read<float>(kOffsetB, 128);
  for (int t = 0; t < 128; ++t) {
    float sum = 0;
    for (int i = t; i < n; i += 128) sum += in[static_cast<std::size_t>(i)];
    BOOST_REQUIRE_EQUAL(out[static_cast<std::size_t>(t)], sum);
  }
}

BOOST_AUTO_TEST_CASE(the_consumer_sees_what_the_producer_wrote_ahead_of_its_flag) {
  for (const std::uint32_t block : {1U, 32U, 48U}) {
    Run m(2, block);
    std::fill(m.memory.begin(), m.memory.end(), 0);
    m.kernel("producer_consumer", Parameters() << kA << kB << kC);
    BOOST_TEST(m.read<int>(kOffsetC, 1)[0] == 42);
    BOOST_TEST(m.read<int>(0, 1)[0] == 1);
  }
}

BOOST_AUTO_TEST_CASE(fences_come_with_their_scope_between_data_and_flag) {
  using Kind = WarpInstruction::Kind;
  for (const auto& [name, scope] : {std::pair{"system_fence", Scope::sys}, std::pair{"block_fence", Scope::cta}}) {
    Run m(1, 32);
    m.kernel(name, Parameters() << kA << kB);
    BOOST_TEST(m.read<int>(kOffsetB, 1)[0] == 1);
    for (int t = 0; t < 32; ++t) BOOST_TEST(m.read<int>(0, 32)[static_cast<std::size_t>(t)] == t);
    std::vector<const WarpInstruction*> order;
    for (const WarpInstruction& i : m.trace)
      if (i.kind == Kind::memory || i.kind == Kind::fence) order.push_back(&i);
    BOOST_REQUIRE(order.size() == 3U);
    BOOST_TEST((order[0]->operation == Operation::store && order[0]->semantics == Semantics::weak));
    BOOST_TEST((order[1]->kind == Kind::fence && order[1]->scope == scope));
    BOOST_TEST((order[1]->semantics == Semantics::seq_cst));
    BOOST_TEST((order[2]->operation == Operation::store && order[2]->semantics == Semantics::relaxed));
    BOOST_TEST((order[2]->scope == Scope::sys));
  }
}

BOOST_AUTO_TEST_CASE(every_ticket_is_drawn_once) {
  Run m(6, 96);
  m.write(0, std::vector<std::uint32_t>{1000});
  m.kernel("ticket", Parameters() << kA << kB);
  auto tickets = m.read<std::uint32_t>(kOffsetB, 576);
  // Within a warp they ascend with the lanes.
  for (std::size_t n = 0; n < 576; ++n)
    if (n % 32 != 0) BOOST_REQUIRE_EQUAL(tickets[n], tickets[n - 1] + 1);
  std::sort(tickets.begin(), tickets.end());
  for (std::uint32_t n = 0; n < 576; ++n) BOOST_REQUIRE_EQUAL(tickets[n], 1000 + n);
  BOOST_TEST(m.read<std::uint32_t>(0, 1)[0] == 1576U);
}

BOOST_AUTO_TEST_CASE(saxpy_reads_its_block_backwards_through_shared_memory) {
  Run m(3, 256);
  m.launch.shared_bytes = 1024;
  const int n = 700;
  const auto x = some_floats(768, 0.25F), y = some_floats(768, 0.75F);
  m.write(0, x);
  m.write(kOffsetB, y);
  m.kernel("saxpy_shared", Parameters() << kA << kB << 1.5F << n);
  const auto out = m.read<float>(kOffsetB, 768);
  for (int i = 0; i < 768; ++i) {
    const int mirrored = i / 256 * 256 + 255 - i % 256;
    const float t = mirrored < n ? x[static_cast<std::size_t>(mirrored)] : 0.0F;
    const auto at = static_cast<std::size_t>(i);
    BOOST_REQUIRE_EQUAL(out[at], i < n ? std::fma(t, 1.5F, y[at]) : y[at]);
  }
}

BOOST_AUTO_TEST_CASE(a_kernel_needs_the_parameters_it_reads) {
  const SassListing listing = read_listing(GPUTLM_KERNELS "/kernels.sm_89.sass");
  BOOST_TEST(SassCode(listing, listing.kernel("vadd")).parameter_bytes() == 28U);
  BOOST_TEST(SassCode(listing, listing.kernel("ticket")).parameter_bytes() == 16U);
  BOOST_TEST(SassCode(listing, listing.kernel("vadd")).registers() == 10U);
}
