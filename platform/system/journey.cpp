// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/journey.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace gputlm {

/// Turns the phases of one arrow into stations of the unit at its far end.
class Journey::Listener : public tlm::tlm_analysis_if<ArrowEvent> {
 public:
  Listener(Journey& journey, std::string unit) : journey_(journey), unit_(std::move(unit)) {}

  void write(const ArrowEvent& e) override {
    const Sideband* s = find_sideband(*e.payload);
    const std::string what =
        fmt::format("{} {:#x}", s != nullptr ? name_of(s->operation) : "access", e.payload->get_address());
    switch (e.phase) {
      case ArrowEvent::Phase::begin_req:
        return add(e.time, "request arrives: " + what);
      case ArrowEvent::Phase::end_req:
        return add(e.time, "request accepted");
      case ArrowEvent::Phase::begin_resp:
        return add(e.time, e.payload->is_write() ? "ack leaves" : "response leaves");
      case ArrowEvent::Phase::end_resp:
        return;
    }
  }

 private:
  void add(Fs time, std::string event) { journey_.stations_.push_back({time, unit_, std::move(event)}); }

  Journey& journey_;
  std::string unit_;
};

Journey::Journey(Simulation& s) {
  for (std::size_t i = 0; i < s.gpu.sms.size(); ++i) {
    Sm& sm = *s.gpu.sms[i];
    const std::string n = "SM " + std::to_string(i) + " ";
    for (const auto& access : sm.lsu.accesses) listen(access->arrow, n + "LSU");
    listen(sm.l1.requests.arrow, n + "L1");
    listen(sm.mmu.requests.arrow, n + "MMU");
    listen(s.gpu.mem.crossbar.sm[i]->arrow, "crossbar");
  }
  for (std::size_t i = 0; i < s.gpu.mem.slices.size(); ++i)
    listen(s.gpu.mem.slices[i]->requests.arrow, "L2 slice " + std::to_string(i));
  for (std::size_t i = 0; i < s.gpu.mem.channels.size(); ++i)
    listen(s.gpu.mem.channels[i]->commands.arrow, "DRAM channel " + std::to_string(i));
  s.l2_observers.add(*this);
}

Journey::~Journey() = default;

void Journey::listen(ArrowPort& arrow, std::string unit) {
  listeners_.push_back(std::make_unique<Listener>(*this, std::move(unit)));
  arrow.bind(*listeners_.back());
}

void Journey::on_store(unsigned slice, const Payload& store) {
  stations_.push_back(
      {now(), "L2 slice " + std::to_string(slice),
       fmt::format("{} bytes written into their slot: others can see them", ByteMask::of(store).count())});
}

void Journey::on_load(unsigned slice, const Payload&) {
  stations_.push_back({now(), "L2 slice " + std::to_string(slice), "load takes its place in the order of memory"});
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
}

}  // namespace gputlm
