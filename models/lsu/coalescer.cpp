// SPDX-License-Identifier: Apache-2.0
#include "gputlm/lsu/coalescer.h"

#include <algorithm>
#include <cstring>

namespace gputlm {
namespace {

constexpr std::uint32_t kAllLanes = 0xffffffffU;

/// Calls visit(lane) for each set bit, lowest first.
template <class Visit>
void for_each_lane(std::uint32_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(__builtin_ctz(lanes)));
}

bool side_by_side(const WarpLanes& lanes) {
  if (lanes.active != kAllLanes) return false;
  if (lanes.stride != WarpLanes::kListed) return lanes.stride == lanes.lane_bytes;
  std::uint64_t difference = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    difference |= lanes.address[i] ^ (lanes.address[0] + std::uint64_t{i} * lanes.lane_bytes);
  return difference == 0;
}

/// Where bytes [address, address + length) overlap a line: offsets into the line and into the range, and how many.
struct Overlap {
  std::uint64_t in_line, in_range, bytes;
};
Overlap overlap(std::uint64_t line, std::uint64_t address, std::uint64_t length) {
  const std::uint64_t behind = address - line;  // modulo 2^64: huge when the range starts before the line
  if (behind < kLineBytes) return {behind, 0, std::min<std::uint64_t>(length, kLineBytes - behind)};
  const std::uint64_t ahead = line - address;
  if (ahead >= length) return {0, 0, 0};
  return {0, ahead, std::min<std::uint64_t>(length - ahead, kLineBytes)};
}

/// The same for a contiguous access.
Overlap overlap_range(std::uint64_t line, const Payload& access) {
  const Sideband* s = find_sideband(access);
  if (s == nullptr || s->lanes == nullptr) return overlap(line, access.get_address(), access.get_data_length());
  return overlap(line, s->lanes->address[0], std::uint64_t{kLanes} * s->lanes->lane_bytes);
}

void scatter_registers(const LineRequest& request, const Payload& access, const unsigned char* registers,
                       unsigned char* line) {
  if (request.lanes == 0) {
    const Overlap o = overlap_range(request.line, access);
    std::memcpy(line + o.in_line, registers + o.in_range, o.bytes);
    return;
  }
  const WarpLanes& lanes = *find_sideband(access)->lanes;
  for_each_lane(request.lanes, [&](unsigned lane) {
    const Overlap o = overlap(request.line, lanes.at(lane), lanes.lane_bytes);
    std::memcpy(line + o.in_line, registers + lane * lanes.lane_bytes + o.in_range, o.bytes);
  });
}

}  // namespace

void Coalescer::start(std::uint64_t base, std::uint64_t length) {
  count_ = next_ = 0;
  range_at_ = base;
  range_left_ = length;
}

void Coalescer::start(const WarpLanes& lanes) {
  if (side_by_side(lanes)) {
    start(lanes.address[0], std::uint64_t{kLanes} * lanes.lane_bytes);
    return;
  }
  count_ = next_ = range_left_ = 0;
  for_each_lane(lanes.active, [&](unsigned lane) {
    const std::uint64_t address = lanes.at(lane);
    const auto first = std::min<unsigned>(lanes.lane_bytes, kLineBytes - (address & kLineOffsetMask));
    add(address, first, lane);
    if (first < lanes.lane_bytes) add(address + first, lanes.lane_bytes - first, lane);
  });
}

void Coalescer::start_atomic(const WarpLanes& lanes) {
  count_ = next_ = range_left_ = 0;
  for_each_lane(lanes.active, [&](unsigned lane) {
    const std::uint64_t address = lanes.at(lane);
    const ByteMask word = ByteMask::range(address & kLineOffsetMask, lanes.lane_bytes);
    std::size_t from = 0;
    LineRequest* request = &group(line_of(address), from);
    while (request->mask.intersects(word)) request = &group(line_of(address), ++from);
    request->mask |= word;
    request->lanes |= 1U << lane;
  });
}

// The first group of that line at or after search_from, which is set to its place; a new one if there is none.
LineRequest& Coalescer::group(std::uint64_t line, std::size_t& search_from) {
  while (search_from < count_ && groups_[search_from].line != line) ++search_from;
  if (search_from == count_) groups_[count_++] = {line, {}, 0};
  return groups_[search_from];
}

void Coalescer::add(std::uint64_t address, unsigned bytes, unsigned lane) {
  // Neighbouring lanes mostly share a line: the newest group is asked before the others.
  std::size_t from = count_ > 0 && groups_[count_ - 1].line == line_of(address) ? count_ - 1 : 0;
  LineRequest& request = group(line_of(address), from);
  request.mask |= ByteMask::range(address & kLineOffsetMask, bytes);
  request.lanes |= 1U << lane;
}

bool Coalescer::next(LineRequest& request) {
  if (range_left_ > 0) {
    const auto offset = static_cast<unsigned>(range_at_ & kLineOffsetMask);
    const auto bytes = static_cast<unsigned>(std::min<std::uint64_t>(range_left_, kLineBytes - offset));
    request = {line_of(range_at_), ByteMask::range(offset, bytes), 0};
    range_at_ += bytes;
    range_left_ -= bytes;
    return true;
  }
  if (next_ == count_) return false;
  request = groups_[next_++];
  return true;
}

void scatter(const LineRequest& request, const Payload& access, unsigned char* line) {
  scatter_registers(request, access, access.get_data_ptr(), line);
}

void scatter_compare(const LineRequest& request, const Payload& access, unsigned char* line) {
  const std::size_t half = std::size_t{kLanes} * find_sideband(access)->lanes->lane_bytes;
  scatter_registers(request, access, access.get_data_ptr() + half, line);
}

void gather(std::uint64_t line, std::uint32_t lanes, const unsigned char* data, Payload& access) {
  unsigned char* registers = access.get_data_ptr();
  if (lanes == 0) {
    const Overlap o = overlap_range(line, access);
    const unsigned char* enables = access.get_byte_enable_ptr();
    if (enables == nullptr) {
      std::memcpy(registers + o.in_range, data + o.in_line, o.bytes);
      return;
    }
    for (std::uint64_t i = 0; i < o.bytes; ++i)
      if (enables[(o.in_range + i) % access.get_byte_enable_length()] != 0)
        registers[o.in_range + i] = data[o.in_line + i];
    return;
  }
  const WarpLanes& all = *find_sideband(access)->lanes;
  for_each_lane(lanes, [&](unsigned lane) {
    const Overlap o = overlap(line, all.at(lane), all.lane_bytes);
    std::memcpy(registers + lane * all.lane_bytes + o.in_range, data + o.in_line, o.bytes);
  });
}

ByteMask enabled_bytes(const LineRequest& request, const Payload& access) {
  const unsigned char* enables = access.get_byte_enable_ptr();
  if (enables == nullptr) return request.mask;
  const Overlap o = overlap_range(request.line, access);
  ByteMask mask;
  for (std::uint64_t i = 0; i < o.bytes; ++i)
    if (enables[(o.in_range + i) % access.get_byte_enable_length()] != 0)
      mask.set(static_cast<unsigned>(o.in_line + i));
  return mask;
}

}  // namespace gputlm
