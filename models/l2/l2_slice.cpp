// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/l2_slice.h"

#include <algorithm>

#include "gputlm/tlm/line_contract.h"

namespace gputlm {

L2Slice::L2Slice(const sc_core::sc_module_name& name, const L2Spec& spec, unsigned slice_number, PayloadPool& pool)
    : Unit(name),
      requests("requests", *this),
      reads("reads", *this, kReads),
      writes("writes", *this, kWrites),
      spec_(spec),
      number_(slice_number),
      pool_(pool),
      whole_sectors_(spec.partial_sector_load != "serve_valid"),
      fetch_on_store_(spec.write_allocate == "fetch"),
      honour_classes_(spec.replacement.eviction_classes == "honour"),
      service_(cycles_to_fs(1.0 / spec.requests_per_cycle, spec.clock_hz)),
      atomic_interval_(cycles_to_fs(spec.atomic_same_word_cycles, spec.clock_hz)),
      index_(make_set_index(spec.set_index, spec.sets)),
      replacement_(make_replacement(spec.replacement, {spec.sets, slice_number})),
      cleaning_(make_cleaning(spec.janitor)),
      by_rows_(cleaning_->takes_row_along()),
      by_idle_memory_(cleaning_->uses_idle_memory()),
      lines_(spec.sets, spec.ways),
      fifo_(spec.sets, spec.ways, spec.fifo_drain_interval),
      fetches_(spec.fetch_entries, std::size_t{spec.sets} * spec.ways),
      same_word_(atomic_interval_),
      set_dirty_lines_(spec.sets),
      wake_(std::string(this->basename()) + "_wake", [this] { run(); }) {
  for (unsigned n = 0; n <= kSectorsPerLine; ++n) {
    const double bytes = n * static_cast<double>(kSectorBytes);
    store_time_[n] = std::max(service_, cycles_to_fs(bytes / spec.store_bytes_per_cycle, spec.clock_hz));
    load_time_[n] = cycles_to_fs(bytes / spec.load_bytes_per_cycle, spec.clock_hz);
  }
}

Admission L2Slice::on_request(std::size_t /*port*/, Payload& p, Fs& delay) {
  tlm::tlm_response_status status = check_performable(p);
  if (p.get_address() >= LineArray::kMemoryBytes) status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (status != tlm::TLM_OK_RESPONSE) {
    ++counters_.refused;
    p.set_response_status(status);
    return Admission::complete;
  }
  prefetch(index_->set_of(p.get_address()));
  Request r;
  r.payload = &p;
  r.mask = ByteMask::of(p);
  r.arrived = now() + delay;
  r.not_before = std::max(r.arrived, port_free_);
  const bool early = r.not_before > now();
  if (!early && serve(r)) {
    delay = port_free_ - now();
    return Admission::accept;
  }
  if (!early) stall_.begin(r.stall, now());
  held_ = r;
  held_ref_ = PayloadRef(p);
  schedule();
  return Admission::withhold;
}

void L2Slice::retry_held() {
  if (held_.payload == nullptr || held_.not_before > now()) return;
  if (!serve(held_)) {
    if (!stall_.stalled() || stall_.cause() != held_.stall) stall_.begin(held_.stall, now());
    return;
  }
  stall_.end(now());
  held_ = Request{};
  const PayloadRef p = std::move(held_ref_);
  requests.accept(*p, port_free_ - now());
}

void L2Slice::close_port(const Payload& p, ByteMask mask, Fs start) {
  const bool brings_data = p.get_command() != tlm::TLM_READ_COMMAND;
  port_free_ = start + (brings_data ? store_time_[count_sectors(mask.touched_sectors())] : service_);
}

void L2Slice::return_data(Payload& p, ByteMask mask, Fs arrived, Fs at) {
  data_.push(at, {PayloadRef(p), arrived, load_time_[count_sectors(mask.touched_sectors())]});
}

void L2Slice::send_responses() {
  auto send = [this](Payload& p) {
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) p.set_response_status(tlm::TLM_OK_RESPONSE);
    requests.respond(p);
  };
  while (acknowledgements_.next() <= now()) {
    const Response r = acknowledgements_.pop();
    if (!acknowledgements_.empty()) acknowledgements_.front().payload.prefetch();
    store_latency_.add(now() - r.arrived);
    send(*r.payload);
  }
  while (data_.next() <= now() && bus_free_ <= now()) {
    const Response r = data_.pop();
    if (!data_.empty()) data_.front().payload.prefetch();
    bus_free_ = now() + r.bus_time;
    load_latency_.add(now() - r.arrived);
    send(*r.payload);
  }
}

void L2Slice::run() {
  if (sent_.open && sent_.accepted_at <= now()) finish_write();
  while (fills_.next() <= now()) fill(fills_.pop());
  pump_writes();
  pump_reads();
  if (next_idle_look_ <= now()) look_for_idle_memory();
  retry_held();
  if (flushing_) {
    pump_flush();
    retry_held();
  }
  send_responses();
  schedule();
}

void L2Slice::schedule() {
  Fs next = std::min({acknowledgements_.next(), fills_.next(), sent_.accepted_at, next_idle_look_});
  if (!data_.empty()) next = std::min(next, std::max(data_.next(), bus_free_));
  if (!waiting_writes_.empty() && !sent_.open) next = std::min(next, writes_free_);
  if (!waiting_fetches_.empty() && !reads.busy()) next = std::min(next, reads_free_);
  if (held_.payload != nullptr && held_.not_before > now()) next = std::min(next, held_.not_before);
  if (flushing_ && !flush_waits_ && !list_full()) next = now();
  if (next != kNever) wake_.at(std::max(next, now()));
}

void L2Slice::on_accepted(std::size_t port, Payload& /*p*/, Fs delay) {
  if (port == kReads)
    reads_free_ = now() + delay;
  else
    sent_.accepted_at = now() + delay;
  schedule();
}

void L2Slice::reset() {
  wake_.cancel();
  requests.reset();
  reads.reset();
  writes.reset();
  lines_.clear();
  fifo_.clear();
  fetches_.clear();
  same_word_.clear();
  set_dirty_lines_.clear();
  replacement_->reset();
  dirty_rows_.clear();
  next_idle_look_ = kNever;
  idle_set_ = 0;
  order_ = dirty_bytes_ = 0;
  dirty_lines_ = 0;
  port_free_ = reads_free_ = writes_free_ = bus_free_ = 0;
  held_ = Request{};
  held_ref_.reset();
  waiting_writes_.clear();
  sent_ = SentWrite{};
  writes_in_flight_.clear();
  free_writes_.clear();
  waiting_fetches_.clear();
  fills_.clear();
  acknowledgements_.clear();
  data_.clear();
  flushing_ = flush_waits_ = false;
  flush_set_ = 0;
  counters_ = L2Counters{};
  stall_.reset();
  load_latency_.reset();
  store_latency_.reset();
  fetch_latency_.reset();
}

}  // namespace gputlm
