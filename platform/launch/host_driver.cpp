// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launch/host_driver.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/tlm/host_window.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kHostPage = SystemMemory::kPageBytes;
/// Virtual space for the card's memory.
constexpr std::uint64_t kDeviceVirtualBytes = HostDriver::kHostVirtual - HostDriver::kDeviceVirtual;

/// What the CPU calls the byte at a GPU virtual address.
std::uint64_t bar1_address(const PageTable& pages, std::uint64_t address) {
  const auto physical = pages.translate(address);
  if (!physical) throw DriverError(fmt::format("{:#x} is not mapped", address));
  return Apertures::kBar1Base + *physical;
}

}  // namespace

HostDriver::HostDriver(const sc_core::sc_module_name& name, Gpu& gpu, HostSide& host, DriverClock& clock)
    : sc_module(name),
      gpu_(gpu),
      host_(host),
      clock_(clock),
      cpu_("port", gpu.mem.pool),
      device_physical_(0, gpu.config().memory_bytes(), gpu.config().mmu.page_bytes),
      device_virtual_(kDeviceVirtual, kDeviceVirtualBytes, gpu.config().mmu.page_bytes),
      host_physical_(0, gpu.config().host.memory.capacity, kHostPage) {
  gpu.mem.wiring.connect(cpu_.out, host.link.host);
  gpu.attach(cpu_);
  host.memory.observer = this;
  host.engine.errors = this;
  host.distributor.observer = this;
  host.copies.observer = this;
  interrupt_word_ = host_malloc(sizeof(std::uint32_t));
  host.engine.interrupt_address = interrupt_word_.address;
  create_stream();
}

std::uint64_t HostDriver::malloc(std::uint64_t bytes) {
  const auto physical = bytes == 0 ? std::nullopt : device_physical_.take(bytes);
  const auto address = physical ? device_virtual_.take(bytes) : std::nullopt;
  if (!address)
    throw DriverError(fmt::format("out of device memory: {} bytes were asked for, the card has {}", bytes,
                                  gpu_.config().memory_bytes()));
  gpu_.pages.map(*address, *physical, device_physical_.rounded(bytes));
  allocations_[*address] = {*physical, bytes};
  return *address;
}

void HostDriver::free(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) throw DriverError(fmt::format("free of {:#x}, which malloc did not give", address));
  const auto [physical, bytes] = found->second;
  gpu_.pages.unmap(address);
  for (const auto& sm : gpu_.sms) sm->mmu.flush_tlb();
  device_physical_.give_back(physical, bytes);
  device_virtual_.give_back(address, bytes);
  allocations_.erase(found);
}

HostBuffer HostDriver::host_malloc(std::uint64_t bytes) {
  const auto physical = host_physical_.take(bytes);
  if (bytes == 0 || !physical)
    throw DriverError(
        fmt::format("out of host memory: {} bytes were asked for, the host has {}", bytes, host_.memory.capacity()));
  const HostBuffer buffer{kHostVirtual + *physical, *physical, bytes};
  gpu_.pages.map(buffer.address, kHostWindow + *physical, host_physical_.rounded(bytes), kHostPage);
  return buffer;
}

void HostDriver::host_free(const HostBuffer& buffer) {
  gpu_.pages.unmap(buffer.address);
  for (const auto& sm : gpu_.sms) sm->mmu.flush_tlb();
  host_physical_.give_back(buffer.physical, buffer.bytes);
}

void HostDriver::host_write(const HostBuffer& buffer, std::uint64_t offset, const void* from, std::size_t bytes) {
  host_.memory.write(buffer.physical + offset, from, bytes);
}

void HostDriver::host_read(const HostBuffer& buffer, std::uint64_t offset, void* to, std::size_t bytes) const {
  host_.memory.read(buffer.physical + offset, to, bytes);
}

void HostDriver::bar1_write(std::uint64_t address, const void* from, std::size_t bytes) {
  cpu_.write(bar1_address(gpu_.pages, address), from, bytes);
}

std::vector<unsigned char> HostDriver::bar1_read(std::uint64_t address, std::size_t bytes) {
  std::vector<unsigned char> data;
  bool here = false, right = false;
  cpu_.read(bar1_address(gpu_.pages, address), bytes, [&](bool ok, const std::vector<unsigned char>& read) {
    data = read;
    right = ok;
    here = true;
    sc_core::sc_pause();
  });
  clock_.run_until([&] { return here; });
  if (!right) throw DriverError(fmt::format("{} bytes at {:#x} cannot be read through BAR1", bytes, address));
  return data;
}

LoadedKernel HostDriver::load(std::unique_ptr<SassCode> code) {
  std::vector<std::uint64_t> encoding;
  for (const SassInstruction& i : code->listing()) encoding.insert(encoding.end(), {i.low, i.high});
  LoadedKernel kernel;
  kernel.address = malloc(encoding.size() * sizeof encoding[0]);
  bar1_write(kernel.address, encoding.data(), encoding.size() * sizeof encoding[0]);
  kernel.code = &host_.codes.load(kernel.address, std::move(code));
  return kernel;
}

StreamId HostDriver::create_stream(std::uint32_t entries) {
  if (entries < 2) throw DriverError(fmt::format("a stream's ring needs 2 entries, {} were asked for", entries));
  Stream s;
  s.entries = entries;
  s.userd = host_malloc(kUserdBytes);
  s.ring = host_malloc(std::uint64_t{entries} * kGpfifoEntryBytes);
  s.words = host_malloc(std::uint64_t{entries} * kSegmentBytes);
  s.semaphore = host_malloc(kSemaphoreBytes);
  s.notifier = host_malloc(kNotifierBytes);
  const auto number = static_cast<StreamId>(streams_.size());
  host_.engine.open({number, token(number), s.userd.address, s.ring.address, entries, s.notifier.address});
  streams_.push_back(s);
  record_channel(number);
  return number;
}

void HostDriver::record_channel(StreamId stream) {
  const Stream& s = streams_[stream];
  if (dump_ != nullptr) dump_->records.emplace_back(DumpChannel{stream, token(stream), s.entries, s.ring.address});
}

void HostDriver::keep(PushbufferDump& dump) {
  dump_ = &dump;
  for (StreamId i = 0; i < streams_.size(); ++i) record_channel(i);
}

void HostDriver::memcpy(std::uint64_t to, const void* from, std::size_t bytes) {
  const HostBuffer staging = host_malloc(bytes);
  host_write(staging, 0, from, bytes);
  synchronize(memcpy(0, to, staging.address, bytes));
  host_free(staging);
}

void HostDriver::memcpy(void* to, std::uint64_t from, std::size_t bytes) {
  const HostBuffer staging = host_malloc(bytes);
  synchronize(memcpy(0, staging.address, from, bytes));
  host_read(staging, 0, to, bytes);
  host_free(staging);
}

}  // namespace gputlm
