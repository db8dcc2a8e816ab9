// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gputlm/workload/workload.h"

namespace gputlm {

namespace {

constexpr std::size_t kChunk = 4096;

bool is_swept(const Buffer& b) {
  return !b.alias && b.mapped;
}

void verify_chunk(const ExpectedMemory& expected, const MemoryReader& read, std::uint64_t physical, std::size_t length,
                  MemoryVerdict& verdict) {
  unsigned char want[kChunk], got[kChunk];
  const bool readable = read(physical, got, length);
  if (!expected.bytes(physical, length, want)) {
    verdict.bytes_not_determinate += length;
    const std::string reason = expected.reason(physical, length);
    if (std::find(verdict.reasons.begin(), verdict.reasons.end(), reason) == verdict.reasons.end())
      verdict.reasons.push_back(reason);
  } else if (!readable) {
    verdict.bytes_unreadable += length;
  } else {
    verdict.checks.compare(physical, want, got, length);
  }
}

}  // namespace

bool is_verified(const Workload& workload, std::uint64_t physical) {
  return std::any_of(workload.buffers().begin(), workload.buffers().end(),
                     [&](const Buffer& b) { return is_swept(b) && physical - b.physical_address < b.mapped_bytes; });
}

MemoryVerdict verify_memory(const Workload& workload, const MemoryReader& read) {
  MemoryVerdict verdict;
  for (const Buffer& b : workload.buffers()) {
    if (!is_swept(b)) continue;
    const std::uint64_t end = b.physical_address + b.mapped_bytes;
    for (std::uint64_t at = b.physical_address; at < end; at += kChunk)
      verify_chunk(workload.expected(), read, at, static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, end - at)),
                   verdict);
  }
  return verdict;
}

}  // namespace gputlm
