// SPDX-License-Identifier: Apache-2.0
//
// Time inside the models: signed 64-bit femtoseconds (9,223 s of range). A 2.6 GHz cycle is 384.615 ps, so a period
// held in a kernel of 1 ps resolution would bend every latency; here a duration is rounded to 1 fs once, when the
// configuration is read, absolute times are exact sums, and only what is handed to the SystemC kernel is rounded to the
// kernel's resolution, which the host of this library chose.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "gputlm/tlm/systemc_guard.h"

namespace gputlm {

/// Femtoseconds, absolute or a duration.
using Fs = std::int64_t;

inline constexpr Fs kFsPerNs = 1'000'000;
inline constexpr Fs kNever = std::numeric_limits<Fs>::max();

/// Where the running kernel keeps its time, and femtoseconds per tick. The time is asked for dozens of times per line,
/// and sc_time_stamp() is a call into the kernel's library that returns the same reference each time.
struct KernelClock {
  const sc_core::sc_time* time = nullptr;  ///< Null: not asked for yet.
  Fs fs_per_tick = 0;
};
inline KernelClock found_kernel_clock;  // no local static: its guard would be looked at a hundred times per line
[[gnu::cold, gnu::noinline]] inline void find_kernel_clock() {
  found_kernel_clock = {&sc_core::sc_time_stamp(),
                        static_cast<Fs>(std::llround(sc_core::sc_get_time_resolution().to_seconds() * 1e15))};
}
inline const KernelClock& kernel_clock() {
  if (__builtin_expect(static_cast<long>(found_kernel_clock.time == nullptr), 0) != 0) find_kernel_clock();
  return found_kernel_clock;
}

/// Femtoseconds per tick of the running kernel (1 when its resolution is 1 fs, 1000 at the default 1 ps).
inline Fs fs_per_tick() {
  return kernel_clock().fs_per_tick;
}

inline Fs to_fs(const sc_core::sc_time& t) {
  return static_cast<Fs>(t.value()) * fs_per_tick();
}

/// Nearest representable kernel time; negative durations count as zero.
inline sc_core::sc_time to_sc_time(Fs t) {
  const Fs tick = fs_per_tick();
  if (t <= 0) return sc_core::SC_ZERO_TIME;
  return sc_core::sc_time::from_value(static_cast<sc_core::sc_time::value_type>(tick == 1 ? t : (t + tick / 2) / tick));
}

/// The first representable kernel time that is not before t; negative durations count as zero.
inline sc_core::sc_time to_sc_time_up(Fs t) {
  const Fs tick = fs_per_tick();
  if (t <= 0) return sc_core::SC_ZERO_TIME;
  return sc_core::sc_time::from_value(static_cast<sc_core::sc_time::value_type>(tick == 1 ? t : (t - 1) / tick + 1));
}

/// The kernel's current time. Three instructions, but at over a hundred places a compiler takes it for too large.
[[gnu::always_inline]] inline Fs now() {
  const KernelClock& clock = kernel_clock();
  return static_cast<Fs>(clock.time->value()) * clock.fs_per_tick;
}

inline double to_ns(Fs t) {
  return static_cast<double>(t) / static_cast<double>(kFsPerNs);
}
inline Fs from_ns(double ns) {
  return static_cast<Fs>(std::llround(ns * static_cast<double>(kFsPerNs)));
}

/// Duration of a (possibly fractional) number of cycles of a clock given in hertz.
inline Fs cycles_to_fs(double cycles, double hertz) {
  return static_cast<Fs>(std::llround(cycles * 1e15 / hertz));
}

}  // namespace gputlm
