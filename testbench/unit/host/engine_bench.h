// SPDX-License-Identifier: Apache-2.0
//
// The host engine behind a link, with the host's and the card's memory, units that note what they are asked, and a
// driver that writes channels by hand.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gputlm/host/host_engine.h"
#include "gputlm/host/little_endian.h"
#include "gputlm/hostformats/pushbuffer_writer.h"
#include "link_bench.h"

namespace gputlm::test {

inline constexpr std::uint64_t kHostBase = std::uint64_t{1} << 36;   ///< Virtual: host memory is mapped from here on.
inline constexpr std::uint64_t kCardBytes = std::uint64_t{1} << 20;  ///< Virtual: the card's memory, from 0 on.

struct FlatSpace : GpuAddressSpace {
  std::optional<GpuLocation> locate(std::uint64_t va) const override {
    if (va < kCardBytes) return GpuLocation{false, va};
    if (va >= kHostBase && va < 2 * kHostBase) return GpuLocation{true, va - kHostBase};
    return {};
  }
  std::uint64_t device_bytes() const override { return kCardBytes; }
};

/// Notes requests; the test answers them.
struct FakeUnits : ComputePort, CopyPort, MemoryOperations {
  std::vector<Qmd> launches;
  std::vector<CopyRequest> copies;
  std::vector<std::string> operations;
  std::vector<WorkDone> open;

  void launch(std::uint32_t, const Qmd& qmd, WorkDone done) override {
    launches.push_back(qmd);
    open.push_back(std::move(done));
  }
  void copy(std::uint32_t, const CopyRequest& request, WorkDone done) override {
    copies.push_back(request);
    open.push_back(std::move(done));
  }
  void membar(bool system, WorkDone done) override {
    operations.emplace_back(system ? "membar sys" : "membar gpu");
    open.push_back(std::move(done));
  }
  void flush_l2(WorkDone done) override {
    operations.emplace_back("flush");
    open.push_back(std::move(done));
  }
};

struct EngineBench : ChannelErrorObserver {
  EngineBench()
      : spec(host_spec()),
        memory("memory", spec.memory),
        card("card", {kCardBytes, 100 * kFsPerNs}),
        link("link", spec, 1, pool),
        engine("engine", engine_spec(), pool, space),
        cpu("cpu") {
    engine.dma.host.bind(*link.device[0]);
    engine.dma.device.bind(card.requests);
    cpu.out.bind(link.host);
    link.to_host.bind(memory.requests);
    link.to_device.bind(engine.doorbell);
    engine.compute = &units;
    engine.copies = &units;
    engine.memory = &units;
    engine.errors = this;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  static HostEngineSpec engine_spec() { return {1 * kFsPerNs, 4096, 1000 * kFsPerNs, 20'000 * kFsPerNs}; }
  void on_channel_error(const ChannelError& error) override { errors.push_back(error); }

  // -- A driver. Channel n has token 0x100 + n and lies at n MiB of the host's memory: USERD, ring, notifier, words.
  static std::uint64_t base(std::uint32_t n) { return std::uint64_t{n} << 20; }
  void open(std::uint32_t n, std::uint32_t entries = 4) {
    ring_entries[n] = entries;
    engine.open(
        {n, 0x100 + n, kHostBase + base(n), kHostBase + base(n) + 0x1000, entries, kHostBase + base(n) + 0x2000});
  }
  void word(std::uint64_t physical, std::uint32_t value) { memory.write(physical, &value, 4); }
  std::uint32_t word(std::uint64_t physical) const {
    std::uint32_t value = 0;
    memory.read(physical, &value, 4);
    return value;
  }
  std::uint64_t wide(std::uint64_t physical) const { return word(physical) | std::uint64_t{word(physical + 4)} << 32; }

  void raw_entry(std::uint32_t n, std::uint32_t word0, std::uint32_t word1) {
    std::uint32_t& put = puts[n];
    word(base(n) + 0x1000 + 8 * put, word0);
    word(base(n) + 0x1000 + 8 * put + 4, word1);
    put = (put + 1) % ring_entries[n];
    word(base(n) + kUserdGpPut, put);
  }
  void submit(std::uint32_t n, const std::vector<std::uint32_t>& words) {
    std::uint64_t& at = tops[n];
    GpfifoEntry entry;
    entry.address = kHostBase + base(n) + 0x4000 + at;
    entry.words = static_cast<std::uint32_t>(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) word(base(n) + 0x4000 + at + 4 * i, words[i]);
    at = (at + 4 * words.size() + 127) & ~std::uint64_t{127};
    const auto encoded = encode(entry);
    raw_entry(n, encoded[0], encoded[1]);
  }
  void ring(std::uint32_t token) {
    PayloadRef p = pool.line(tlm::TLM_WRITE_COMMAND, line_of(kDoorbell), Operation::store);
    std::memcpy(p->get_data_ptr() + kDoorbell % kLineBytes, &token, 4);
    set_enables(*p, ByteMask::range(kDoorbell % kLineBytes, 4));
    cpu.queue(p);
  }
  void run(std::uint32_t n, const std::vector<std::uint32_t>& words) {
    submit(n, words);
    ring(0x100 + n);
  }
  void settle() { run_until(now() + 100'000 * kFsPerNs); }

  /// A semaphore method burst: address in host memory.
  static std::vector<std::uint32_t> semaphore(std::uint64_t physical, std::uint64_t payload, std::uint32_t execute) {
    const std::uint64_t va = kHostBase + physical;
    return PushbufferWriter()
        .incrementing(0, 0x5c,
                      {static_cast<std::uint32_t>(va), static_cast<std::uint32_t>(va >> 32),
                       static_cast<std::uint32_t>(payload), static_cast<std::uint32_t>(payload >> 32), execute})
        .take();
  }

  PayloadPool pool;
  FlatSpace space;
  const HostSpec spec;
  SystemMemory memory, card;
  PcieLink link;
  HostEngine engine;
  Requester cpu;
  FakeUnits units;
  std::vector<ChannelError> errors;
  std::map<std::uint32_t, std::uint32_t> puts, ring_entries;
  std::map<std::uint32_t, std::uint64_t> tops;
};

}  // namespace gputlm::test
