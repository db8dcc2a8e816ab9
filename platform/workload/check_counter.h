// SPDX-License-Identifier: Apache-2.0
//
// How many bytes were compared with what they should be, and the first that differed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/tlm/sideband.h"

namespace gputlm {

/// One byte that was not what it should be.
struct Mismatch {
  std::uint64_t address = 0;  ///< Virtual for a load, physical for a final read through the backdoor.
  unsigned char expected = 0, got = 0;
  Origin origin;  ///< Who loaded it; SM 0xffff when nobody did (the check at the end).

  std::string text() const;
};

/// Tally of byte comparisons.
class CheckCounter {
 public:
  static constexpr std::size_t kKept = 16;

  /// Compares `length` bytes that belong at `address`.
  void compare(std::uint64_t address, const unsigned char* expected, const unsigned char* got, std::size_t length,
               const Origin& origin = {});
  /// As compare(), where either of two values is lawful (a load that races with the store of the second).
  void compare_either(std::uint64_t address, const unsigned char* one, const unsigned char* other,
                      const unsigned char* got, std::size_t length, const Origin& origin = {});
  /// Adds another tally to this one.
  void add(const CheckCounter& other);
  void reset() { *this = {}; }

  std::uint64_t bytes_checked() const { return bytes_checked_; }
  std::uint64_t mismatches() const { return mismatches_; }
  /// The first kKept mismatches.
  const std::vector<Mismatch>& first() const { return first_; }

 private:
  void record(const Mismatch& mismatch);

  std::uint64_t bytes_checked_ = 0, mismatches_ = 0;
  std::vector<Mismatch> first_;
};

}  // namespace gputlm
