// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <vector>

namespace gputlm::test {

/// A kernel's parameters, laid out with natural alignment.
class Parameters {
 public:
  template <class T>
  Parameters& operator<<(T value) {
    bytes_.resize((bytes_.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
    std::memcpy(bytes_.data() + bytes_.size() - sizeof value, &value, sizeof value);
    return *this;
  }
  const std::vector<unsigned char>& bytes() const { return bytes_; }

 private:
  std::vector<unsigned char> bytes_;
};

}  // namespace gputlm::test
