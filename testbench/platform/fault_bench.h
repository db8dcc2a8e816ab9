// SPDX-License-Identifier: Apache-2.0
//
// A card with its host where one stream goes wrong, and everything by which the host hears of it.
#pragma once

#include "gputlm/test_support/sc_test.h"
//
#include <cstdio>
#include <numeric>

#include "hosted_bench.h"

namespace gputlm::test {

inline constexpr auto kPushbuffer = ChannelErrorKind::pushbuffer_error, kMmu = ChannelErrorKind::mmu_fault,
                      kException = ChannelErrorKind::graphics_exception, kTimeout = ChannelErrorKind::acquire_timeout;
/// Virtual addresses that nobody has.
inline constexpr std::uint64_t kNowhere = HostDriver::kDeviceVirtual + (std::uint64_t{1} << 34U);

struct FaultBench : HostedBench {
  explicit FaultBench(const std::vector<std::string>& overrides = {})
      : HostedBench("tiny", overrides), bad(cuda.create_stream()) {}
  ~FaultBench() { BOOST_TEST(problems() == ""); }
  FaultBench(const FaultBench&) = delete;
  FaultBench& operator=(const FaultBench&) = delete;

  const StreamId bad;  ///< The stream that goes wrong; stream 0 must not notice.

  /// The bad stream has failed, for this reason and for no other, and everything has come to rest.
  void failed(ChannelErrorKind kind, std::uint32_t entry, const std::string& reason) {
    machine.settle();
    BOOST_TEST_REQUIRE(cuda.errors().size() == 1U);
    const ChannelError& e = cuda.errors()[0];
    BOOST_TEST(e.channel == bad);
    BOOST_TEST(e.entry == entry);
    BOOST_TEST((e.kind == kind));
    BOOST_TEST(e.reason.find(reason) != std::string::npos, e.reason);
    BOOST_TEST(cuda.interrupts() == 1U);
    check_notifier(e);
    BOOST_CHECK_EXCEPTION(cuda.synchronize(bad), DriverError,
                          [&](const DriverError& thrown) { return thrown.what() == e.text(); });
    BOOST_CHECK_THROW(cuda.record(bad), DriverError);
    works(0);
  }

  /// A kernel and a copy on another stream come to their ends, with the right result.
  void works(StreamId stream) {
    std::vector<std::uint32_t> expected(1000), seen(1000);
    std::iota(expected.begin(), expected.end(), 5U);
    const std::uint64_t out = cuda.malloc(4000);
    const HostBuffer host = cuda.host_malloc(4000);
    cuda.launch(stream, launch_of("fill", 4, 256, Parameters() << out << std::uint32_t{5} << 1000));
    cuda.memcpy(stream, host.address, out, 4000);
    cuda.synchronize(stream);
    cuda.host_read(host, 0, seen.data(), 4000);
    BOOST_TEST(seen == expected);
  }

 private:
  void check_notifier(const ChannelError& e) const {
    std::uint64_t ns = 0;
    std::uint32_t kind = 0;
    std::uint16_t entry = 0, status = 0;
    const HostBuffer& notifier = cuda.notifier(bad);
    cuda.host_read(notifier, 0, &ns, sizeof ns);
    cuda.host_read(notifier, kNotifierKind, &kind, sizeof kind);
    cuda.host_read(notifier, kNotifierEntry, &entry, sizeof entry);
    cuda.host_read(notifier, kNotifierStatus, &status, sizeof status);
    BOOST_TEST(ns == static_cast<std::uint64_t>(e.time / kFsPerNs));
    BOOST_TEST(kind == static_cast<std::uint32_t>(e.kind));
    BOOST_TEST(entry == static_cast<std::uint16_t>(e.entry));
    BOOST_TEST(status == kNotifierError);
  }
};

inline std::string hex(std::uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace gputlm::test
