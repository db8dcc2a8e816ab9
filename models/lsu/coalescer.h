// SPDX-License-Identifier: Apache-2.0
//
// Coalescer: 32 lanes, or one contiguous range of bytes, become line requests.
//
// Loads and stores take the fewest 32-byte sectors, one request per line, in the order of each line's lowest lane; a
// lane may have any alignment and may cross a line's end. Atomics put each lane's operand word in its place; lanes that
// share a word go in separate requests, in lane order. Sources: READS (32-byte spans, no rounding up), WRITES (one
// request per line with its byte mask).
#pragma once

#include <array>
#include <cstdint>

#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// The part of an access that lies in one line.
struct LineRequest {
  std::uint64_t line = 0;   ///< Line-aligned virtual address.
  ByteMask mask;            ///< Bytes of the line that the access touches.
  std::uint32_t lanes = 0;  ///< Lanes with a byte in it; 0 when the access is one contiguous range.
};

/// Yields the line requests of one access after another.
class Coalescer {
 public:
  /// A load or store. All 32 lanes side by side count as one contiguous range.
  void start(const WarpLanes& lanes);
  /// A reduction or atomic; lanes are aligned to lane_bytes (4 or 8).
  void start_atomic(const WarpLanes& lanes);
  /// `length` (at least 1) bytes from `base`.
  void start(std::uint64_t base, std::uint64_t length);

  /// The next request; false when there is none left.
  bool next(LineRequest& request);

 private:
  LineRequest& group(std::uint64_t line, std::size_t& search_from);
  void add(std::uint64_t address, unsigned bytes, unsigned lane);

  std::array<LineRequest, std::size_t{2} * kLanes> groups_;
  std::size_t count_ = 0, next_ = 0;
  std::uint64_t range_at_ = 0, range_left_ = 0;  // the contiguous range not yet yielded
};

/// Store data: copies the registers' bytes that lie in the request's line to their places; the highest lane wins.
void scatter(const LineRequest& request, const Payload& access, unsigned char* line);
/// Compare-and-swap: copies the values to compare with (the second half of the registers).
void scatter_compare(const LineRequest& request, const Payload& access, unsigned char* line);
/// Load data: copies the line's bytes to the lanes (or the range) that wanted them. Bytes disabled by the access's own
/// enables stay as they are.
void gather(std::uint64_t line, std::uint32_t lanes, const unsigned char* data, Payload& access);

/// Enabled bytes of a contiguous access within a line, by the access's own enables.
ByteMask enabled_bytes(const LineRequest& request, const Payload& access);

}  // namespace gputlm
