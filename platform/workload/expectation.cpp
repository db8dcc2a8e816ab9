// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/expectation.h"

#include <algorithm>
#include <cstring>

namespace gputlm {

std::vector<ExpectedRange>::const_iterator ExpectedMemory::first_after(std::uint64_t physical) const {
  return std::upper_bound(ranges_.begin(), ranges_.end(), physical,
                          [](std::uint64_t address, const ExpectedRange& r) { return address < r.end; });
}

void ExpectedMemory::lay(const ExpectedRange& range) {
  if (range.begin >= range.end) return;
  std::vector<ExpectedRange> kept;
  kept.reserve(ranges_.size() + 2);
  for (const ExpectedRange& r : ranges_) {
    if (r.begin < range.begin) {
      kept.push_back(r);
      kept.back().end = std::min(r.end, range.begin);
    }
    if (r.end > range.end) {
      kept.push_back(r);
      kept.back().begin = std::max(r.begin, range.end);
    }
  }
  const auto place =
      std::find_if(kept.begin(), kept.end(), [&](const ExpectedRange& r) { return r.begin >= range.end; });
  kept.insert(place, range);
  ranges_ = std::move(kept);
}

bool ExpectedMemory::bytes(std::uint64_t physical, std::size_t length, unsigned char* out) const {
  auto r = first_after(physical);
  while (length != 0) {
    const std::uint64_t next = r == ranges_.end() ? physical + length : std::max(r->begin, physical);
    if (next > physical) {
      const auto gap = static_cast<std::size_t>(std::min<std::uint64_t>(next - physical, length));
      std::memset(out, 0, gap);
      physical += gap, out += gap, length -= gap;
      continue;
    }
    if (!r->determinate()) return false;
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(r->end - physical, length));
    r->source->bytes(physical + r->shift, part, out);
    physical += part, out += part, length -= part, ++r;
  }
  return true;
}

bool ExpectedMemory::determinate(std::uint64_t physical, std::uint64_t length) const {
  for (auto r = first_after(physical); r != ranges_.end() && r->begin < physical + length; ++r)
    if (!r->determinate()) return false;
  return true;
}

std::string ExpectedMemory::reason(std::uint64_t physical, std::uint64_t length) const {
  for (auto r = first_after(physical); r != ranges_.end() && r->begin < physical + length; ++r)
    if (!r->determinate()) return r->reason;
  return {};
}

}  // namespace gputlm
