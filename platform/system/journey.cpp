// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/journey.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace gputlm {

/// Turns the phases of one arrow into stations of the unit at its far end.
class Journey::Listener : public tlm::tlm_analysis_if<ArrowEvent> {
 public:
  Listener(Journey& journey, std::string unit, Side side) : journey_(journey), unit_(std::move(unit)), side_(side) {}

  void write(const ArrowEvent& e) override {
    switch (e.phase) {
      case ArrowEvent::Phase::begin_req:
        return journey_.add(e.time, unit_, "request arrives: " + text_of(*e.payload));
      case ArrowEvent::Phase::end_req:
        return journey_.add(e.time, unit_, "request accepted: " + whose(*e.payload));
      case ArrowEvent::Phase::begin_resp:
        return journey_.add(e.time, unit_,
                            (e.payload->is_write() ? "ack leaves: " : "response leaves: ") + whose(*e.payload));
      case ArrowEvent::Phase::end_resp:
        return;
    }
  }

 private:
  std::string text_of(const Payload& p) const {
    const Sideband* s = find_sideband(p);
    // A controller tells its channel early which row it will want; nothing is read yet.
    const bool row_only = p.is_read() && ByteMask::of(p).empty();
    return fmt::format("{} {} {:#x}",
                       row_only       ? "row wanted soon,"
                       : s != nullptr ? name_of(s->operation)
                                      : "access",
                       side_ == Side::virtual_addresses ? "va" : "pa", p.get_address());
  }
  // An SM's access by its place in its program, since translation changes its address on the way.
  std::string whose(const Payload& p) const {
    const Sideband* s = find_sideband(p);
    constexpr std::uint16_t kNoSm = Origin{}.sm;
    if (s == nullptr || s->origin.sm == kNoSm) return text_of(p);
    return fmt::format("SM {} warp {} instruction {}", s->origin.sm, s->origin.warp, s->origin.instruction);
  }

  Journey& journey_;
  std::string unit_;
  Side side_;
};

Journey::Journey(Simulation& s) : simulation_(s) {
  for (std::size_t i = 0; i < s.gpu.sms.size(); ++i) {
    Sm& sm = *s.gpu.sms[i];
    const std::string n = "SM " + std::to_string(i) + " ";
    for (const auto& access : sm.lsu.accesses) listen(access->arrow, n + "LSU", Side::virtual_addresses);
    listen(sm.l1.requests.arrow, n + "L1", Side::virtual_addresses);
    listen(sm.mmu.requests.arrow, n + "MMU", Side::virtual_addresses);
    listen(s.gpu.mem.crossbar.sm[i]->arrow, "crossbar");
  }
  for (std::size_t i = 0; i < s.gpu.mem.slices.size(); ++i)
    listen(s.gpu.mem.slices[i]->requests.arrow, "L2 slice " + std::to_string(i));
  for (std::size_t i = 0; i < s.gpu.mem.controllers.size(); ++i)
    for (const auto& doors : {&s.gpu.mem.controllers[i]->reads, &s.gpu.mem.controllers[i]->writes})
      for (const auto& door : *doors) listen(door->arrow, "controller " + std::to_string(i));
  for (std::size_t i = 0; i < s.gpu.mem.channels.size(); ++i) {
    listen(s.gpu.mem.channels[i]->commands.arrow, "DRAM channel " + std::to_string(i));
    s.gpu.mem.channels[i]->set_observer(this);
  }
  s.l2_observers.add(*this);
}

Journey::~Journey() {
  for (const auto& channel : simulation_.gpu.mem.channels) channel->set_observer(nullptr);
}

void Journey::listen(ArrowPort& arrow, std::string unit, Side side) {
  listeners_.push_back(std::make_unique<Listener>(*this, std::move(unit), side));
  arrow.bind(*listeners_.back());
}

void Journey::add(Fs time, std::string unit, std::string event) {
  if (stations_.size() < kMost)
    stations_.push_back({time, std::move(unit), std::move(event)});
  else
    ++left_out_;
}

void Journey::on_store(unsigned slice, const Payload& store) {
  add(now(), "L2 slice " + std::to_string(slice),
      fmt::format("{} bytes written into their slot: others can see them", ByteMask::of(store).count()));
}

void Journey::on_load(unsigned slice, const Payload&) {
  add(now(), "L2 slice " + std::to_string(slice), "load takes its place in the order of memory");
}

void Journey::on_line(unsigned slice, LineEvent event, unsigned, unsigned, std::uint64_t line) {
  const char* what = event == LineEvent::flush_clean           ? "flush: write-back queued of"
                     : event == LineEvent::janitor_clean       ? "janitor: write-back queued of"
                     : event == LineEvent::dirty_victim        ? "victim: write-back queued of"
                     : event == LineEvent::write_back_accepted ? "write-back accepted, clean now:"
                     : event == LineEvent::written_to_dram     ? "told that DRAM holds"
                                                               : nullptr;
  if (what != nullptr) add(now(), "L2 slice " + std::to_string(slice), fmt::format("{} line pa {:#x}", what, line));
}

void Journey::on_command(unsigned controller, unsigned channel, const BookedCommand& c, Ck) {
  if (c.kind == CommandKind::refresh) return;
  const unsigned number = controller * simulation_.gpu.config().dram.channels_per_controller + channel;
  const bool column = c.kind == CommandKind::read || c.kind == CommandKind::write;
  add(c.time, "DRAM channel " + std::to_string(number),
      fmt::format("{} bank {} row {}", name_of(c.kind), c.bank, c.row) +
          (column ? fmt::format(" column {}", c.column) : std::string()));
}

std::vector<Journey::Station> Journey::stations() const {
  std::vector<Station> sorted = stations_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Station& a, const Station& b) { return a.time < b.time; });
  return sorted;
}

void Journey::print(std::ostream& out) const {
  fmt::print(out, "  {:>10}  {:>10}  {:<18}{}\n", "time ns", "+ ns", "station", "event");
  Fs last = 0;
  for (const Station& s : stations()) {
    fmt::print(out, "  {:>10.3f}  {:>10.3f}  {:<18}{}\n", to_ns(s.time), to_ns(s.time - last), s.unit, s.event);
    last = s.time;
  }
  if (left_out_ != 0) fmt::print(out, "  ... and {} more: a journey shows the first {} stations\n", left_out_, kMost);
}

}  // namespace gputlm
