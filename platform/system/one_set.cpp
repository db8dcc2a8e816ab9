// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/one_set.h"

#include <fmt/ostream.h>

namespace gputlm {
namespace {

std::string text_of(const L2Way& w) {
  if (!w.present) return "-";
  return fmt::format("{:#x} rrpv {} {}{}", w.line, w.rrpv, w.dirty.empty() ? '-' : 'D', w.in_fifo ? 'F' : '-');
}

}  // namespace

OneSet::OneSet(Simulation& simulation) : simulation_(simulation) {
  simulation.lsu_observers.add(*this);
  simulation.l2_observers.add(*this);
  text_
      << "All ways of the set after each access: line address, RRPV, D dirty, F in the write-back FIFO; * marks what\n"
         "the access changed.\n";
}

void OneSet::on_access_answered(unsigned, const Payload& access) {
  const Sideband& s = *find_sideband(access);
  const auto physical = simulation_.gpu.pages.translate(s.virtual_address);
  if (!physical || (!access.is_read() && !access.is_write())) return;
  const Place place{simulation_.gpu.mem.slice_of(*physical), simulation_.gpu.mem.set_of(*physical)};
  const L2Slice& l2 = *simulation_.gpu.mem.slices[place.first];
  fmt::print(text_, "\n{:>3}. {:<5} line {:#x} at {:.3f} ns: {} dirty", ++accesses_, name_of(s.operation),
             line_of(*physical), to_ns(now()), l2.dirty_lines(place.second));
  if (place != shown_) {
    fmt::print(text_, " (slice {}, set {})", place.first, place.second);
    before_.clear();
    shown_ = place;
  }
  text_ << '\n';
  for (const std::string& e : events_) fmt::print(text_, "     {}\n", e);
  events_.clear();
  print_ways(l2.view_set(place.second));
}

void OneSet::print_ways(const std::vector<L2Way>& ways) {
  before_.resize(ways.size(), "-");
  for (std::size_t i = 0; i < ways.size(); ++i) {
    std::string now = text_of(ways[i]);
    const bool changed = now != before_[i];
    fmt::print(text_, changed && before_[i] != "-" ? "   {} way {:>2}  {:<24}  was {}\n" : "   {} way {:>2}  {}\n",
               changed ? '*' : ' ', i, now, before_[i]);
    before_[i] = std::move(now);
  }
}

void OneSet::on_line(unsigned slice, LineEvent event, unsigned set, unsigned way, std::uint64_t line) {
  if (shown_.first != ~0U && Place{slice, set} != shown_) return;
  const char* what = event == LineEvent::janitor_clean  ? "the janitor cleans"
                     : event == LineEvent::dirty_victim ? "dirty victim, into the write-back FIFO:"
                     : event == LineEvent::fifo_popped  ? "out of the write-back FIFO:"
                     : event == LineEvent::evicted      ? "replaced:"
                                                        : nullptr;
  if (what != nullptr) events_.push_back(fmt::format("{} line {:#x} of way {}", what, line, way));
}

}  // namespace gputlm
