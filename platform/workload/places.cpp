// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/places.h"

#include <algorithm>

#include "gputlm/config/quantity.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/pattern_data.h"

namespace gputlm {

namespace {

void shuffle(std::vector<std::uint64_t>& places, std::uint64_t seed) {
  for (std::uint64_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[mix64(i, seed) % i]);
}

}  // namespace

void PlacesParameters::visit(ParameterVisitor& v) {
  v.counts("offsets", offsets, "the places, written out; else a grid of them is made of the following");
  v.bytes("footprint", footprint, 0, kMaxDistance, "bytes of the buffer from its start; 0: all");
  v.bytes("stride", stride, 1, kMaxDistance, "from one place to the next");
  v.bytes("chunk", chunk, 0, kMaxDistance, "the footprint is visited chunk by chunk (a page, say); 0: it is one chunk");
  v.count("per_chunk", per_chunk, 0, kMaxDistance, "places of each chunk; 0: all");
  v.choice("order", order, {"ascending", "shuffled"}, "of the places of a chunk");
}

void PlacesParameters::check(const PatternContext& context, const std::string& buffer, std::uint64_t width,
                             std::uint64_t unit, PatternProblems& problems) const {
  const std::uint64_t size = context.size_of(buffer);
  for (const std::uint64_t offset : offsets)
    if (size < width || offset > size - width || offset % unit != 0)
      return problems.add("offsets", "a place is not in buffer " + buffer + " or not aligned", format_hex(offset),
                          "a multiple of " + format_bytes(unit) + " within " + format_bytes(size));
  if (!offsets.empty()) return;
  if (footprint > size)
    problems.add("footprint", "is larger than buffer " + buffer, format_bytes(footprint), format_bytes(size));
  if (std::min(footprint == 0 ? size : footprint, chunk == 0 ? size : chunk) < width)
    problems.add("footprint", "no place fits in", format_bytes(footprint), "at least " + format_bytes(width));
  check_ahead("stride", (footprint == 0 ? size : footprint) / std::max<std::uint64_t>(stride, 1), problems);
  if (stride % unit != 0 || chunk % unit != 0)
    problems.add("stride", "places would not be aligned", format_bytes(stride),
                 "stride and chunk multiples of " + format_bytes(unit));
}

std::vector<std::uint64_t> PlacesParameters::make(std::uint64_t size, std::uint64_t width, std::uint64_t seed) const {
  if (!offsets.empty()) return offsets;
  const std::uint64_t end = footprint == 0 ? size : footprint, step = chunk == 0 ? end : chunk;
  std::vector<std::uint64_t> all, part;
  for (std::uint64_t start = 0; start < end; start += step) {
    part.clear();
    for (std::uint64_t at = start; at + width <= std::min(end, start + step); at += stride) part.push_back(at);
    if (order == "shuffled") shuffle(part, mix64(start, seed));
    if (per_chunk != 0 && per_chunk < part.size()) part.resize(static_cast<std::size_t>(per_chunk));
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace gputlm
