// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gputlm/hostdump/dump_file.h"
#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/hostformats/compute_methods.h"
#include "gputlm/hostformats/gpfifo_entry.h"
#include "gputlm/hostformats/pushbuffer_writer.h"
#include "gputlm/hostformats/qmd.h"

namespace gputlm::test {

inline DumpEntry entry_of(std::uint32_t channel, std::uint32_t index, std::uint64_t address,
                          const std::vector<std::uint32_t>& words) {
  GpfifoEntry entry;
  entry.address = address;
  entry.words = static_cast<std::uint32_t>(words.size());
  const auto encoded = encode(entry);
  DumpEntry dumped;
  dumped.channel = channel;
  dumped.index = index;
  dumped.word0 = encoded[0];
  dumped.word1 = encoded[1];
  dumped.words = words;
  return dumped;
}

/// The launch of a vector addition: 4096 blocks of 256 threads.
inline std::vector<std::uint32_t> launch_words() {
  Qmd qmd;
  qmd.set(QmdField::cwd_membar_type, 1);
  qmd.set(QmdField::cta_raster_width, 4096);
  qmd.set(QmdField::cta_thread_dimension0, 256);
  qmd.set(QmdField::register_count_v, 16);
  qmd.set_wide(QmdField::release0_address_lower, QmdField::release0_address_upper, 0xab'1234'5678);
  std::vector<std::uint32_t> burst{0, 0};
  burst.insert(burst.end(), qmd.words().begin(), qmd.words().end());
  PushbufferWriter w;
  w.incrementing(1, channel_method::set_object, {kComputeClass});
  w.incrementing(1, compute_method::set_inline_qmd_address_a, burst);
  w.incrementing(1, channel_method::sem_addr_lo, {0x2000, 0, 7, 0, 1U | 1U << 20});
  return w.take();
}

inline PushbufferDump sample_dump() {
  PushbufferDump dump;
  dump.records.emplace_back(DumpChannel{3, 0x1003, 64, 0x7000'0000});
  dump.records.emplace_back(entry_of(3, 0, 0x7100'0000, launch_words()));
  dump.records.emplace_back(DumpDoorbell{0x1003, 1, 2500 * kFsPerNs});
  return dump;
}

}  // namespace gputlm::test
