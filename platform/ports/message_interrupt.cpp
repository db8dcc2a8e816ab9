// SPDX-License-Identifier: Apache-2.0
#include "gputlm/ports/message_interrupt.h"

#include <algorithm>
#include <utility>

namespace gputlm {
namespace {

constexpr unsigned kMessageBytes = 4, kByteBits = 8;

}  // namespace

MessageInterrupt::MessageInterrupt(const sc_core::sc_module_name& name, std::uint64_t address)
    : Unit(name),
      requests("requests", *this),
      memory("memory", *this),
      address_(address),
      wakeup_("wakeup", [this] { pulse(); }),
      accept_("accept", [this] { accept_late(); }) {}

bool MessageInterrupt::is_message(const Payload& p) const {
  return p.is_write() && p.get_address() == line_of(address_) &&
         ByteMask::of(p) == ByteMask::range(static_cast<unsigned>(address_ & kLineOffsetMask), kMessageBytes);
}

void MessageInterrupt::take(const Payload& message, Fs at) {
  ++count_;
  const unsigned char* data = message.get_data_ptr() + (address_ & kLineOffsetMask);
  std::uint32_t value = 0;
  for (unsigned i = 0; i < kMessageBytes; ++i) value |= std::uint32_t{data[i]} << (kByteBits * i);
  messages_.push_back({at, value, next_write_});
  wakeup_.at(at);
}

Admission MessageInterrupt::on_request(std::size_t, Payload& p, Fs& delay) {
  if (is_message(p)) {
    take(p, now() + delay);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return Admission::complete;
  }
  owed_.erase(&p);
  if (p.is_write())
    writes_.emplace(next_write_++, &p);
  else
    reads_.insert(&p);
  switch (memory.request(p, delay)) {
    case Sent::accepted:
      return Admission::accept;
    case Sent::responded:
      answered(p);
      return Admission::complete;
    default:
      withheld_since_ = now() + delay;
      return Admission::withhold;
  }
}

bool MessageInterrupt::answered(const Payload& p) {
  if (!p.is_write()) return reads_.erase(&p) > 0;
  const auto found = std::find_if(writes_.begin(), writes_.end(), [&p](const auto& w) { return w.second == &p; });
  if (found == writes_.end()) return false;
  writes_.erase(found);
  if (!messages_.empty()) wakeup_.at(std::max(now(), messages_.front().arrived));
  return true;
}

bool MessageInterrupt::may_pulse() const {
  if (messages_.empty() || messages_.front().arrived > now()) return false;
  return writes_.empty() || writes_.begin()->first >= messages_.front().behind;
}

void MessageInterrupt::pulse() {
  if (up_) {
    line.write(up_ = false);
  } else if (may_pulse()) {
    values.write(messages_.pop_front().value);
    line.write(up_ = true);
    wakeup_.at(now());
    return;
  }
  // One that waits for a write's answer is looked at again when that comes.
  if (!messages_.empty() && (messages_.front().arrived > now() || may_pulse()))
    wakeup_.at(std::max(now(), messages_.front().arrived));
}

void MessageInterrupt::on_accepted(std::size_t, Payload& p, Fs delay) {
  withheld_since_ = kNever;
  if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
    requests.accept(p, delay);
    return;
  }
  // With a status it is a BEGIN_RESP that implies END_REQ, whose on_response() follows in this call and does the same
  // above; or an END_REQ of a target that has set the status ahead of time, and then nothing follows.
  accepted_ = {PayloadRef(p), now() + delay};
  accept_.at(now());
}

void MessageInterrupt::accept_late() {
  const Accepted late = std::exchange(accepted_, {});
  if (late.payload) requests.accept(*late.payload, std::max<Fs>(0, late.at - now()));
}

bool MessageInterrupt::on_response(std::size_t, Payload& p, Fs delay) {
  if (accepted_.payload.get() == &p) accepted_ = {};
  if (answered(p))
    requests.respond(p, delay);
  else if (owed_.erase(&p) == 0)
    SC_REPORT_ERROR(memory.name(), ("an answer to " + name_of(p) + ", which is not under way").c_str());
  return true;
}

void MessageInterrupt::forget_all() {
  for (const auto& [number, write] : writes_) owed_.insert(write);
  owed_.insert(reads_.begin(), reads_.end());
  writes_.clear();
  reads_.clear();
}

void MessageInterrupt::reset() {
  requests.reset();
  memory.reset();
  messages_.clear();
  forget_all();
  accepted_ = {};
  accept_.cancel();
  wakeup_.cancel();
  if (up_) wakeup_.at(now());
  withheld_since_ = kNever;
  count_ = 0;
}

void MessageInterrupt::report(StatisticsSink& sink) const {
  sink.count("messages", "request", "interrupt messages", count_);
}

void MessageInterrupt::list_waits(WaitList& waits) const {
  if (withheld_since_ != kNever)
    waits.add(*this, "a request of the card waits", withheld_since_, "the host's memory withholds END_REQ");
  for (std::size_t i = 0; i < messages_.size(); ++i)
    waits.add(*this, "an interrupt waits for the writes before it", messages_[i].arrived);
}

}  // namespace gputlm
