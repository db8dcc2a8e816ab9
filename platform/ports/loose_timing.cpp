// SPDX-License-Identifier: Apache-2.0
#include "gputlm/ports/loose_timing.h"

#include <algorithm>

#include "gputlm/tlm/byte_mask.h"

namespace gputlm {

Fs BookedTime::book(Fs at, Fs duration) {
  duration = std::min(duration, kWindow);
  for (std::int64_t number = at / kWindow;; ++number) {
    Window& w = windows_[static_cast<std::size_t>(number) % kWindows];
    if (w.number < number) w = {number, 0, 0, 0};
    if (w.number > number) return at;  // too far back to be known
    const Fs from = std::max(at, number * kWindow);
    const Fs begin = std::max(from, from >= w.last_begin ? w.last_end : number * kWindow + w.booked);
    if (begin + duration > (number + 1) * kWindow) continue;
    w.booked += duration;
    if (begin >= w.last_begin) w.last_begin = begin, w.last_end = begin + duration;
    return begin;
  }
}

LooseTiming::LooseTiming(const LooseSpec& spec)
    : spec_(spec),
      in_(spec.ports),
      out_(spec.ports),
      slices_(spec.slices),
      channels_(spec.channels),
      ways_(std::size_t{spec.slices} * spec.sets * spec.ways) {}

void LooseTiming::reset() {
  for (auto* resources : {&in_, &out_, &slices_, &channels_})
    std::fill(resources->begin(), resources->end(), BookedTime());
  std::fill(ways_.begin(), ways_.end(), Way());
  uses_ = 0;
}

// The line's way; the least recently used one is given to a line that has none, and written to its channel if dirty.
LooseTiming::Way& LooseTiming::way_of(const LoosePlace& place, std::uint64_t line, Fs at) {
  Way* const first = &ways_[(std::size_t{place.slice} * spec_.sets + place.set) * spec_.ways];
  Way* const end = first + spec_.ways;
  Way* way = std::find_if(first, end, [line](const Way& w) { return w.line == line; });
  if (way == end) {
    way = std::min_element(first, end, [](const Way& a, const Way& b) { return a.last_use < b.last_use; });
    if (way->dirty) channels_[spec_.place_of(way->line).channel].book(at, kSectorsPerLine * spec_.channel_sector);
    *way = {line, 0, {}, false};
  }
  way->last_use = ++uses_;
  return *way;
}

Fs LooseTiming::fetch(const LoosePlace& place, unsigned sectors, Fs at) {
  const Fs start = channels_[place.channel].book(at, sectors * spec_.channel_sector);
  return start + spec_.fetch_latency + (sectors - 1) * spec_.fetch_sector;
}

Fs LooseTiming::access(unsigned port, std::uint64_t line, ByteMask mask, bool reads, Fs at) {
  const LoosePlace place = spec_.place_of(line);
  const unsigned sectors = count_sectors(mask.touched_sectors());
  const Fs entry = std::max(spec_.port_header, reads ? Fs{0} : sectors * spec_.port_sector_in);
  const Fs sent = in_[port].book(at, entry);
  const Fs served = slices_[place.slice].book(sent + std::max(spec_.request_latency, entry), spec_.slice_request);
  Way& way = way_of(place, line, served);
  if (!reads) {  // needs no fetch
    way.valid |= mask;
    way.dirty = true;
    return served + spec_.store_latency + spec_.response_latency;
  }
  const ByteMask wanted = ByteMask::sectors(mask.touched_sectors());
  const unsigned missing = count_sectors((wanted & ~way.valid).touched_sectors());
  way.valid |= wanted;
  const Fs ready = missing == 0 ? served : fetch(place, missing, served);
  return out_[port].book(ready + spec_.load_latency + spec_.response_latency, sectors * spec_.port_sector_out);
}

}  // namespace gputlm
