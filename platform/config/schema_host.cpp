// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema_builder.h"

namespace gputlm {
namespace {

constexpr Range<double> kShare{0.01, 1};

template <class Member>
Field pcie(Member member) {
  return at(&Config::host, &HostSpec::pcie, member);
}

void describe_pcie(SchemaBuilder& t) {
  using S = PcieSpec;
  const std::string p = "host.pcie.";
  t.count(p + "lanes", {1, 32}, "lanes", "Lanes of the link.", {pcie(&S::lanes)});
  t.frequency(p + "transfer_rate", kClock, "Transfers of one bit per lane and second.", {pcie(&S::transfers_hz)});
  t.real(p + "encoding", kShare, "", "Share of the bits that is not line code.", {pcie(&S::encoding)});
  t.real(p + "usable_share", kShare, "",
         "Share of the rest that acknowledgements, flow control and ordered sets leave for packets.",
         {pcie(&S::usable_share)});
  t.count(p + "packet_overhead", {0, 256}, "bytes", "Framing, sequence number, header and checksum of a packet.",
          {pcie(&S::packet_overhead)});
  t.count(p + "max_payload", {128, 4096}, "bytes", "Data of one packet at most; a power of two.",
          {pcie(&S::max_payload)});
  t.count(p + "queue_lines", {1, kMostOfAnyQueue}, "lines",
          "Lines of a class that wait for the wire, per direction; more are held back.", {pcie(&S::queue_lines)});
  t.count(p + "posted_credits", {1, kMostOfAnyQueue}, "lines",
          "Lines of posted writes sent and not yet taken by the far side.", {pcie(&S::posted_credits)});
  t.count(p + "non_posted_credits", {1, kMostOfAnyQueue}, "lines",
          "Read requests, in lines, sent and not yet taken by the far side.", {pcie(&S::non_posted_credits)});
  t.count(p + "read_tags", {1, kMostOfAnyQueue}, "lines", "Lines that a side has asked for and not yet got.",
          {pcie(&S::read_tags)});
}

void describe_engines(SchemaBuilder& t) {
  const auto engine = [](auto member) { return at(&Config::host, &HostSpec::engine, member); };
  const auto copy = [](auto member) { return at(&Config::host, &HostSpec::copy, member); };
  const auto distributor = [](auto member) { return at(&Config::host, &HostSpec::distributor, member); };
  using E = HostEngineSpec;
  using C = CopyEngineSpec;
  using D = WorkDistributorSpec;
  t.time("host_engine.method_time", kLatency, "Decoding one word of a pushbuffer.", {engine(&E::method_time)});
  t.count("host_engine.fetch_bytes", {8, 1U << 20}, "bytes", "A pushbuffer segment is fetched in parts of this size.",
          {engine(&E::fetch_bytes)});
  t.time("host_engine.acquire_poll", {kFsPerNs, 1'000'000 * kFsPerNs},
         "A semaphore that does not yet hold is read again after this time.", {engine(&E::acquire_poll)});
  t.time("host_engine.acquire_timeout", {0, 10'000'000'000 * kFsPerNs},
         "A semaphore that does not hold after this time is a channel error.", {engine(&E::acquire_timeout)});
  t.time("distributor.launch_latency", kLatency, "From a QMD to its first block.", {distributor(&D::launch_latency)});
  t.time("distributor.block_interval", kLatency, "From a block handed out to the next.",
         {distributor(&D::block_interval)});
  t.count("copy_engine.chunk_bytes", {128, 1U << 20}, "bytes", "A copy is read and written in chunks of this size.",
          {copy(&C::chunk_bytes)});
  t.count("copy_engine.chunks_in_flight", {1, kMostOfAnyQueue}, "chunks", "Chunks read and not yet written, at most.",
          {copy(&C::chunks_in_flight)});
  t.time("copy_engine.start_latency", kLatency, "From LAUNCH_DMA to the first read.", {copy(&C::start_latency)});
}

}  // namespace

void describe_host(SchemaBuilder& t) {
  t.time("host.ordering_round_trip", kLatency,
         "System barrier to the host's ordering point and back, on an idle link: also the link's latency both ways.",
         {at(&Config::host, &HostSpec::ordering_round_trip)});
  describe_pcie(t);
  t.bytes("host.memory.capacity", {4096, std::uint64_t{1} << 46}, "The host's memory.",
          {at(&Config::host, &HostSpec::memory, &SystemMemorySpec::capacity)});
  t.time("host.memory.read_latency", kLatency, "A read request at the root complex to its data there.",
         {at(&Config::host, &HostSpec::memory, &SystemMemorySpec::read_latency)});
  describe_engines(t);
}

}  // namespace gputlm
