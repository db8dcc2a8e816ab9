// SPDX-License-Identifier: Apache-2.0
//
// HostDriver: what is queued to a stream, in the hardware's formats.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/hostformats/compute_methods.h"
#include "gputlm/hostformats/copy_methods.h"
#include "gputlm/launch/host_driver.h"

namespace gputlm {
namespace {

constexpr unsigned kComputeSubchannel = 1, kCopySubchannel = 4, kChannelSubchannel = 0;
/// A constant bank's address and size in the QMD are multiples of these.
constexpr std::uint64_t kBankAlignment = 256, kBankUnit = 16;
/// Bytes: a copy's length is a 32-bit register, and a whole number of lines keeps the next part aligned.
constexpr std::uint32_t kMostOfOneCopy = 1U << 31U;

std::uint32_t low(std::uint64_t address) {
  return static_cast<std::uint32_t>(address);
}
std::uint32_t high(std::uint64_t address) {
  return static_cast<std::uint32_t>(address >> 32U);
}

}  // namespace

// A stream's first words bind its subchannels; later commands wait for what the channel runs.
PushbufferWriter HostDriver::begin(Stream& s) {
  PushbufferWriter words;
  if (!s.bound) {
    words.incrementing(kComputeSubchannel, channel_method::set_object, {kComputeClass});
    words.incrementing(kCopySubchannel, channel_method::set_object, {kCopyClass});
    s.bound = true;
  } else {
    words.incrementing(kChannelSubchannel, channel_method::wfi, {0});
  }
  return words;
}

Ticket HostDriver::next_ticket(StreamId stream) {
  throw_if_failed(streams_[stream]);
  const Ticket ticket{stream, ++streams_[stream].last};
  times_[{stream, ticket.value}].doorbell = now();
  return ticket;
}

Ticket HostDriver::end(StreamId stream, PushbufferWriter& words) {
  const Ticket ticket{stream, streams_[stream].last};
  submit(stream, words.take());
  return ticket;
}

void HostDriver::release(PushbufferWriter& words, StreamId stream, std::uint32_t value) const {
  const std::uint64_t address = streams_[stream].semaphore.address;
  const std::uint32_t execute = sem_execute::operation.put(static_cast<std::uint32_t>(SemaphoreOperation::release)) |
                                sem_execute::release_wfi.put(1) | sem_execute::release_timestamp.put(1);
  words.incrementing(kChannelSubchannel, channel_method::sem_addr_lo, {low(address), high(address), value, 0, execute});
}

PreparedLaunch HostDriver::prepare(KernelLaunch launch) {
  SassLaunch shape;
  shape.spec = gpu_.config().sass;
  shape.grid = launch.grid;
  shape.block = launch.block;
  shape.local_bytes = launch.local_bytes;
  std::vector<unsigned char> bank = make_constant_bank(shape, launch.parameters);
  bank.resize((bank.size() + kBankUnit - 1) / kBankUnit * kBankUnit);
  const std::uint64_t page = gpu_.config().mmu.page_bytes;
  if (banks_ == 0) banks_ = malloc(page);
  if (bank_top_ + bank.size() > page) {  // those before may still be in use
    await_all();
    bank_top_ = 0;
  }
  const std::uint64_t at = banks_ + bank_top_;
  bank_top_ += (bank.size() + kBankAlignment - 1) / kBankAlignment * kBankAlignment;
  bar1_write(at, bank.data(), bank.size());
  bar1_read(at, bank.size());  // the writes are posted: a read behind them comes back when they are there
  return {std::move(launch), at, static_cast<std::uint32_t>(bank.size())};
}

Qmd HostDriver::qmd_of(const PreparedLaunch& prepared, StreamId stream, std::uint32_t value) const {
  using F = QmdField;
  const KernelLaunch& l = prepared.launch;
  Qmd q;
  q.set(F::cta_raster_width, l.grid.x);
  q.set(F::cta_raster_height, l.grid.y);
  q.set(F::cta_raster_depth, l.grid.z);
  q.set(F::cta_thread_dimension0, l.block.x);
  q.set(F::cta_thread_dimension1, l.block.y);
  q.set(F::cta_thread_dimension2, l.block.z);
  q.set(F::register_count_v, std::max(1U, l.kernel.code->registers()));
  q.set(F::shared_memory_size, l.shared_bytes);
  q.set(F::barrier_count, 1);
  q.set(F::cwd_membar_type, static_cast<std::uint32_t>(CwdMembar::l1_sysmembar));
  q.set_wide(F::program_address_lower, F::program_address_upper, l.kernel.address);
  q.set(F::constant_buffer_valid, 1);
  q.set_wide(F::constant_buffer_addr_lower, F::constant_buffer_addr_upper, prepared.bank);
  q.set(F::constant_buffer_size_shifted4, prepared.bank_bytes / kBankUnit);
  q.set_wide(F::release0_address_lower, F::release0_address_upper, streams_[stream].semaphore.address);
  q.set(F::release0_payload, value);
  return q;
}

Ticket HostDriver::launch(StreamId stream, const PreparedLaunch& prepared) {
  PushbufferWriter words = begin(streams_[stream]);
  const Qmd::Words qmd = qmd_of(prepared, stream, streams_[stream].last + 1).words();
  std::vector<std::uint32_t> burst{0, 0};  // SET_INLINE_QMD_ADDRESS_A and _B
  burst.insert(burst.end(), qmd.begin(), qmd.end());
  next_ticket(stream);
  words.incrementing(kComputeSubchannel, compute_method::set_inline_qmd_address_a, burst);
  return end(stream, words);
}

Ticket HostDriver::memcpy(StreamId stream, std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  for (; bytes > kMostOfOneCopy; bytes -= kMostOfOneCopy) {
    copy_part(stream, to, from, kMostOfOneCopy);
    to += kMostOfOneCopy;
    from += kMostOfOneCopy;
  }
  return copy_part(stream, to, from, static_cast<std::uint32_t>(bytes));
}

Ticket HostDriver::copy_part(StreamId stream, std::uint64_t to, std::uint64_t from, std::uint32_t bytes) {
  using namespace launch_dma;
  PushbufferWriter words = begin(streams_[stream]);
  const Ticket ticket = next_ticket(stream);
  const std::uint64_t semaphore = streams_[stream].semaphore.address;
  words.incrementing(kCopySubchannel, copy_method::set_semaphore_a, {high(semaphore), low(semaphore), ticket.value});
  words.incrementing(kCopySubchannel, copy_method::offset_in_upper, {high(from), low(from), high(to), low(to)});
  words.incrementing(kCopySubchannel, copy_method::line_length_in, {bytes, 1});
  words.incrementing(
      kCopySubchannel, copy_method::launch_dma,
      {data_transfer_type.put(transfer_non_pipelined) | flush_enable.put(1) | semaphore_type.put(semaphore_four_words) |
       src_pitch.put(1) | dst_pitch.put(1) | flush_type.put(flush_system)});
  return end(stream, words);
}

Ticket HostDriver::flush_l2(StreamId stream) {
  PushbufferWriter words = begin(streams_[stream]);
  const Ticket ticket = next_ticket(stream);
  words.incrementing(kChannelSubchannel, channel_method::mem_op_a,
                     {0, 0, 0, mem_op_d::operation.put(mem_op_d::l2_flush_dirty)});
  release(words, stream, ticket.value);
  return end(stream, words);
}

Ticket HostDriver::record(StreamId stream) {
  PushbufferWriter words = begin(streams_[stream]);
  const Ticket ticket = next_ticket(stream);
  release(words, stream, ticket.value);
  return end(stream, words);
}

void HostDriver::wait_for(StreamId stream, const Ticket& event) {
  PushbufferWriter words = begin(streams_[stream]);
  const std::uint64_t address = streams_[event.stream].semaphore.address;
  words.incrementing(kChannelSubchannel, channel_method::sem_addr_lo,
                     {low(address), high(address), event.value, 0,
                      sem_execute::operation.put(static_cast<std::uint32_t>(SemaphoreOperation::acquire_circ_geq))});
  submit(stream, words.take());
}

void HostDriver::submit(StreamId stream, const std::vector<std::uint32_t>& words) {
  Stream& s = streams_[stream];
  throw_if_failed(s);
  if (words.size() * sizeof words[0] > kSegmentBytes)
    throw DriverError(fmt::format("{} words for one entry of the pushbuffer, which has {}", words.size(),
                                  kSegmentBytes / sizeof words[0]));
  const std::uint32_t slot = claim_slot(s);
  GpfifoEntry entry;
  entry.address = s.words.address + std::uint64_t{slot} * kSegmentBytes;
  entry.words = static_cast<std::uint32_t>(words.size());
  host_write(s.words, std::uint64_t{slot} * kSegmentBytes, words.data(), words.size() * sizeof words[0]);
  const auto encoded = encode(entry);
  put_entry(stream, slot, encoded[0], encoded[1], words);
}

void HostDriver::submit_entry(StreamId stream, std::uint32_t word0, std::uint32_t word1) {
  put_entry(stream, claim_slot(streams_[stream]), word0, word1, {});
}

// The ring is full when one more entry would make it look empty; then the host waits until the engine has read one.
std::uint32_t HostDriver::claim_slot(Stream& s) {
  const auto next = [&] { return (s.put + 1) % s.entries; };
  const auto get = [&] {
    std::uint32_t value = 0;
    host_read(s.userd, kUserdGpGet, &value, sizeof value);
    return value;
  };
  if (next() == get()) clock_.run_until([&] { return s.failed || next() != get(); });
  throw_if_failed(s);
  return s.put;
}

void HostDriver::put_entry(StreamId stream, std::uint32_t slot, std::uint32_t word0, std::uint32_t word1,
                           const std::vector<std::uint32_t>& words) {
  Stream& s = streams_[stream];
  const std::uint32_t entry[2] = {word0, word1};
  host_write(s.ring, std::uint64_t{slot} * kGpfifoEntryBytes, entry, sizeof entry);
  write_put(stream, (slot + 1) % s.entries);
  if (dump_ != nullptr) dump_->records.emplace_back(DumpEntry{stream, slot, word0, word1, words, 0});
  ring_doorbell(token(stream));
}

void HostDriver::write_put(StreamId stream, std::uint32_t put) {
  Stream& s = streams_[stream];
  s.put = put;
  host_write(s.userd, kUserdGpPut, &put, sizeof put);
}

void HostDriver::ring_doorbell(std::uint32_t token) {
  cpu_.write(Apertures::kUsermodeBase + kDoorbell, &token, sizeof token);
  if (dump_ == nullptr) return;
  const StreamId stream = token - kFirstToken;
  dump_->records.emplace_back(DumpDoorbell{token, stream < streams_.size() ? streams_[stream].put : 0, now()});
}

}  // namespace gputlm
