// SPDX-License-Identifier: Apache-2.0
//
// Crossbar: what it tells about itself.
#include <algorithm>

#include "gputlm/crossbar/crossbar.h"

namespace gputlm {

void Crossbar::report(StatisticsSink& sink) const {
  std::uint64_t requests = 0;
  std::size_t peak = 0;
  Fs blocked = 0, share = 0, queue = 0;
  for (const OutPort& o : slices_) {
    requests += o.requests;
    peak = std::max(peak, o.peak);
    blocked += o.blocked + (o.blocked_since == kNever ? 0 : now() - o.blocked_since);
  }
  for (const SmPort& p : sms_) {
    share += p.stalls.total(Stall::sm_share, now());
    queue += p.stalls.total(Stall::slice_queue, now());
  }
  sink.count("requests", "line", "requests handed to a slice or to the system port", requests);
  sink.count("responses", "line", "responses handed to an SM", responses_);
  sink.count("queue_peak", "line", "most requests that waited for one slice at once", peak);
  sink.value("blocked_by_slice", "ns", "time slice ports stood still because the slice withheld END_REQ, summed",
             to_ns(blocked));
  sink.value("stalled_sm_share", "ns", "time SM ports waited because the SM's share of the network was used up, summed",
             to_ns(share));
  sink.value("stalled_slice_queue", "ns", "time SM ports waited because a slice's queue was full, summed",
             to_ns(queue));
  sink.histogram("load_request_wait",
                 "load's BEGIN_REQ at its SM's port to that at its slice, less the unloaded latency",
                 load_request_wait_);
  sink.histogram("store_request_wait", "the same of all other requests", store_request_wait_);
  sink.histogram("load_response_wait", "load's BEGIN_RESP of its slice to that at its SM, less the unloaded latency",
                 load_response_wait_);
  sink.histogram("store_response_wait", "the same of all other responses", store_response_wait_);
}

void Crossbar::list_waits(WaitList& waits) const {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const SmPort& port = sms_[i];
    if (port.parked)
      waits.add(*this, *port.parked, " of " + way_in(i) + " waits for room", port.parked_from,
                "towards " + way_out(port.parked_for));
    port.responses.for_each([&](Fs due, const PayloadRef& p) {
      waits.add(*this, *p, " is on its way back, due at " + ns_text(due), kNever);
    });
  }
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    const OutPort& o = slices_[i];
    const std::string withheld = way_out(i) + " withholds END_REQ";
    if (o.blocked_since != kNever)
      waits.add(*this, std::to_string(o.queue.size()) + " requests wait for " + way_out(i), o.blocked_since, withheld);
    o.queue.for_each([&](Fs due, const Crossing& c) {
      waits.add(*this, *c.request, " waits for " + way_out(i), due, o.blocked_since == kNever ? "" : withheld);
    });
  }
}

std::string Crossbar::way_in(std::size_t port) const {
  return port < spec_.sm_ports ? "SM " + std::to_string(port) : "hub port " + std::to_string(port - spec_.sm_ports);
}

std::string Crossbar::way_out(std::size_t port) const {
  return port == slice.size() ? "the system port" : "slice " + std::to_string(port);
}

}  // namespace gputlm
