// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gputlm {

/// Numbers what leaves in order and is acknowledged in any order, and knows up to where everything is acknowledged. A
/// fence waits for a number, not for "none outstanding": later traffic cannot hold it up. Allocates only while growing
/// to its working size.
class SequenceWindow {
 public:
  /// Number of the next one to leave; numbers below it have been given out.
  std::uint64_t issued() const { return issued_; }
  /// Everything below this number is acknowledged.
  std::uint64_t acknowledged() const { return acknowledged_; }
  std::uint64_t outstanding() const { return outstanding_; }

  std::uint64_t issue() {
    if (issued_ - acknowledged_ == done_.size()) grow();
    done_[issued_ & (done_.size() - 1)] = false;
    ++outstanding_;
    return issued_++;
  }
  void acknowledge(std::uint64_t number) {
    done_[number & (done_.size() - 1)] = true;
    --outstanding_;
    while (acknowledged_ < issued_ && done_[acknowledged_ & (done_.size() - 1)]) ++acknowledged_;
  }
  void reset() { issued_ = acknowledged_ = outstanding_ = 0; }

 private:
  void grow() {
    std::vector<char> bigger(2 * done_.size());
    for (std::uint64_t i = acknowledged_; i < issued_; ++i)
      bigger[i & (bigger.size() - 1)] = done_[i & (done_.size() - 1)];
    done_ = std::move(bigger);
  }

  std::vector<char> done_ = std::vector<char>(64);
  std::uint64_t issued_ = 0, acknowledged_ = 0, outstanding_ = 0;
};

}  // namespace gputlm
