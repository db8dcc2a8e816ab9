// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/check_counter.h"

#include <fmt/format.h>

#include <cstring>

namespace gputlm {

std::string Mismatch::text() const {
  std::string who = origin.sm == 0xffff ? "at the end"
                                        : fmt::format("loaded by SM {} warp {} (CTA {}, instruction {})", origin.sm,
                                                      origin.warp, origin.cta, origin.instruction);
  return fmt::format("0x{:x}: expected 0x{:02x}, got 0x{:02x}, {}", address, expected, got, who);
}

void CheckCounter::compare(std::uint64_t address, const unsigned char* expected, const unsigned char* got,
                           std::size_t length, const Origin& origin) {
  bytes_checked_ += length;
  if (std::memcmp(expected, got, length) == 0) return;
  for (std::size_t i = 0; i < length; ++i)
    if (expected[i] != got[i]) record({address + i, expected[i], got[i], origin});
}

void CheckCounter::compare_either(std::uint64_t address, const unsigned char* one, const unsigned char* other,
                                  const unsigned char* got, std::size_t length, const Origin& origin) {
  bytes_checked_ += length;
  for (std::size_t i = 0; i < length; ++i)
    if (got[i] != one[i] && got[i] != other[i]) record({address + i, one[i], got[i], origin});
}

void CheckCounter::add(const CheckCounter& other) {
  bytes_checked_ += other.bytes_checked_;
  const std::uint64_t total = mismatches_ + other.mismatches_;
  for (const Mismatch& m : other.first_) record(m);
  mismatches_ = total;
}

void CheckCounter::record(const Mismatch& mismatch) {
  ++mismatches_;
  if (first_.size() < kKept) first_.push_back(mismatch);
}

}  // namespace gputlm
