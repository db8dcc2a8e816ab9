// SPDX-License-Identifier: Apache-2.0
#include "gputlm/judge/findings.h"

namespace gputlm {

const char* name_of(FindingKind kind) {
  static constexpr std::array<const char*, kFindingKinds> names{
      "request_changed",  "performed_twice", "wrong_load",          "wrong_atomic",       "wrong_content",
      "response_changed", "not_performed",   "unexpected_response", "duplicate_response", "l1_unlawful",
      "outside_memory",   "left_in_flight",  "wrong_expectation",   "unordered"};
  return names[static_cast<std::size_t>(kind)];
}

void FindingLog::add(FindingKind kind, unsigned sm, std::uint64_t address, std::uint64_t expected, std::uint64_t got,
                     const std::string& text) {
  ++total_;
  ++counts_[static_cast<std::size_t>(kind)];
  if (kept_.size() < kKept) kept_.push_back({kind, now(), sm, address, expected, got, text});
}

}  // namespace gputlm
