// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/script_units.h"

#include <algorithm>
#include <cstdio>

namespace gputlm {
namespace {

std::string line(const char* what, const Payload& p, Fs delay) {
  char text[96];
  std::snprintf(text, sizeof text, "%s %llx at %lld", what, static_cast<unsigned long long>(p.get_address()),
                static_cast<long long>(now()) + static_cast<long long>(delay));
  return text;
}

}  // namespace

ScriptInitiator::ScriptInitiator(const sc_core::sc_module_name& name)
    : sc_module(name), socket("socket", *this), wakeup_("send", [this] { send_next(); }) {}

void ScriptInitiator::send(PayloadRef p, Fs at) {
  to_send_.push(std::max(at, now()), std::move(p));
  wakeup_.at(to_send_.next());
}

void ScriptInitiator::send_next() {
  while (!socket.busy() && to_send_.next() <= now()) {
    in_flight_.push_back(to_send_.pop());
    Payload& p = *in_flight_.back();
    Fs delay = 0;
    const Sent sent = socket.request(p, delay);
    if (sent == Sent::accepted) log.push_back(line("accepted", p, delay));
    if (sent == Sent::responded) {
      note_response(p, delay);
      drop(p);
    }
  }
  if (!socket.busy() && !to_send_.empty()) wakeup_.at(to_send_.next());
}

void ScriptInitiator::on_accepted(std::size_t, Payload& p, Fs delay) {
  log.push_back(line("accepted", p, delay));
  if (!to_send_.empty()) wakeup_.at(std::max(to_send_.next(), now() + delay));
}

bool ScriptInitiator::on_response(std::size_t, Payload& p, Fs delay) {
  note_response(p, delay);
  if (!takes_responses) held_.emplace_back(p);
  drop(p);
  return takes_responses;
}

void ScriptInitiator::end_response(Fs delay) {
  const PayloadRef p = held_.front();
  held_.erase(held_.begin());
  socket.end_response(*p, delay);
}

void ScriptInitiator::on_debug_written(std::size_t, std::uint64_t first, std::uint64_t last) {
  char text[64];
  std::snprintf(text, sizeof text, "written %llx to %llx", static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(last));
  log.emplace_back(text);
}

void ScriptInitiator::note_response(const Payload& p, Fs delay) {
  log.push_back(line("responded", p, delay) + (p.is_response_ok() ? "" : " " + p.get_response_string()));
}

void ScriptInitiator::drop(const Payload& p) {
  in_flight_.erase(std::find_if(in_flight_.begin(), in_flight_.end(), [&](const auto& r) { return r.get() == &p; }));
}

ScriptTarget::ScriptTarget(const sc_core::sc_module_name& name)
    : sc_module(name), socket("socket", *this), wakeup_("answer", [this] { answer_due(); }) {}

Admission ScriptTarget::on_request(std::size_t, Payload& p, Fs& delay) {
  log.push_back(line("request", p, delay));
  if (admission == Admission::withhold) {
    withheld_ = PayloadRef(p);
  } else {
    delay += accept_after;
  }
  if (admission == Admission::complete) {
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  } else if (latency == kNever) {
    unanswered_.push_back(PayloadRef(p));
  } else {
    due_.push(now() + delay + latency, PayloadRef(p));
    wakeup_.at(due_.next());
  }
  return admission;
}

void ScriptTarget::accept(Fs delay) {
  const PayloadRef p = std::move(withheld_);
  socket.accept(*p, delay);
}

void ScriptTarget::respond(Fs delay, tlm::tlm_response_status status) {
  const PayloadRef p = unanswered_.pop_front();
  if (withheld_.get() == p.get()) withheld_.reset();
  p->set_response_status(status);
  socket.respond(*p, delay);
}

void ScriptTarget::answer_due() {
  while (due_.next() <= now()) {
    const PayloadRef p = due_.pop();
    p->set_response_status(tlm::TLM_OK_RESPONSE);
    socket.respond(*p);
  }
  if (!due_.empty()) wakeup_.at(due_.next());
}

void ScriptTarget::on_response_taken(std::size_t, Payload& p, Fs delay) {
  log.push_back(line("taken", p, delay));
}

unsigned ScriptTarget::on_debug(std::size_t, Payload& p) {
  return p.get_data_length();
}

void ScriptTarget::reset() {
  withheld_.reset();
  unanswered_.clear();
  due_.clear();
  wakeup_.cancel();
  socket.reset();
  log.clear();
}

}  // namespace gputlm
