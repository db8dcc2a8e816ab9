// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/warp_tape.h"

#include <utility>

namespace gputlm {
namespace {

// What of an instruction has been packed.
constexpr unsigned kAddressed = 1, kStrided = 2, kWholeMask = 4, kHasImmediate = 8;

/// The difference between neighbours of the set lanes; 0 of a single one, and none when they differ.
bool common_stride(const TracegInstruction& i, std::uint64_t& stride) {
  bool first = true, second = true, common = true;
  std::uint64_t last = 0;
  stride = 0;
  for_each_lane_of(i.mask, [&](unsigned lane) {
    const std::uint64_t difference = i.address[lane] - last;
    if (!first && second) stride = difference;
    if (!first && !second && difference != stride) common = false;
    if (!first) second = false;
    first = false;
    last = i.address[lane];
  });
  return common;
}

}  // namespace

WarpTape::~WarpTape() {
  for (const ChunkStore::Id id : chunks_) store_->drop(id);
}

void WarpTape::put(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) open_.push_back(static_cast<unsigned char>(value | 0x80U));
  open_.push_back(static_cast<unsigned char>(value));
}

// Small in either direction is short.
void WarpTape::put_signed(std::uint64_t difference) {
  put(difference << 1U ^ (difference >> 63U != 0 ? ~std::uint64_t{0} : 0));
}

std::uint64_t WarpTape::get() {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const unsigned char byte = open_[at_++];
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return value;
  }
}

std::uint64_t WarpTape::get_signed() {
  const std::uint64_t value = get();
  return value >> 1U ^ ((value & 1U) != 0 ? ~std::uint64_t{0} : 0);
}

void WarpTape::write(const TracegInstruction& i) {
  if (open_.size() + kLargestRecord > ChunkStore::kChunkBytes) close();
  std::uint64_t stride = 0;
  const bool strided = i.addressed && common_stride(i, stride);
  put((i.addressed ? kAddressed : 0) | (strided ? kStrided : 0) | (i.mask == kAllLaneBits ? kWholeMask : 0) |
      (i.immediate != 0 ? kHasImmediate : 0));
  put(opcodes_->index_of(*i.opcode));
  put_signed(i.pc - std::exchange(last_pc_, i.pc));
  if (i.mask != kAllLaneBits) put(i.mask);
  open_.push_back(i.destination);
  open_.insert(open_.end(), i.sources.begin(), i.sources.end());
  if (i.immediate != 0) put(i.immediate);
  if (!i.addressed || i.mask == 0) return;
  if (strided) {
    const unsigned first = lowest_lane(i.mask);
    put_signed(i.address[first] - std::exchange(last_address_, i.address[first]));
    return put_signed(stride);
  }
  for_each_lane_of(i.mask,
                   [&](unsigned lane) { put_signed(i.address[lane] - std::exchange(last_address_, i.address[lane])); });
}

void WarpTape::close() {
  if (open_.empty()) return;
  chunks_.push_back(store_->put(ChunkStore::Chunk(open_.begin(), open_.end())));  // no larger than its contents
  ChunkStore::Chunk().swap(open_);
  last_pc_ = last_address_ = 0;
}

bool WarpTape::read(TracegInstruction& i) {
  if (at_ == open_.size()) {
    if (chunks_.empty()) return false;
    open_ = store_->take(chunks_.front());
    chunks_.pop_front();
    at_ = 0;
    last_pc_ = last_address_ = 0;
  }
  i = {};
  const auto flags = static_cast<unsigned>(get());
  i.opcode = &(*opcodes_)[static_cast<std::uint16_t>(get())];
  i.pc = last_pc_ += get_signed();
  i.mask = (flags & kWholeMask) != 0 ? kAllLaneBits : static_cast<std::uint32_t>(get());
  i.destination = open_[at_++];
  for (std::uint8_t& source : i.sources) source = open_[at_++];
  if ((flags & kHasImmediate) != 0) i.immediate = get();
  i.addressed = (flags & kAddressed) != 0;
  if (!i.addressed || i.mask == 0) return true;
  if ((flags & kStrided) == 0) {
    for_each_lane_of(i.mask, [&](unsigned lane) { i.address[lane] = last_address_ += get_signed(); });
    return true;
  }
  std::uint64_t address = last_address_ += get_signed();
  const std::uint64_t stride = get_signed();
  for_each_lane_of(i.mask, [&](unsigned lane) { i.address[lane] = std::exchange(address, address + stride); });
  return true;
}

}  // namespace gputlm
