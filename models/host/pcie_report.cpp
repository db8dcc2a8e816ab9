// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gputlm/host/pcie_link.h"

namespace gputlm {

void PcieLink::reset() {
  for (std::size_t w : {kUp, kDown}) {
    Way fresh;
    fresh.latency = ways_[w].latency;
    fresh.send = std::move(ways_[w].send);
    fresh.arrive = std::move(ways_[w].arrive);
    fresh.send->cancel();
    fresh.arrive->cancel();
    fresh.credits = {spec_.pcie.posted_credits, spec_.pcie.non_posted_credits, 0};
    fresh.tags = spec_.pcie.read_tags;
    ways_[w] = std::move(fresh);
    exit(w).reset();
  }
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    ports_[i] = Port{};
    entry(i).reset();
  }
  barriers_ = 0;
  read_round_trip_.reset();
}

bool PcieLink::idle() const {
  return std::all_of(ways_.begin(), ways_.end(), [](const Way& w) {
    return w.queues.empty() && w.in_flight.empty() && w.delivery.empty() && w.open.empty() && w.waiting.empty();
  });
}

void PcieLink::report(StatisticsSink& sink) const {
  for (std::size_t w : {kUp, kDown}) {
    const Way& way = ways_[w];
    const std::string prefix = w == kUp ? "up_" : "down_", to = w == kUp ? "towards the host" : "towards the GPU";
    const Fs starved = way.starved + (way.starved_since == kNever ? 0 : now() - way.starved_since);
    sink.count(prefix + "data", "byte", "data carried " + to, way.data);
    sink.count(prefix + "bytes", "byte", "bytes on the wire " + to + ", with framing and headers", way.bytes);
    sink.count(prefix + "packets", "packet", "packets sent " + to, way.packets);
    sink.count(prefix + "queue_peak", "line", "most lines of one class that waited for the wire " + to, way.queue_peak);
    sink.count(prefix + "refused", "line", "posted writes that their target " + to + " refused", way.refused_posted);
    sink.value(prefix + "busy", "ns", "time the wire " + to + " was in use", to_ns(way.busy));
    sink.value(prefix + "starved", "ns", "time the wire " + to + " stood still for want of credits or tags",
               to_ns(starved));
  }
  Fs stalled = 0;
  for (const Port& port : ports_) stalled += port.stalled + (port.withheld ? std::max<Fs>(0, now() - port.since) : 0);
  sink.value("stalled", "ns", "time requests waited at the link's ports, summed", to_ns(stalled));
  sink.count("barriers", "request", "system barriers that entered the link", barriers_);
  sink.histogram("read_round_trip", "read request at the link to its data", read_round_trip_);
}

void PcieLink::list_waits(WaitList& waits) const {
  for (std::size_t i = 0; i < ports_.size(); ++i)
    if (ports_[i].withheld)
      waits.add(*this, *ports_[i].withheld, " waits for room at port " + std::to_string(i), ports_[i].since);
  for (const Way& way : ways_) {
    const std::string why = way.starved_since == kNever ? "" : "the far side has no room, or no tag is free";
    way.queues.for_each(
        [&](const PacketItem& item) { waits.add(*this, *item.payload, " waits for the wire", item.ready, why); });
    way.in_flight.for_each([&](Fs due, const PacketItem& item) {
      waits.add(*this, *item.payload, " is on the wire, due at " + ns_text(due), kNever);
    });
    for (std::size_t i = 0; i < way.delivery.size(); ++i)
      waits.add(*this, *way.delivery[i].payload, " waits for delivery", way.delivery[i].entered,
                "the target withholds END_REQ");
    for (const auto& [payload, item] : way.open)
      waits.add(*this, *payload, " waits for its target's answer", item.entered);
  }
}

}  // namespace gputlm
