// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/dram_timing.h"

#include <algorithm>
#include <cmath>

#include "gputlm/dram/rule_names.h"

namespace gputlm {

using namespace rule_names;

namespace {

std::vector<TimingRule> make_rules(const DramTimingSpec& t, Ck refresh_cycles) {
  const char* const row = "GDDR6 row cycle (R2 set, held in ns)";
  const char* const column = "GDDR6 bank groups: other groups fill the gap";
  const char* const turn = "data bus changes direction";
  const char* const refresh = "REFp2b: the pair must be closable when it starts (GDDR6); duration measured (READS)";
  const Ck written = Ck{t.tWL} + t.burst;
  const Ck read_to_write = std::max<Ck>(t.tRTW, Ck{t.tCL} + t.burst - t.tWL);
  return {
      {"tRCDRD", kAct, kRead, kBank, t.tRCDRD, 1, row},
      {"tRCDWR", kAct, kWrite, kBank, t.tRCDWR, 1, row},
      {"tRAS", kAct, kPre, kBank, t.tRAS, 1, row},
      {"tRC", kAct, kAct, kBank, t.tRC, 1, row},
      {"tRP", kPre, kAct, kBank, t.tRP, 1, row},
      {"tRTP", kRead, kPre, kBank, t.tRTP, 1, row},
      {"tWR", kWrite, kPre, kBank, written + t.tWR, 1, "write recovery counts from the end of the data"},
      {"tRRDL", kAct, kAct, kGroup, t.tRRDL, 1, row},
      {"tRRDS", kAct, kAct, kChannel, t.tRRDS, 1, row},
      {"tFAW", kAct, kAct, kChannel, t.tFAW, 4, "at most four activates in the window (GDDR6)"},
      {"tCCDL", kRead, kRead, kGroup, t.tCCDL, 1, column},
      {"tCCDL", kWrite, kWrite, kGroup, t.tCCDL, 1, column},
      {"tCCDS", kRead, kRead, kChannel, std::max(t.tCCDS, t.burst), 1, column},
      {"tCCDS", kWrite, kWrite, kChannel, std::max(t.tCCDS, t.burst), 1, column},
      {"tRTW", kRead, kWrite, kChannel, read_to_write, 1, turn},
      {"tWTRS", kWrite, kRead, kChannel, written + t.tWTRS, 1, turn},
      {"tWTRL", kWrite, kRead, kGroup, written + t.tWTRL, 1, turn},
      {"tRAS", kAct, kRefresh, kBank, t.tRAS, 1, refresh},
      {"tRTP", kRead, kRefresh, kBank, t.tRTP, 1, refresh},
      {"tWR", kWrite, kRefresh, kBank, written + t.tWR, 1, refresh},
      {"tRFCp2b", kRefresh, kAct, kBank, refresh_cycles, 1, refresh},
  };
}

}  // namespace

const char* name_of(CommandKind kind) {
  static constexpr std::array<const char*, kCommandKinds> names{"activate", "precharge", "read", "write", "refresh"};
  return names[static_cast<std::size_t>(kind)];
}

DramTiming::DramTiming(const DramSpec& spec, unsigned channel)
    : activate_window_(spec.timing.tFAW),
      period_(1e15 / spec.timing.clock_hz),
      whole_period_(static_cast<Fs>(std::floor(period_))),
      part_period_(period_ - std::floor(period_)),
      interval_(spec.timing.refresh_interval),
      phase_(interval_ / std::max(1U, spec.controllers * spec.channels_per_controller) * (channel + 1)),
      refresh_cycles_(cycles(spec.timing.refresh_duration)),
      pairs_(std::max(1U, spec.bank_groups * spec.banks_per_group / 2)) {
  rules_ = make_rules(spec.timing, refresh_cycles_);
  for (const TimingRule& rule : rules_) {
    if (rule.history != 1) continue;
    Ck& gap = gaps_[index_of(rule.before, rule.after, rule.scope)];
    gap = std::max(gap, rule.gap);
  }
}

Fs DramTiming::time_of(Ck clock) const {
  const double part = static_cast<double>(clock) * part_period_;
  return clock * whole_period_ + static_cast<Fs>(part < 0 ? part - 0.5 : part + 0.5);  // llround would be a call
}

Ck DramTiming::at_or_after(Fs t) const {
  auto clock = static_cast<Ck>(static_cast<double>(t) / period_);
  if (time_of(clock) < t) {
    while (time_of(++clock) < t) {
    }
    return clock;
  }
  while (clock > 0 && time_of(clock - 1) >= t) --clock;
  return clock;
}

Ck DramTiming::cycles(Fs duration) const {
  // A duration given in nanoseconds is rounded to 1 fs; what exceeds a whole clock by no more than that is that clock.
  return static_cast<Ck>(std::ceil((static_cast<double>(duration) - 1.0) / period_));
}

std::uint64_t DramTiming::next_refresh(unsigned pair, Ck from) const {
  const Fs since = time_of(from) - phase_;
  std::uint64_t i = since <= 0 ? 0 : static_cast<std::uint64_t>((since + interval_ - 1) / interval_);
  // The start is rounded up to a clock, so the refresh before may still begin at `from`.
  if (i > 0 && refresh_start(i - 1) >= from) --i;
  return i + (pair + pairs_ - i % pairs_) % pairs_;
}

}  // namespace gputlm
