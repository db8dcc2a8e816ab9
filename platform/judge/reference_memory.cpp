// SPDX-License-Identifier: Apache-2.0
#include "gputlm/judge/reference_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gputlm/judge/atomic_reference.h"

namespace gputlm {
namespace {

constexpr SectorSet kAllSectors = (1U << kSectorsPerLine) - 1;
constexpr unsigned kNoSm = 0xffff;

bool holds(SectorSet set, unsigned sector) {
  return (set >> sector & 1U) != 0;
}

}  // namespace

ReferenceMemory::ReferenceMemory(std::uint64_t memory_bytes, LineReader image, LineReader debug_read,
                                 FindingLog& findings)
    : digests_(memory_bytes), image_(std::move(image)), debug_read_(std::move(debug_read)), findings_(findings) {}

SectorDigests ReferenceMemory::current(std::uint64_t line) const {
  SectorDigests digests{};
  if (const DigestTable::LineEntry* entry = digests_.find(line)) digests = *entry;
  if (std::find(digests.begin(), digests.end(), 0) == digests.end()) return digests;
  unsigned char bytes[kLineBytes];
  image_(line, bytes);
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (digests[s] == 0) digests[s] = sector_digest(bytes + s * kSectorBytes, s);
  return digests;
}

void ReferenceMemory::read_verified(std::uint64_t line, SectorSet sectors, unsigned char* bytes, unsigned sm) {
  if (const Pending* pending = pending_.find(line)) {
    std::memcpy(bytes, pending->bytes, kLineBytes);
    return;
  }
  debug_read_(line, bytes);
  const SectorDigests expected = current(line);
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if (!holds(sectors, s)) continue;
    bytes_checked_ += kSectorBytes;
    const std::uint64_t got = sector_digest(bytes + s * kSectorBytes, s);
    if (got != expected[s])
      findings_.add(FindingKind::wrong_content, sm, line + s * kSectorBytes, expected[s], got,
                    "sector (digests) holds other bytes than those last stored, seen before an access changes it");
  }
}

void ReferenceMemory::store(std::uint64_t line, const unsigned char* data, ByteMask mask, const SectorDigests& digests,
                            unsigned sm) {
  const SectorSet full = mask.full_sectors();
  if (full != mask.touched_sectors()) store_partly(line, data, mask & ~ByteMask::sectors(full), sm);
  if (Pending* pending = pending_.find(line)) copy_masked(pending->bytes, data, mask);
  if (full == 0) return;
  DigestTable::LineEntry& entry = digests_.at(line);
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (holds(full, s)) entry[s] = digests[s];
}

void ReferenceMemory::store_partly(std::uint64_t line, const unsigned char* data, ByteMask mask, unsigned sm) {
  unsigned char bytes[kLineBytes];
  const SectorSet sectors = mask.touched_sectors();
  read_verified(line, sectors, bytes, sm);
  copy_masked(bytes, data, mask);
  DigestTable::LineEntry& entry = digests_.at(line);
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (holds(sectors, s)) entry[s] = sector_digest(bytes + s * kSectorBytes, s);
}

std::uint64_t ReferenceMemory::expected(std::uint64_t line, ByteMask mask, unsigned sm) {
  const SectorSet sectors = mask.touched_sectors();
  if (mask.full_sectors() != sectors) {
    unsigned char bytes[kLineBytes];
    read_verified(line, sectors, bytes, sm);
    return line_digest(bytes, mask);
  }
  const SectorDigests digests = current(line);
  std::uint64_t total = 0;
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (holds(sectors, s)) total += digests[s];
  return total;
}

std::uint64_t ReferenceMemory::begin_atomic(std::uint64_t line, const Payload& atomic, const Sideband& sideband) {
  unsigned char bytes[kLineBytes];
  read_verified(line, kAllSectors, bytes, sideband.origin.sm);
  const ByteMask mask = ByteMask::of(atomic);
  const std::uint64_t old_values = line_digest(bytes, mask);
  perform_atomic(bytes, atomic, sideband);
  DigestTable::LineEntry& entry = digests_.at(line);
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (holds(mask.touched_sectors(), s)) entry[s] = sector_digest(bytes + s * kSectorBytes, s);
  Pending& pending = pending_[line];
  std::memcpy(pending.bytes, bytes, kLineBytes);
  ++pending.atomics;
  return old_values;
}

void ReferenceMemory::end_atomic(std::uint64_t line) {
  Pending* pending = pending_.find(line);
  if (pending != nullptr && --pending->atomics == 0) pending_.erase(line);
}

void ReferenceMemory::debug_write(std::uint64_t address, const unsigned char* data, std::uint64_t bytes) {
  while (bytes > 0) {
    const std::uint64_t line = line_of(address);
    const auto offset = static_cast<unsigned>(address - line);
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(bytes, kLineBytes - offset));
    if (!covers(line)) return;
    unsigned char image[kLineBytes];
    std::memcpy(image + offset, data, count);
    const ByteMask mask = ByteMask::range(offset, count);
    store(line, image, mask, sector_digests(image, mask), kNoSm);
    address += count;
    data += count;
    bytes -= count;
  }
}

void ReferenceMemory::audit(const Lines& apart) {
  digests_.for_each([&](std::uint64_t line, const DigestTable::LineEntry&) {
    if (apart && apart(line)) return;
    unsigned char bytes[kLineBytes];
    debug_read_(line, bytes);
    audit_line(line, bytes);
  });
}

void ReferenceMemory::audit_line(std::uint64_t line, const unsigned char* bytes) {
  const DigestTable::LineEntry* entry = digests_.find(line);
  if (entry == nullptr || *entry == DigestTable::LineEntry{}) return;
  const SectorDigests expected = current(line);
  bytes_checked_ += kLineBytes;
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    const std::uint64_t got = sector_digest(bytes + s * kSectorBytes, s);
    if (got != expected[s])
      findings_.add(FindingKind::wrong_content, kNoSm, line + s * kSectorBytes, expected[s], got,
                    "sector (digests) holds other bytes at the end than those last stored");
  }
}

std::uint64_t ReferenceMemory::check_range(std::uint64_t first, std::uint64_t bytes, const LineReader& expected) {
  std::uint64_t wrong = 0;
  for (std::uint64_t at = first; at < first + bytes;) {
    const std::uint64_t line = line_of(at);
    const auto offset = static_cast<unsigned>(at - line);
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(first + bytes - at, kLineBytes - offset));
    unsigned char want[kLineBytes], have[kLineBytes];
    expected(line, want);
    debug_read_(line, have);
    bytes_checked_ += count;
    at += count;
    if (equal_masked(want, have, ByteMask::range(offset, count))) continue;
    unsigned first_wrong = kLineBytes;
    for (unsigned i = offset; i < offset + count; ++i) {
      if (want[i] == have[i]) continue;
      first_wrong = std::min(first_wrong, i);
      ++wrong;
    }
    findings_.add(FindingKind::wrong_expectation, kNoSm, line + first_wrong, want[first_wrong], have[first_wrong],
                  "byte differs from what the kernel was to leave (first of its line)");
  }
  return wrong;
}

std::string ReferenceMemory::difference(std::uint64_t line, const unsigned char* loaded, ByteMask mask) const {
  unsigned char bytes[kLineBytes];
  debug_read_(line, bytes);
  for (unsigned i = 0; i < kLineBytes; ++i)
    if (mask.test(i) && bytes[i] != loaded[i])
      return "byte " + std::to_string(i) + " is " + std::to_string(loaded[i]) + ", memory holds " +
             std::to_string(bytes[i]) + " now";
  return "its bytes equal memory's present ones";
}

void ReferenceMemory::reset() {
  digests_.clear();
  pending_.clear();
  bytes_checked_ = 0;
}

}  // namespace gputlm
