// SPDX-License-Identifier: Apache-2.0
#include "gputlm/mmu/mmu.h"

#include <algorithm>
#include <ostream>

namespace gputlm {

Mmu::Mmu(const sc_core::sc_module_name& name, const MmuSpec& spec, unsigned sm, const PageTable& table)
    : Unit(name),
      requests("requests", *this),
      physical("physical", *this),
      spec_(spec),
      sm_(sm),
      table_(table),
      tlb_(spec.entries) {}

bool Mmu::translate(Payload& p, Fs& latency) {
  const std::uint64_t address = p.get_address();
  ++counters_.translations;
  if (const Page* page = tlb_.find(address)) {
    ++counters_.hits;
    latency = spec_.hit_latency;
    p.set_address(page->translate(address));
    return true;
  }
  latency = spec_.miss_latency;
  const std::optional<Page> page = table_.find(address);
  if (!page) {
    ++counters_.faults;
    return false;
  }
  ++counters_.misses;
  tlb_.insert(*page);
  p.set_address(page->translate(address));
  return true;
}

/// The address as its creator wrote it.
void Mmu::restore(Payload& p) {
  p.set_address(sideband_of(p).virtual_address);
}

Admission Mmu::on_request(std::size_t /*port*/, Payload& p, Fs& delay) {
  const bool translated = sideband_of(p).operation != Operation::system_barrier;
  const Fs arrival = now() + delay;
  Fs latency = 0;
  const bool mapped = !translated || translate(p, latency);
  last_ = std::max(last_, arrival + latency);
  if (!mapped) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    delay = last_ - now();
    return Admission::complete;
  }
  const Fs added = last_ - arrival;
  counters_.wait.add(added);
  Fs leaves = last_ - now();
  switch (physical.request(p, leaves)) {
    case Sent::withheld:
      ++in_flight_;
      held_ = {PayloadRef(p), arrival, added};
      stall_.begin(Stall::network, arrival);
      return Admission::withhold;
    case Sent::responded:
      if (translated) restore(p);
      delay = leaves;
      return Admission::complete;
    case Sent::accepted:
    default:
      ++in_flight_;
      // Translations overlap: the next request may arrive while this one is still in here.
      last_ = std::max(last_, now() + leaves);
      delay = std::max(delay, leaves - added);
      return Admission::accept;
  }
}

void Mmu::on_accepted(std::size_t /*port*/, Payload& /*p*/, Fs delay) {
  if (!held_.request) return;
  last_ = std::max(last_, now() + delay);
  const Fs at = std::max({now(), held_.arrival, now() + delay - held_.added});
  stall_.end(at);
  const PayloadRef request = std::move(held_.request);
  // A response that comes before its END_REQ implies it, on the arrow above as well.
  if (request->get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) requests.accept(*request, at - now());
}

bool Mmu::on_response(std::size_t /*port*/, Payload& p, Fs delay) {
  if (in_flight_ > 0) --in_flight_;
  if (sideband_of(p).operation != Operation::system_barrier) restore(p);
  requests.respond(p, delay);
  return true;
}

unsigned Mmu::on_debug(std::size_t /*port*/, Payload& p) {
  const std::uint64_t address = p.get_address();
  const std::optional<Page> page = table_.find(address);
  if (!page || p.get_data_length() > page->bytes - (address - page->virtual_base)) return 0;
  p.set_address(page->translate(address));
  const unsigned done = physical->transport_dbg(p);
  p.set_address(address);
  return done;
}

void Mmu::on_debug_written(std::size_t /*port*/, std::uint64_t first, std::uint64_t last) {
  table_.for_each_alias(first, last,
                        [this](std::uint64_t from, std::uint64_t to) { requests.announce_debug_write(from, to); });
}

void Mmu::reset() {
  requests.reset();
  physical.reset();
  tlb_.flush();
  held_ = {};
  stall_.reset();
  in_flight_ = 0;
  last_ = now();
  counters_ = {};
}

void Mmu::report(StatisticsSink& sink) const {
  sink.count("translations", "request", "Addresses looked up in the TLB", counters_.translations);
  sink.count("tlb_hits", "request", "Lookups that found their page", counters_.hits);
  sink.count("tlb_misses", "request", "Lookups that had to ask the next level", counters_.misses);
  sink.count("faults", "request", "Lookups of an unmapped address", counters_.faults);
  sink.histogram("wait", "Request at the MMU to its leaving: the lookup, and the order behind earlier requests",
                 counters_.wait);
  sink.value("stall_network", "ns", "A request was held: the crossbar withheld END_REQ",
             to_ns(stall_time(Stall::network)));
}

void Mmu::list_waits(WaitList& waits) const {
  if (held_.request) waits.add(*this, *held_.request, " (physical) waits for END_REQ from the crossbar", held_.arrival);
  if (in_flight_ > 0)
    waits.add(*this, std::to_string(in_flight_) + " requests of SM " + std::to_string(sm_) + " are not answered yet");
}

}  // namespace gputlm
