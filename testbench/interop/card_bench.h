// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "at_target.h"
#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/hostformats/gpfifo_entry.h"
#include "gputlm/hostformats/pushbuffer_writer.h"
#include "gputlm/launch/pcie_card.h"
#include "port_bench.h"

namespace gputlm::test {

inline constexpr std::uint64_t kVirtual = std::uint64_t{1} << 39U;
inline constexpr std::uint32_t kToken = 0x77;

/// A card between a CPU and a memory of other people's making.
struct CardBench {
  explicit CardBench(Answer answer = Answer::accepted, const std::vector<std::string>& overrides = {})
      : card("card", Config::load("tiny", overrides), checked()) {
    memory.answer = answer;
    from_cpu.connect(cpu.socket, card.pcie);
    to_memory.connect(card.dma, memory.socket);
    card.map_host(kVirtual, 0, 1 << 20);
    card.open_channel({0, kToken, kVirtual + 0x1000, kVirtual + 0x2000, 8, kVirtual + 0x5000});
  }
  static BuildOptions checked() {
    BuildOptions options;
    options.check_protocol = true;
    return options;
  }
  ByteStore bytes;
  PcieCard card;
  BlockingInitiator cpu{"cpu"};
  AtTarget memory{"memory", bytes};
  ViolationLog& log = card.gpu.mem.wiring.log();
  ProtocolChecker from_cpu{"from_cpu", log}, to_memory{"to_memory", log};
  sc_core::sc_signal<bool>& irq = card.interrupt;

  void poke(std::uint64_t at, std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i) bytes[at + i] = static_cast<unsigned char>(word >> (8 * i));
  }
  std::uint32_t peek(std::uint64_t at) {
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i) word |= std::uint32_t{bytes[at + i]} << (8 * i);
    return word;
  }
  /// Puts a pushbuffer into memory as the ring's entry `slot`; ring() then starts it.
  void queue(std::uint32_t slot, const std::vector<std::uint32_t>& words) {
    GpfifoEntry entry;
    entry.address = kVirtual + 0x8000 + slot * 0x400;
    entry.words = static_cast<std::uint32_t>(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) poke(0x8000 + slot * 0x400 + 4 * i, words[i]);
    const auto encoded = encode(entry);
    poke(0x2000 + slot * 8, encoded[0]);
    poke(0x2004 + slot * 8, encoded[1]);
    poke(0x1000 + kUserdGpPut, slot + 1);
  }
  void ring(std::uint32_t token = kToken) {
    std::vector<unsigned char> data(4);
    for (unsigned i = 0; i < 4; ++i) data[i] = static_cast<unsigned char>(token >> (8 * i));
    BOOST_TEST(cpu.write(Apertures::kUsermodeBase + kDoorbell, data) == tlm::TLM_OK_RESPONSE);
  }
  /// Releases a semaphore and interrupts.
  static std::vector<std::uint32_t> release(std::uint32_t value) {
    PushbufferWriter words;
    words.incrementing(0, channel_method::sem_addr_lo,
                       {static_cast<std::uint32_t>(kVirtual + 0x4000), static_cast<std::uint32_t>(kVirtual >> 32U),
                        value, 0, sem_execute::operation.put(1)});
    words.incrementing(0, channel_method::non_stall_interrupt, {0});
    return words.take();
  }
  void run(const std::function<void()>& program) {
    cpu.program = program;
    sc_core::sc_start();
    BOOST_TEST(cpu.finished);
    BOOST_TEST(card.idle());
    BOOST_TEST(card.gpu.mem.pool.outstanding() == 0U);
    const WaitList waits = card.waits();
    for (const Wait& w : waits.all()) BOOST_TEST(false, w.unit << ": " << w.text());
    for (const Violation& v : log.violations())
      BOOST_TEST(false, v.arrow << ": " << name_of(v.rule) << ' ' << v.payload << ' ' << v.detail);
  }
};

}  // namespace gputlm::test
