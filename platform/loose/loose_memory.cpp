// SPDX-License-Identifier: Apache-2.0
#include "gputlm/loose/loose_memory.h"

#include <algorithm>
#include <array>
#include <string>

#include "gputlm/tlm/host_window.h"

namespace gputlm {
namespace {

bool is_for_the_host(const Payload& p) {
  const Sideband* s = find_sideband(p);
  return in_host_window(p.get_address()) || (s != nullptr && s->operation == Operation::system_barrier);
}

Operation operation_of(const Payload& p) {
  if (p.is_read()) return Operation::load;
  return p.is_write() ? Operation::store : find_sideband(p)->operation;
}

}  // namespace

LooseMemory::LooseMemory(const sc_core::sc_module_name& name, unsigned ports, unsigned depth, LooseTiming& timing,
                         SparseMemory& memory, PayloadPool& pool)
    : Unit(name), timing_(timing), memory_(memory), pool_(pool), ports_(ports), flush_end_("flush_end", [] {}) {
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const std::string n = std::to_string(i);
    in.push_back(std::make_unique<TargetSocket<LooseMemory>>(("in" + n).c_str(), *this, i));
    out.push_back(std::make_unique<InitiatorSocket<LooseMemory>>(("out" + n).c_str(), *this, i));
    ports_[i].deliver = std::make_unique<Wakeup>("deliver" + n, [this, i] { deliver(i); });
    ports_[i].served.resize(depth);
  }
}

tlm::tlm_response_status LooseMemory::check(const Payload& p) const {
  if (const auto status = check_performable(p); status != tlm::TLM_OK_RESPONSE) return status;
  return memory_.contains(p.get_address()) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

Admission LooseMemory::on_request(std::size_t number, Payload& p, Fs& delay) {
  if (is_for_the_host(p)) return pass_on(number, p, delay);
  if (const auto status = check(p); status != tlm::TLM_OK_RESPONSE) {
    ++refused_;
    p.set_response_status(status);
    return Admission::complete;
  }
  const ByteMask mask = ByteMask::of(p);
  const LoosePlace place = timing_.place_of(p.get_address());
  perform(p, mask, place.slice);
  Port& port = ports_[number];
  const Fs begun = now() + delay;
  Fs& left = port.served[port.next++ % port.served.size()];
  const LooseTimes t = timing_.access({static_cast<unsigned>(number), p.get_address(), place, mask, operation_of(p)},
                                      std::max(begun, left));
  left = t.served;
  port.answers.push(t.answered, {PayloadRef(p), begun});
  port.deliver->at(port.answers.next());
  delay = t.entered - now();
  return Admission::accept;
}

Admission LooseMemory::pass_on(std::size_t number, Payload& p, Fs& delay) {
  ++ports_[number].passed_on;
  switch (out[number]->request(p, delay)) {
    case Sent::accepted:
      return Admission::accept;
    case Sent::responded:
      --ports_[number].passed_on;
      return Admission::complete;
    default:
      return Admission::withhold;
  }
}

bool LooseMemory::on_response(std::size_t number, Payload& p, Fs delay) {
  if (ports_[number].passed_on == 0) return true;  // from before a reset
  --ports_[number].passed_on;
  in[number]->respond(p, delay);
  return true;
}

Fs LooseMemory::access(unsigned port, const LoosePiece& piece, Fs at) {
  const LoosePlace place = timing_.place_of(piece.line);
  as_line(piece, pool_, [&](Payload& line) { perform(line, piece.mask, place.slice); });
  const Operation operation = piece.reads ? Operation::load : Operation::store;
  return timing_.access({port, piece.line, place, piece.mask, operation}, at).answered;
}

/// Takes its place in the order of memory.
void LooseMemory::perform(Payload& p, ByteMask mask, unsigned slice) {
  L2Observer nobody;
  L2Observer& watching = observer == nullptr ? nobody : *observer;
  if (p.is_write()) {
    watching.on_store(slice, p);
    memory_.write(p.get_address(), p.get_data_ptr(), mask);
  } else if (p.is_read()) {
    watching.on_load(slice, p);
    std::array<unsigned char, kLineBytes> line{};
    memory_.read(p.get_address(), line.data());
    copy_masked(p.get_data_ptr(), line.data(), mask);
    watching.on_load_done(slice, p);
  } else {
    watching.on_atomic(slice, p);
    perform_words(p, mask);
    watching.on_atomic_done(slice, p);
  }
}

void LooseMemory::perform_words(Payload& p, ByteMask mask) {
  std::array<unsigned char, kLineBytes> line{};
  memory_.read(p.get_address(), line.data());
  perform_atomic(p, mask, line.data());
  memory_.write(p.get_address(), line.data(), mask);
  find_sideband(p)->executed = true;
}

void LooseMemory::deliver(std::size_t number) {
  Port& port = ports_[number];
  while (port.answers.next() <= now()) {
    const Answer answer = port.answers.pop();
    (answer.payload->is_read() ? load_latency_ : store_latency_).add(now() - answer.begun);
    answer.payload->set_response_status(tlm::TLM_OK_RESPONSE);
    in[number]->respond(*answer.payload);
  }
  if (!port.answers.empty()) port.deliver->at(port.answers.next());
}

void LooseMemory::flush() {
  flushed_ = timing_.flush(now());
  flush_end_.at(flushed_);
}

void LooseMemory::reset() {
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    in[i]->reset();
    out[i]->reset();
    Port& port = ports_[i];
    port.answers.clear();
    port.deliver->cancel();
    std::fill(port.served.begin(), port.served.end(), Fs{0});
    port.passed_on = 0;
  }
  timing_.reset();
  flush_end_.cancel();
  flushed_ = 0;
  refused_ = 0;
  load_latency_.reset();
  store_latency_.reset();
}

bool LooseMemory::idle() const {
  return !flushing() &&
         std::all_of(ports_.begin(), ports_.end(), [](const Port& p) { return p.answers.empty() && p.passed_on == 0; });
}

void LooseMemory::report(StatisticsSink& sink) const {
  const L2Counters& c = timing_.counters();
  sink.count("loads", "request", "line loads", c.loads);
  sink.count("load_hits", "request", "line loads whose bytes the directory of L2 held", c.load_hits);
  sink.count("stores", "request", "line stores", c.stores);
  sink.count("store_hits", "request", "line stores to lines that the directory held", c.store_hits);
  sink.count("atomics", "request", "atomics", c.atomics);
  sink.count("reductions", "request", "reductions", c.reductions);
  sink.count("refused", "request", "requests answered with an error", refused_);
  sink.count("fetched_sectors", "sector", "of DRAM, by the estimate", c.fetched_sectors);
  sink.count("write_backs", "line", "to DRAM, by the estimate", c.write_backs);
  sink.histogram("load_latency", "BEGIN_REQ of a load to its BEGIN_RESP", load_latency_);
  sink.histogram("store_latency", "the same of everything else", store_latency_);
}

void LooseMemory::list_waits(WaitList& waits) const {
  for (const Port& port : ports_)
    port.answers.for_each([&](Fs due, const Answer& answer) {
      waits.add(*this, *answer.payload, " is answered at " + ns_text(due), answer.begun);
    });
}

}  // namespace gputlm
