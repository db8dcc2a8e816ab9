// SPDX-License-Identifier: Apache-2.0
#include "gputlm/loose/loose_timing.h"

#include <algorithm>

namespace gputlm {
namespace {

bool brings_data(Operation o) {
  return o != Operation::load;
}
bool takes_data(Operation o) {
  return o == Operation::load || o == Operation::atomic;
}
bool stays_dirty(Operation o) {
  return o != Operation::load;
}

}  // namespace

Fs BookedTime::book(Fs at, Fs duration) {
  duration = std::min(duration, kWindow);
  for (std::int64_t number = at / kWindow;; ++number) {
    const Fs first = number * kWindow, from = std::max(at, first);
    Window& w = windows_[static_cast<std::size_t>(number) % kWindows];
    if (w.number < number) w = {number, 0, first, first};
    if (w.number > number) return at;  // too far back to be known
    if (from < w.run_begin) {
      const Fs begin = std::max(from, first + w.booked_before);
      if (begin + duration <= w.run_begin) {
        w.booked_before += duration;
        return begin;
      }
    }
    const Fs begin = std::max(from, w.run_end);
    if (begin + duration > first + kWindow) continue;
    if (begin > w.run_end) {
      w.booked_before += w.run_end - w.run_begin;
      w.run_begin = begin;
    }
    w.run_end = begin + duration;
    return begin;
  }
}

LooseTiming::LooseTiming(const LooseSpec& spec)
    : spec_(spec),
      in_(spec.ports),
      out_(spec.ports),
      slices_(spec.slices),
      slice_data_(spec.slices),
      channels_(spec.channels),
      same_word_(spec.slices, SameWordGate(spec.atomic_interval)),
      lines_(std::size_t{spec.slices} * spec.sets * spec.ways),
      last_use_(lines_.size()),
      states_(lines_.size()) {}

void LooseTiming::reset() {
  for (auto* resources : {&in_, &out_, &slices_, &slice_data_, &channels_})
    std::fill(resources->begin(), resources->end(), BookedTime());
  for (SameWordGate& gate : same_word_) gate.clear();
  lines_.clear();
  last_use_.clear();
  states_.clear();
  uses_ = dirty_bytes_ = dirty_lines_ = sectors_written_ = 0;
  counters_ = {};
}

void LooseTiming::set_dirty(std::size_t way, ByteMask dirty) {
  ByteMask& mask = states_[way].dirty;
  dirty_lines_ = dirty_lines_ + (dirty.empty() ? 0 : 1) - (mask.empty() ? 0 : 1);
  dirty_bytes_ = dirty_bytes_ + dirty.count() - mask.count();
  mask = dirty;
}

/// Books the channel; returns when the write begins.
Fs LooseTiming::write_back(std::size_t way, unsigned channel, Fs at) {
  const ByteMask dirty = states_[way].dirty;
  const unsigned sectors = count_sectors(dirty.touched_sectors());
  ++counters_.write_backs;
  counters_.write_back_bytes += dirty.count();
  sectors_written_ += sectors;
  set_dirty(way, {});
  return channels_[channel].book(at, sectors * spec_.channel_sector);
}

/// The line's way. A line that has none is given the least recently used one; where that is dirty, `at` moves to when
/// the write backlog has room for it.
std::size_t LooseTiming::way_of(const LoosePlace& place, std::uint64_t line, Fs& at, bool& hit) {
  const std::size_t first = first_of(place.slice, place.set), end = first + spec_.ways;
  std::size_t way = first, oldest = first;
  for (; way < end && (lines_[way] != line || last_use_[way] == 0); ++way)
    if (last_use_[way] < last_use_[oldest]) oldest = way;
  hit = way < end;
  if (!hit) {
    way = oldest;
    if (last_use_[way] != 0) ++counters_.evictions;
    if (!states_[way].dirty.empty())
      at = std::max(at, write_back(way, spec_.place_of(lines_[way]).channel, at) - spec_.write_backlog);
    lines_[way] = line;
    states_[way].valid = {};
  }
  last_use_[way] = ++uses_;
  return way;
}

void LooseTiming::hold(std::uint64_t line, ByteMask valid, ByteMask dirty) {
  Fs at = 0;
  bool hit = false;
  const std::size_t way = way_of(spec_.place_of(line), line, at, hit);
  states_[way].valid = valid;
  set_dirty(way, dirty);
}

Fs LooseTiming::fetch(unsigned channel, unsigned sectors, Fs at) {
  ++counters_.fetches;
  counters_.fetched_sectors += sectors;
  const Fs start = channels_[channel].book(at, sectors * spec_.channel_sector);
  return start + spec_.fetch_latency + (sectors - 1) * spec_.fetch_sector;
}

Fs LooseTiming::crossing(const LooseAccess& a, Fs latency) const {
  if (a.port < spec_.port_position.size()) latency += spec_.port_position[a.port];
  if (a.place.slice < spec_.slice_position.size()) latency += spec_.slice_position[a.place.slice];
  return latency;
}

/// Through the port and the network to the slice; returns when the slice takes it.
Fs LooseTiming::enter(const LooseAccess& a, unsigned sectors_in, Fs at, Fs& entered) {
  const Fs entry = std::max(spec_.port_header, sectors_in * spec_.port_sector_in);
  const Fs sent = in_[a.port].book(at, entry);
  entered = sent + entry;
  const Fs service = std::max(spec_.slice_request, sectors_in * spec_.slice_sector_in);
  return slices_[a.place.slice].book(std::max(sent + crossing(a, spec_.request_latency), entered), service);
}

void LooseTiming::count(Operation operation, bool hit) {
  L2Counters& c = counters_;
  ++c.requests;
  switch (operation) {
    case Operation::load:
      ++c.loads;
      ++(hit ? c.load_hits : c.load_misses);
      break;
    case Operation::store:
      ++c.stores;
      c.store_hits += hit ? 1 : 0;
      break;
    case Operation::reduction:
      ++c.reductions;
      break;
    default:
      ++c.atomics;
  }
}

/// When the bytes that a load or an atomic needs are at the slice. They are valid from now on.
Fs LooseTiming::with_bytes(const LooseAccess& a, std::size_t way, Fs served) {
  const ByteMask whole = ByteMask::sectors(a.mask.touched_sectors());
  ByteMask& valid = states_[way].valid;
  const unsigned missing = count_sectors(((spec_.serve_valid ? a.mask : whole) & ~valid).touched_sectors());
  if (a.operation == Operation::load) count(a.operation, missing == 0);
  if (missing == 0) return served;
  valid |= whole;
  return fetch(a.place.channel, missing, served);
}

LooseTimes LooseTiming::access(const LooseAccess& a, Fs at) {
  const unsigned sectors = count_sectors(a.mask.touched_sectors());
  LooseTimes t;
  t.served = enter(a, brings_data(a.operation) ? sectors : 0, at, t.entered);
  bool hit = false;
  const std::size_t way = way_of(a.place, a.line, t.served, hit);
  Fs done = t.served;
  if (a.operation == Operation::store) {  // needs no fetch
    count(a.operation, hit);
    states_[way].valid |= a.mask;
    done += spec_.store_latency;
  } else {
    done = with_bytes(a, way, t.served) + spec_.load_latency;
    if (a.operation != Operation::load) {
      count(a.operation, hit);
      done = same_word_[a.place.slice].book(a.line, a.mask, done) + spec_.atomic_latency;
    }
  }
  if (stays_dirty(a.operation)) set_dirty(way, states_[way].dirty | a.mask);
  t.answered = done + crossing(a, spec_.response_latency);
  if (takes_data(a.operation)) {
    const Fs sent = slice_data_[a.place.slice].book(done, sectors * spec_.slice_sector_out);
    t.answered = out_[a.port].book(sent + crossing(a, spec_.response_latency), sectors * spec_.port_sector_out);
  }
  return t;
}

Fs LooseTiming::flush(Fs at) {
  Fs done = at;
  for (std::size_t way = 0; way < lines_.size(); ++way) {
    if (states_[way].dirty.empty()) continue;
    const unsigned sectors = count_sectors(states_[way].dirty.touched_sectors());
    const Fs start = write_back(way, spec_.place_of(lines_[way]).channel, at);
    done = std::max(done, start + sectors * spec_.channel_sector);
  }
  return done;
}

void LooseTiming::invalidate_clean() {
  for (std::size_t way = 0; way < lines_.size(); ++way) {
    if (!states_[way].dirty.empty()) continue;
    last_use_[way] = 0;
    states_[way].valid = {};
  }
}

}  // namespace gputlm
