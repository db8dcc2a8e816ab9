// SPDX-License-Identifier: Apache-2.0
#include "gputlm/ports/message_interrupt.h"

#include <algorithm>

namespace gputlm {
namespace {

constexpr unsigned kMessageBytes = 4, kByteBits = 8;

}  // namespace

MessageInterrupt::MessageInterrupt(const sc_core::sc_module_name& name, std::uint64_t address)
    : Unit(name), requests("requests", *this), memory("memory", *this), address_(address), wakeup_("wakeup", [this] {
        pulse();
      }) {}

bool MessageInterrupt::is_message(const Payload& p) const {
  return p.is_write() && p.get_address() == line_of(address_) &&
         ByteMask::of(p) == ByteMask::range(static_cast<unsigned>(address_ & kLineOffsetMask), kMessageBytes);
}

Admission MessageInterrupt::on_request(std::size_t, Payload& p, Fs& delay) {
  if (is_message(p)) {
    ++count_;
    const unsigned char* data = p.get_data_ptr() + (address_ & kLineOffsetMask);
    std::uint32_t message = 0;
    for (unsigned i = 0; i < kMessageBytes; ++i) message |= std::uint32_t{data[i]} << (kByteBits * i);
    pulses_.push(now() + delay, message);
    wakeup_.at(pulses_.next());
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return Admission::complete;
  }
  switch (memory.request(p, delay)) {
    case Sent::accepted:
      return Admission::accept;
    case Sent::responded:
      return Admission::complete;
    default:
      withheld_since_ = now() + delay;
      return Admission::withhold;
  }
}

void MessageInterrupt::pulse() {
  if (line.read()) {
    line.write(false);
  } else if (pulses_.next() <= now()) {
    messages.write(pulses_.pop());
    line.write(true);
    wakeup_.at(now());
    return;
  }
  if (!pulses_.empty()) wakeup_.at(std::max(now(), pulses_.next()));
}

void MessageInterrupt::on_accepted(std::size_t, Payload& p, Fs delay) {
  withheld_since_ = kNever;
  // A response that implies END_REQ does so on the arrow above as well.
  if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) requests.accept(p, delay);
}

bool MessageInterrupt::on_response(std::size_t, Payload& p, Fs delay) {
  requests.respond(p, delay);
  return true;
}

void MessageInterrupt::reset() {
  requests.reset();
  memory.reset();
  pulses_.clear();
  wakeup_.cancel();
  if (line.read()) wakeup_.at(now());
  withheld_since_ = kNever;
  count_ = 0;
}

void MessageInterrupt::report(StatisticsSink& sink) const {
  sink.count("messages", "request", "interrupt messages", count_);
}

void MessageInterrupt::list_waits(WaitList& waits) const {
  if (withheld_since_ != kNever)
    waits.add(*this, "a request of the card waits", withheld_since_, "the host's memory withholds END_REQ");
}

}  // namespace gputlm
