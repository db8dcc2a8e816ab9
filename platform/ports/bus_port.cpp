// SPDX-License-Identifier: Apache-2.0
#include "gputlm/ports/bus_port.h"

#include <algorithm>
#include <string>

#include "gputlm/tlm/debug_lines.h"

namespace gputlm {
namespace {

bool compares(const Sideband* s) {
  return s != nullptr && s->is_atomic() && s->function == AtomicFunction::compare_and_swap;
}

/// TLM_IGNORE_COMMAND from somebody who does not know the sideband, or has not filled it in.
bool means_nothing(const Payload& p) {
  if (p.get_command() != tlm::TLM_IGNORE_COMMAND) return false;
  const Sideband* s = find_sideband(p);
  return s == nullptr || s->operation == Operation::load || s->operation == Operation::store;
}

bool fits(const Payload& p, const Sideband& s) {
  switch (s.operation) {
    case Operation::load:
      return p.is_read();
    case Operation::store:
      return p.is_write();
    case Operation::reduction:
    case Operation::atomic:
    case Operation::system_barrier:
      return p.get_command() == tlm::TLM_IGNORE_COMMAND;
    default:
      return false;
  }
}

}  // namespace

BusPort::BusPort(const sc_core::sc_module_name& name, const BusPortSpec& spec, PayloadPool& pool)
    : Unit(name),
      bus("bus", *this),
      lines("lines", *this),
      spec_(spec),
      pool_(pool),
      wake_(std::string(this->basename()) + "_wake", [this] { run(); }) {}

tlm::tlm_response_status BusPort::check(const Payload& p) const {
  const Sideband* s = find_sideband(p);
  if (s != nullptr && (s->lanes != nullptr || !fits(p, *s))) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (s != nullptr && s->operation == Operation::system_barrier) return tlm::TLM_OK_RESPONSE;
  if (p.get_data_ptr() == nullptr || p.get_streaming_width() < p.get_data_length())
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (compares(s) && p.get_data_length() % 2 != 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  const unsigned bytes = p.get_data_length() / (compares(s) ? 2 : 1);
  return in_range(p.get_address(), bytes) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

Admission BusPort::on_request(std::size_t, Payload& p, Fs& delay) {
  ++requests_;
  const tlm::tlm_response_status status = means_nothing(p) ? tlm::TLM_OK_RESPONSE : check(p);
  const Sideband* s = find_sideband(p);
  Burst burst;
  burst.bytes = p.get_data_length() / (compares(s) ? 2 : 1);
  burst.payload = PayloadRef(p);
  burst.begun = now() + delay;
  burst.barrier = s != nullptr && s->operation == Operation::system_barrier;
  if (status != tlm::TLM_OK_RESPONSE) ++refused_;
  if (status != tlm::TLM_OK_RESPONSE || means_nothing(p) || !skip_disabled(burst)) {
    p.set_response_status(status);
    return Admission::complete;
  }
  entering_number_ = next_number_++;
  entering_ = &bursts_.emplace(entering_number_, std::move(burst)).first->second;
  lines_free_ = std::max(lines_free_, entering_->begun);
  if (pump()) {
    delay = std::max<Fs>(delay, lines_free_ - now());
    return Admission::accept;
  }
  stall_.begin(Stall::lines, now() + delay);
  return Admission::withhold;
}

void BusPort::run() {
  Payload* const withheld = entering_ != nullptr ? entering_->payload.get() : nullptr;
  if (withheld != nullptr && pump()) {
    stall_.end(std::max(now(), lines_free_));
    bus.accept(*withheld, std::max<Fs>(0, lines_free_ - now()));
  }
  answer_due();
}

void BusPort::answer_due() {
  while (due_.next() <= now()) {
    const auto found = bursts_.find(due_.pop());
    const Burst burst = std::move(found->second);
    bursts_.erase(found);
    Payload& p = *burst.payload;
    p.set_response_status(burst.status);
    if (Sideband* s = find_sideband(p)) s->executed = burst.executed;
    (p.is_read() ? read_latency_ : write_latency_).add(now() - burst.begun);
    bus.respond(p);
  }
  if (!due_.empty()) wake_.at(due_.next());
}

unsigned BusPort::on_debug(std::size_t, Payload& p) {
  if (p.get_command() == tlm::TLM_IGNORE_COMMAND || !in_range(p.get_address(), 1)) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return 0;
  }
  const auto length =
      static_cast<unsigned>(std::min<std::uint64_t>(p.get_data_length(), spec_.bytes - p.get_address()));
  const unsigned done = debug_by_lines(*lines.operator->(), {p.get_command(), p.get_address(), p.get_data_ptr(), length,
                                                             p.get_byte_enable_ptr(), p.get_byte_enable_length()});
  p.set_response_status(done == p.get_data_length() ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  return done;
}

void BusPort::on_debug_written(std::size_t, std::uint64_t first, std::uint64_t last) {
  bus.announce_debug_write(first, last);
}

void BusPort::reset() {
  bus.reset();
  lines.reset();
  wake_.cancel();
  due_.clear();
  bursts_.clear();
  entering_ = nullptr;
  under_way_.clear();
  lines_free_ = 0;
  requests_ = line_count_ = bytes_ = refused_ = 0;
  stall_.reset();
  read_latency_.reset();
  write_latency_.reset();
}

void BusPort::report(StatisticsSink& sink) const {
  sink.count("requests", "request", "transactions that came in", requests_);
  sink.count("lines", "line", "line transactions that they became", line_count_);
  sink.count("bytes", "byte", "enabled bytes of them", bytes_);
  sink.count("refused", "request", "transactions answered with an error at the door", refused_);
  sink.value("stall_lines", "ns", "a transaction waited at the door until its last line was taken",
             to_ns(stall_.total(Stall::lines, std::max(now(), lines_free_))));
  sink.histogram("read_latency", "BEGIN_REQ to BEGIN_RESP of a read", read_latency_);
  sink.histogram("write_latency", "the same of everything else", write_latency_);
}

void BusPort::list_waits(WaitList& waits) const {
  for (const auto& [number, burst] : bursts_)
    waits.add(*this, name_of(*burst.payload) + " is not answered", burst.begun,
              &burst == entering_ ? "lines of it wait for END_REQ"
                                  : std::to_string(burst.unanswered) + " lines of it are under way");
}

}  // namespace gputlm
