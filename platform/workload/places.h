// SPDX-License-Identifier: Apache-2.0
//
// Places of a buffer in the order in which a pattern visits them: written out, or a grid of places in some order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/tlm/byte_mask.h"
#include "gputlm/workload/pattern.h"

namespace gputlm {

/// Parameters that say which places, and in which order. The footprint is cut into chunks that are visited one after
/// the other, so that a chase can go through memory page by page.
struct PlacesParameters {
  std::vector<std::uint64_t> offsets;
  std::uint64_t footprint = 0;  ///< 0: the whole buffer.
  std::uint64_t stride = kLineBytes;
  std::uint64_t chunk = 0;      ///< 0: one chunk.
  std::uint64_t per_chunk = 0;  ///< 0: all of a chunk's places.
  std::string order = "ascending";

  void visit(ParameterVisitor& v);
  /// Reports places of `width` bytes that are not in the buffer or no multiple of `unit`, and a grid without places.
  void check(const PatternContext& context, const std::string& buffer, std::uint64_t width, std::uint64_t unit,
             PatternProblems& problems) const;
  /// Offsets in a buffer of `size` bytes, each of a place of `width` bytes.
  std::vector<std::uint64_t> make(std::uint64_t size, std::uint64_t width, std::uint64_t seed) const;
};

}  // namespace gputlm
