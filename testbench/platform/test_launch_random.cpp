// SPDX-License-Identifier: Apache-2.0
//
// Random commands on several streams at once, each stream on buffers of its own, against what a host computes.
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "hosted_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr std::uint32_t kWords = 4096, kArrays = 3;

/// A stream, its arrays on the card, and what must be in them when all that was queued has ended.
class Client {
 public:
  Client(HostedBench& bench, StreamId stream, unsigned seed) : bench_(bench), stream_(stream), random_(seed) {
    for (Array& a : arrays_) {
      a.expected = some_floats(kWords, 0.25F * static_cast<float>(1 + random_() % 16));
      a.address = bench.upload(a.expected);
    }
    host_ = bench.pin(std::vector<float>(kWords));
  }

  void queue_command() {
    Array &x = pick(), &y = pick();
    switch (&x == &y ? random_() % 2 : random_() % 7) {
      case 0:
        return fill(x);
      case 1:
        return through_host(x);
      case 2:
        return add(x, y);
      case 3:
        return saxpy(x, y);
      case 4:
        return copy(x, y);
      case 5:
        return vectors(x, y);
      default:
        return sum(x, y);
    }
  }

  void check() {
    for (const Array& a : arrays_) {
      const auto seen = bench_.download<float>(a.address, kWords);
      for (std::size_t n = 0; n < kWords; ++n)
        BOOST_REQUIRE_MESSAGE(seen[n] == a.expected[n],
                              "stream " << stream_ << ", word " << n << ": " << seen[n] << ", not " << a.expected[n]);
    }
  }

 private:
  struct Array {
    std::uint64_t address = 0;
    std::vector<float> expected;
  };

  Array& pick() { return arrays_[random_() % kArrays]; }
  /// A block of 32 to 256 threads, and as many blocks as cover the array.
  std::uint32_t block() { return 32U << random_() % 4; }
  int some_count() { return static_cast<int>(1 + random_() % kWords); }
  void launch(const char* kernel, std::uint32_t threads, std::uint32_t block, const Parameters& parameters,
              std::uint32_t shared = 0) {
    bench_.cuda.launch(stream_, bench_.launch_of(kernel, (threads + block - 1) / block, block, parameters, shared));
  }

  void fill(Array& x) {
    const int n = some_count();
    const auto first = std::uint32_t{0x40000000} + static_cast<std::uint32_t>(random_() % 1000);
    launch("fill", kWords, block(), Parameters() << x.address << first << n);
    for (int i = 0; i < n; ++i) {
      const std::uint32_t bits = first + static_cast<std::uint32_t>(i);
      std::memcpy(&x.expected[static_cast<std::size_t>(i)], &bits, sizeof bits);
    }
  }
  // To the host and back, a little further on.
  void through_host(Array& x) {
    const std::uint32_t from = random_() % kWords, n = 1 + random_() % (kWords - from),
                        to = random_() % (kWords - n + 1);
    bench_.cuda.memcpy(stream_, host_.address + 4 * to, x.address + 4 * from, 4 * n);
    bench_.cuda.memcpy(stream_, x.address + 4 * to, host_.address + 4 * to, 4 * n);
    const std::vector<float> before = x.expected;
    std::copy_n(before.begin() + from, n, x.expected.begin() + to);
  }
  void add(Array& x, Array& y) {
    const int n = some_count();
    launch("vadd", kWords, block(), Parameters() << x.address << y.address << y.address << n);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) y.expected[i] += x.expected[i];
  }
  void saxpy(Array& x, Array& y) {
    const int n = some_count();
    const float a = 0.5F;
    launch("saxpy_shared", kWords, 256, Parameters() << x.address << y.address << a << n, 1024U << random_() % 5);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      const std::size_t mirrored = i / 256 * 256 + 255 - i % 256;
      y.expected[i] = std::fma(mirrored < static_cast<std::size_t>(n) ? x.expected[mirrored] : 0.0F, a, y.expected[i]);
    }
  }
  void copy(Array& x, Array& y) {
    const std::uint32_t n = 1 + random_() % kWords;
    bench_.cuda.memcpy(stream_, y.address, x.address, 4 * n);
    std::copy_n(x.expected.begin(), n, y.expected.begin());
  }
  void vectors(Array& x, Array& y) {
    const int n = 1 + static_cast<int>(random_() % (kWords / 4));
    launch("copy4", kWords / 4, block(), Parameters() << x.address << y.address << n);
    std::copy_n(x.expected.begin(), 4 * n, y.expected.begin());
  }
  void sum(Array& x, Array& y) {
    const int n = some_count();
    const std::uint32_t threads = 256;
    launch("grid_stride_sum", threads, block(), Parameters() << x.address << y.address << n);
    for (std::size_t t = 0; t < threads; ++t) {
      float all = 0;
      for (std::size_t i = t; i < static_cast<std::size_t>(n); i += threads) all += x.expected[i];
      y.expected[t] = all;
    }
  }

  HostedBench& bench_;
  const StreamId stream_;
  std::mt19937 random_;
  std::array<Array, kArrays> arrays_;
  HostBuffer host_;
};

void streams_do_not_disturb_each_other(const char* config, unsigned seed, int rounds) {
  HostedBench bench(config);
  std::vector<Client> clients;
  for (unsigned n = 0; n < 4; ++n)
    clients.emplace_back(bench, n == 0 ? 0 : bench.cuda.create_stream(8), 100 * seed + n);
  for (int round = 0; round < rounds; ++round)
    for (Client& client : clients) client.queue_command();
  bench.cuda.synchronize();
  for (Client& client : clients) client.check();
  BOOST_TEST(bench.cuda.errors().empty());
  BOOST_TEST(bench.problems() == "");
}

}  // namespace

BOOST_AUTO_TEST_CASE(streams_on_two_sms_do_not_disturb_each_other) {
  streams_do_not_disturb_each_other("tiny", 1, 60);
}

BOOST_AUTO_TEST_CASE(nor_with_other_commands) {
  streams_do_not_disturb_each_other("tiny", 2, 60);
}

BOOST_AUTO_TEST_CASE(nor_on_the_whole_card) {
  streams_do_not_disturb_each_other("rtx4090", 3, 25);
}
