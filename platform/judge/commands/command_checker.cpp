// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram_checker/command_checker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <queue>
#include <sstream>

namespace gputlm {

namespace {

/// A command that may still have to wait for one that is earlier in time.
struct Pending {
  BookedCommand command;
  std::uint64_t number;  // in the order of booking

  bool operator>(const Pending& other) const {
    return command.clock != other.command.clock ? command.clock > other.command.clock : number > other.number;
  }
};

}  // namespace

struct CommandChecker::Channel {
  static constexpr std::uint64_t kClosed = ~0ULL;

  Channel(const DramSpec& spec, unsigned number)
      : number(number), timing(spec, number), rows(std::size_t{spec.bank_groups} * spec.banks_per_group, kClosed) {}

  unsigned number;
  DramTiming timing;
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> waiting;  // until nothing older can come
  std::uint64_t booked = 0;
  Ck judged_to = 0;
  std::array<std::deque<BookedCommand>, kCommandKinds> history;  // judged, newest last
  std::vector<std::uint64_t> rows;                               // open row per bank
  Fs refresh_due_after = kNever;                                 // time of the last refresh, or of the first command
  std::deque<Ck> lanes_held_until;
  std::deque<std::pair<Ck, Ck>> bus;  // data intervals
};

CommandChecker::CommandChecker(const DramSpec& spec, std::size_t keep) : spec_(spec), keep_(keep) {
  reset();
}
CommandChecker::~CommandChecker() = default;

void CommandChecker::reset() {
  channels_.clear();
  for (unsigned c = 0; c < spec_.controllers * spec_.channels_per_controller; ++c)
    channels_.push_back(std::make_unique<Channel>(spec_, c));
}

void CommandChecker::complain(const Channel& channel, const BookedCommand& command, const std::string& what) {
  ++violation_count_;
  if (violations_.size() >= keep_) return;
  std::ostringstream text;
  text << "channel " << channel.number << ", clock " << command.clock << ": " << name_of(command.kind) << " of bank "
       << command.bank << " row " << command.row << " column " << command.column << ": " << what;
  violations_.push_back(text.str());
}

void CommandChecker::on_command(unsigned controller, unsigned channel, const BookedCommand& command, Ck watermark) {
  Channel& c = *channels_[controller * spec_.channels_per_controller + channel];
  if (command.clock < c.judged_to) complain(c, command, "booked in the past");
  c.waiting.push({command, c.booked++});
  c.judged_to = std::max(c.judged_to, watermark);
  judge_until(c, watermark);
}

void CommandChecker::finish() {
  for (auto& c : channels_) judge_until(*c, std::numeric_limits<Ck>::max());
}

void CommandChecker::judge_until(Channel& channel, Ck end) {
  while (!channel.waiting.empty() && channel.waiting.top().command.clock < end) {
    judge(channel, channel.waiting.top().command);
    channel.waiting.pop();
  }
}

void CommandChecker::print(std::ostream& out) const {
  for (const std::string& violation : violations_) out << violation << '\n';
  if (violation_count_ > violations_.size())
    out << "and " << violation_count_ - violations_.size() << " more violations\n";
}

void CommandChecker::judge(Channel& channel, const BookedCommand& command) {
  ++commands_;
  ++by_kind_[static_cast<std::size_t>(command.kind)];
  if (command.bank >= channel.rows.size() || command.column >= spec_.row_bytes / kSectorBytes ||
      (command.kind != CommandKind::refresh && command.row >= spec_.rows)) {
    complain(channel, command, "no such bank, row or column");
    return;
  }
  const double start = static_cast<double>(command.clock) * 1e15 / spec_.timing.clock_hz;
  if (std::abs(start - static_cast<double>(command.time)) > 1.0 + start * 1e-15)
    complain(channel, command, "time and clock disagree");
  judge_rules(channel, command);
  judge_rows(channel, command);
  judge_refresh(channel, command);
  judge_lanes(channel, command);
  judge_data_bus(channel, command);
  auto& history = channel.history[static_cast<std::size_t>(command.kind)];
  history.push_back(command);
  if (history.size() > 512) history.pop_front();
}

bool CommandChecker::shares_bank(const BookedCommand& a, const BookedCommand& b) const {
  const unsigned pairs = spec_.bank_groups * spec_.banks_per_group / 2;
  if (a.kind == CommandKind::refresh || b.kind == CommandKind::refresh) return a.bank % pairs == b.bank % pairs;
  return a.bank == b.bank;
}

bool CommandChecker::in_scope(RuleScope scope, const BookedCommand& before, const BookedCommand& after) const {
  if (scope == RuleScope::channel) return true;
  if (scope == RuleScope::bank) return shares_bank(before, after);
  return before.bank / spec_.banks_per_group == after.bank / spec_.banks_per_group;
}

void CommandChecker::judge_rules(Channel& channel, const BookedCommand& command) {
  for (const TimingRule& rule : channel.timing.rules()) {
    if (rule.after != command.kind) continue;
    unsigned seen = 0;
    const auto& history = channel.history[static_cast<std::size_t>(rule.before)];
    for (auto before = history.rbegin(); before != history.rend(); ++before) {
      if (before->clock + rule.gap <= command.clock) break;
      if (!in_scope(rule.scope, *before, command) || ++seen < rule.history) continue;
      std::ostringstream text;
      text << rule.name << " of " << rule.gap << " broken: " << name_of(before->kind) << " of bank " << before->bank
           << " at " << before->clock;
      complain(channel, command, text.str());
      break;
    }
  }
}

void CommandChecker::judge_rows(Channel& channel, const BookedCommand& command) {
  std::uint64_t& row = channel.rows[command.bank];
  switch (command.kind) {
    case CommandKind::activate:
      if (row != Channel::kClosed) complain(channel, command, "a row is open already");
      row = command.row;
      break;
    case CommandKind::precharge:
      if (row == Channel::kClosed) complain(channel, command, "no row is open");
      row = Channel::kClosed;
      break;
    case CommandKind::read:
    case CommandKind::write:
      if (row != command.row) complain(channel, command, "its row is not open");
      break;
    case CommandKind::refresh:
      for (std::size_t bank = 0; bank < channel.rows.size(); ++bank)
        if (bank % (channel.rows.size() / 2) == command.bank) channel.rows[bank] = Channel::kClosed;
      break;
  }
}

void CommandChecker::judge_refresh(Channel& channel, const BookedCommand& command) {
  if (spec_.timing.refresh_interval == 0) return;
  const auto clock = static_cast<Fs>(1e15 / spec_.timing.clock_hz) + 1;
  if (channel.refresh_due_after == kNever) channel.refresh_due_after = command.time;
  const Fs late = command.time - channel.refresh_due_after - spec_.timing.refresh_interval;
  if (command.kind != CommandKind::refresh) {
    if (late > clock) complain(channel, command, "a refresh is overdue");
    return;
  }
  channel.refresh_due_after = command.time;
  const auto& history = channel.history[static_cast<std::size_t>(CommandKind::refresh)];
  if (history.empty()) return;
  if (late > clock || late < -clock) complain(channel, command, "off the refresh interval");
  if (command.bank != (history.back().bank + 1) % (channel.rows.size() / 2))
    complain(channel, command, "pairs do not rotate");
}

void CommandChecker::judge_lanes(Channel& channel, const BookedCommand& command) {
  unsigned slots = 1;
  if (command.kind == CommandKind::write && command.mask == WriteMask::double_byte) slots = spec_.timing.wdm_slots;
  if (command.kind == CommandKind::write && command.mask == WriteMask::single_byte) slots = spec_.timing.wsm_slots;
  const bool automatic = command.kind == CommandKind::precharge && command.slots == 0;
  if (automatic) return;
  if (command.slots != slots) complain(channel, command, "wrong number of command slots");
  auto& held = channel.lanes_held_until;
  held.erase(std::remove_if(held.begin(), held.end(), [&](Ck end) { return end <= command.clock; }), held.end());
  if (held.size() >= spec_.timing.commands_per_clock) complain(channel, command, "the command bus is taken");
  held.push_back(command.clock + slots);
}

void CommandChecker::judge_data_bus(Channel& channel, const BookedCommand& command) {
  if (command.kind != CommandKind::read && command.kind != CommandKind::write) return;
  const Ck latency = command.kind == CommandKind::read ? spec_.timing.tCL : spec_.timing.tWL;
  const Ck first = command.clock + latency, end = first + spec_.timing.burst;
  for (const auto& [other_first, other_end] : channel.bus)
    if (first < other_end && other_first < end) complain(channel, command, "two columns on the data bus");
  channel.bus.emplace_back(first, end);
  if (channel.bus.size() > 64) channel.bus.pop_front();
}

}  // namespace gputlm
