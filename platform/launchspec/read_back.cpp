// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gputlm/launchspec/launch_report.h"

namespace gputlm {

ReadBack make_read_back(const LaunchArgument& argument, const std::vector<unsigned char>& bytes,
                        const Expectation* expectation) {
  const std::ptrdiff_t size = size_of(argument.type);
  ReadBack r;
  r.name = argument.name;
  r.type = argument.type;
  r.count = argument.count;
  r.first_bytes.assign(bytes.begin(), bytes.begin() + size);
  r.last_bytes.assign(bytes.end() - size, bytes.end());
  r.first = text_of_element(argument.type, r.first_bytes.data());
  r.last = text_of_element(argument.type, r.last_bytes.data());
  r.expected = expectation != nullptr;
  if (!r.expected) return r;
  for (auto got = bytes.begin(), want = expectation->data.begin(); got != bytes.end(); got += size, want += size)
    if (!std::equal(got, got + size, want)) ++r.mismatches;
  return r;
}

}  // namespace gputlm
