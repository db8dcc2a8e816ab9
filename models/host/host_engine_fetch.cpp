// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gputlm/host/host_engine.h"
#include "gputlm/host/little_endian.h"
#include "gputlm/hostformats/format_error.h"

namespace gputlm {
namespace {

constexpr unsigned kWordBytes = 4;

std::string unreadable(const char* what, std::uint64_t address) {
  return std::string(what) + " at " + hex_word(address) + " cannot be read: not mapped, or refused";
}

}  // namespace

void HostEngine::read_put(Channel& c) {
  enter(c, ChannelState::reading_put);
  c.rung = false;
  const std::uint64_t address = c.setup.userd + kUserdGpPut;
  dma.read(address, kWordBytes, [this, &c, address](bool ok, const DmaMaster::Data& data) {
    if (c.state == ChannelState::failed) return;
    if (!ok) return fail(c, ChannelErrorKind::mmu_fault, unreadable("GP_PUT", address));
    const std::uint32_t put = load_word(data.data());
    if (put >= c.setup.entries)
      return fail(
          c, ChannelErrorKind::pushbuffer_error,
          FormatError("GPFIFO ring overrun: GP_PUT", std::to_string(put), "0 to " + std::to_string(c.setup.entries - 1))
              .what());
    c.put = put;
    advance(c);
  });
}

// What the channel does next when it is between two entries.
void HostEngine::advance(Channel& c) {
  if (!c.entries.empty())
    begin_entry(c);
  else if (c.read_up_to != c.put)
    read_entries(c);
  else if (c.rung)
    read_put(c);
  else
    enter(c, ChannelState::idle);
}

void HostEngine::read_entries(Channel& c) {
  enter(c, ChannelState::reading_entries);
  const std::uint32_t first = c.read_up_to, end = c.put > first ? c.put : c.setup.entries;
  const std::uint32_t count = std::min(end - first, std::max(1U, spec_.fetch_bytes / kGpfifoEntryBytes));
  const std::uint64_t address = c.setup.gpfifo + std::uint64_t{first} * kGpfifoEntryBytes;
  dma.read(address, std::size_t{count} * kGpfifoEntryBytes,
           [this, &c, address, first](bool ok, const DmaMaster::Data& data) {
             if (c.state == ChannelState::failed) return;
             if (!ok) return fail(c, ChannelErrorKind::mmu_fault, unreadable("GPFIFO entries", address), first);
             const auto read = static_cast<std::uint32_t>(data.size() / kGpfifoEntryBytes);
             for (std::uint32_t i = 0; i < read; ++i) {
               const unsigned char* const entry = data.data() + std::size_t{i} * kGpfifoEntryBytes;
               c.entries.push_back({first + i, {load_word(entry), load_word(entry + kWordBytes)}});
             }
             c.read_up_to = (first + read) % c.setup.entries;
             advance(c);
           });
}

void HostEngine::begin_entry(Channel& c) {
  const auto [index, words] = c.entries.pop_front();
  ++counters_.entries;
  c.entry = index;
  c.reader.reset();
  try {
    c.span = decode_gpfifo_entry(words[0], words[1]);
    fetch(c);
  } catch (const FormatError& e) {
    fail(c, ChannelErrorKind::pushbuffer_error, e.what());
  }
}

// The next part of the segment, or its end. Throws FormatError.
void HostEngine::fetch(Channel& c) {
  if (c.span.words == 0) return end_entry(c);
  enter(c, ChannelState::reading_segment);
  const std::uint32_t count = std::min(c.span.words, std::max(1U, spec_.fetch_bytes / kWordBytes));
  const std::uint64_t address = c.span.address;
  c.span.words -= count;
  c.span.address += std::uint64_t{count} * kWordBytes;
  dma.read(address, std::size_t{count} * kWordBytes, [this, &c, address](bool ok, const DmaMaster::Data& data) {
    if (c.state == ChannelState::failed) return;
    if (!ok) return fail(c, ChannelErrorKind::mmu_fault, unreadable("pushbuffer", address));
    c.words.clear();
    for (std::size_t i = 0; i < data.size(); i += kWordBytes) c.words.push_back(load_word(data.data() + i));
    c.next_word = 0;
    counters_.words += c.words.size();
    enter(c, ChannelState::executing);
    resume_at(now(), c);
  });
}

// Throws FormatError when the segment ends inside a burst.
void HostEngine::end_entry(Channel& c) {
  c.reader.check_whole();
  c.get = (c.entry + 1) % c.setup.entries;
  DmaMaster::Data data;
  append_word(data, c.get);
  const std::uint64_t address = c.setup.userd + kUserdGpGet;
  dma.write(address, std::move(data), [this, &c, address](bool ok) {
    if (!ok) fail(c, ChannelErrorKind::mmu_fault, "GP_GET at " + hex_word(address) + " cannot be written");
  });
  advance(c);
}

}  // namespace gputlm
