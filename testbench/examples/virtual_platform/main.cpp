// SPDX-License-Identifier: Apache-2.0
//
// A CPU boots a driver-like program that has the card copy an array into its memory and back, and waits for the
// interrupt. README.md says what is what.
#include <iostream>
#include <string>
#include <vector>

#include <gputlm/checker.h>
#include <gputlm/host_formats.h>
#include <gputlm/pcie_card.h>
#include "platform.h"

namespace {

using namespace gputlm;
using Words = std::vector<std::uint32_t>;

/// Where the driver keeps what it shares with the card: offsets in RAM, which the card sees from kHostVirtual on.
constexpr std::uint64_t kUserd = 0x1000, kRing = 0x2000, kPushbuffer = 0x3000, kSemaphore = 0x4000, kNotifier = 0x5000,
                        kSource = 0x10000, kDestination = 0x20000;
constexpr std::uint64_t kHostVirtual = std::uint64_t{1} << 39U, kDeviceVirtual = std::uint64_t{1} << 36U;
constexpr std::uint32_t kToken = 0x100, kEntries = 16, kDone = 0x600d;
constexpr std::uint32_t kBytes = 8000;
constexpr unsigned kCopySubchannel = 4, kChannelSubchannel = 0;

std::uint32_t low(std::uint64_t address) {
  return static_cast<std::uint32_t>(address);
}
std::uint32_t high(std::uint64_t address) {
  return static_cast<std::uint32_t>(address >> 32U);
}

class Cpu : public sc_core::sc_module {
 public:
  explicit Cpu(const sc_core::sc_module_name& name) : sc_module(name) {
    GPUTLM_HAS_PROCESS(Cpu);
    SC_THREAD(boot);
  }
  tlm_utils::simple_initiator_socket<Cpu> socket{"socket"};
  sc_core::sc_in<bool> interrupt{"interrupt"};
  bool right = false;

 private:
  void access(tlm::tlm_command command, std::uint64_t address, void* data, std::size_t bytes) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(static_cast<unsigned char*>(data));
    p.set_data_length(static_cast<unsigned>(bytes));
    p.set_streaming_width(static_cast<unsigned>(bytes));
    sc_core::sc_time delay;
    socket->b_transport(p, delay);
    sc_core::wait(delay);
    if (!p.is_response_ok()) SC_REPORT_ERROR(name(), p.get_response_string().c_str());
  }
  void store(std::uint64_t address, const Words& words) {
    Words copy = words;
    access(tlm::TLM_WRITE_COMMAND, address, copy.data(), copy.size() * sizeof copy[0]);
  }
  Words load(std::uint64_t address, std::size_t count) {
    Words words(count);
    access(tlm::TLM_READ_COMMAND, address, words.data(), count * sizeof words[0]);
    return words;
  }

  static void copy(PushbufferWriter& words, std::uint64_t to, std::uint64_t from) {
    using namespace launch_dma;
    words.incrementing(kCopySubchannel, copy_method::offset_in_upper, {high(from), low(from), high(to), low(to)});
    words.incrementing(kCopySubchannel, copy_method::line_length_in, {kBytes, 1});
    words.incrementing(
        kCopySubchannel, copy_method::launch_dma,
        {data_transfer_type.put(transfer_non_pipelined) | flush_enable.put(1) | src_pitch.put(1) | dst_pitch.put(1)});
    words.incrementing(kChannelSubchannel, channel_method::wfi, {0});
  }

  static Words program() {
    PushbufferWriter words;
    words.incrementing(kCopySubchannel, channel_method::set_object, {kCopyClass});
    copy(words, kDeviceVirtual, kHostVirtual + kSource);
    copy(words, kHostVirtual + kDestination, kDeviceVirtual);
    const std::uint64_t semaphore = kHostVirtual + kSemaphore;
    words.incrementing(kChannelSubchannel, channel_method::sem_addr_lo,
                       {low(semaphore), high(semaphore), kDone, 0,
                        sem_execute::operation.put(static_cast<std::uint32_t>(SemaphoreOperation::release)) |
                            sem_execute::release_wfi.put(1)});
    words.incrementing(kChannelSubchannel, channel_method::non_stall_interrupt, {0});
    return words.take();
  }

  void boot() {
    Words source(kBytes / sizeof(std::uint32_t));
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::uint32_t>(i * 2654435761U);
    store(kSource, source);

    const Words words = program();
    store(kPushbuffer, words);
    GpfifoEntry entry;
    entry.address = kHostVirtual + kPushbuffer;
    entry.words = static_cast<std::uint32_t>(words.size());
    const auto encoded = encode(entry);
    store(kRing, {encoded[0], encoded[1]});
    store(kUserd + kUserdGpPut, {1});
    store(kBar0 + kDoorbell, {kToken});

    sc_core::wait(interrupt.posedge_event());
    std::cout << "interrupt at " << sc_core::sc_time_stamp() << '\n';
    right = load(kSemaphore, 1)[0] == kDone && load(kDestination, source.size()) == source &&
            load(kBar1, source.size()) == source;
  }
};

}  // namespace

// Arguments: path=value, settings of the configuration.
int sc_main(int argc, char** argv) {
  PcieCard card("card", Config::load("tiny", std::vector<std::string>(argv + 1, argv + argc)));
  Cpu cpu("cpu");
  Bus bus("bus");
  Ram ram("ram");
  cpu.interrupt.bind(card.interrupt);
  ViolationLog log;
  ProtocolChecker of_cpu("of_cpu", log), of_ram("of_ram", log), of_card("of_card", log), of_dma("of_dma", log);
  of_cpu.connect(cpu.socket, bus.cpu);  // checkers are optional
  of_ram.connect(bus.ram, ram.socket);
  of_card.connect(bus.card, card.pcie);
  of_dma.connect(card.dma, bus.dma);

  card.map_host(kHostVirtual, 0, kRamBytes);
  card.map_device(kDeviceVirtual, 0, card.gpu.config().mmu.page_bytes);
  card.open_channel({0, kToken, kHostVirtual + kUserd, kHostVirtual + kRing, kEntries, kHostVirtual + kNotifier});
  sc_core::sc_start();

  log.print(std::cerr);
  card.waits().print(std::cerr);
  std::cout << (cpu.right ? "right" : "wrong") << " at " << sc_core::sc_time_stamp() << '\n';
  return cpu.right && log.total() == 0 && card.idle() ? 0 : 1;
}
