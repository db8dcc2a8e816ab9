// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/host_engine.h"

#include <stdexcept>

#include "gputlm/host/little_endian.h"
#include "gputlm/hostformats/format_error.h"
#include "gputlm/tlm/line_contract.h"

namespace gputlm {
namespace {

constexpr unsigned kTokenBytes = 4;

}  // namespace

std::string ChannelError::text() const {
  std::string where = channel == kNoChannel ? "no channel" : "channel " + std::to_string(channel);
  if (entry != kNoEntry) where += ", GPFIFO entry " + std::to_string(entry);
  return where + ": " + reason;
}

HostEngine::HostEngine(const sc_core::sc_module_name& name, const HostEngineSpec& spec, PayloadPool& pool,
                       const GpuAddressSpace& space)
    : Unit(name), doorbell("doorbell", *this), dma(pool, space), spec_(spec), wakeup_("wakeup", [this] { run(); }) {}

void HostEngine::end_of_elaboration() {
  if (compute == nullptr || copies == nullptr || memory == nullptr)
    SC_REPORT_FATAL(name(),
                    "the host engine needs a work distributor, a copy engine and the memory system's operations");
}

void HostEngine::open(const ChannelSetup& setup) {
  if (setup.entries == 0) throw std::invalid_argument("a GPFIFO ring needs entries");
  if (channels_.count(setup.number) != 0)
    throw std::invalid_argument("channel " + std::to_string(setup.number) + " is open already");
  if (by_token_.count(setup.token) != 0)
    throw std::invalid_argument("token " + hex_word(setup.token) + " is another channel's");
  auto channel = std::make_unique<Channel>();
  channel->setup = setup;
  channel->entry = ChannelError::kNoEntry;
  by_token_[setup.token] = channel.get();
  channels_[setup.number] = std::move(channel);
}

Admission HostEngine::on_request(std::size_t, Payload& p, Fs&) {
  const ByteMask token = ByteMask::range(kDoorbell % kLineBytes, kTokenBytes);
  tlm::tlm_response_status status = check_line(p);
  if (status == tlm::TLM_OK_RESPONSE && (!p.is_write() || p.get_address() != line_of(kDoorbell)))
    status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (status == tlm::TLM_OK_RESPONSE && ByteMask::of(p) != token) status = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  p.set_response_status(status);
  if (status == tlm::TLM_OK_RESPONSE) ring(load_word(p.get_data_ptr() + kDoorbell % kLineBytes));
  return Admission::complete;
}

unsigned HostEngine::on_debug(std::size_t, Payload& p) {
  p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);  // a doorbell holds nothing
  return 0;
}

void HostEngine::ring(std::uint32_t token) {
  ++counters_.doorbells;
  const auto found = by_token_.find(token);
  if (found == by_token_.end()) {
    std::string tokens;
    for (const auto& [known, channel] : by_token_) tokens += (tokens.empty() ? "" : ", ") + hex_word(known);
    ChannelError error;
    error.reason =
        FormatError("doorbell: token", hex_word(token), tokens.empty() ? "none, no channel is open" : tokens).what();
    tell(error);
    return;
  }
  Channel& c = *found->second;
  if (c.state == ChannelState::idle && !c.rung) resume_at(now(), c);
  c.rung = true;
}

void HostEngine::enter(Channel& c, ChannelState state) {
  c.state = state;
  c.since = now();
}

void HostEngine::tell(const ChannelError& error) {
  ++counters_.errors;
  if (errors != nullptr) errors->on_channel_error(error);
}

void HostEngine::fail(Channel& c, ChannelErrorKind kind, const std::string& reason, std::uint32_t entry) {
  if (c.state == ChannelState::failed) return;
  enter(c, ChannelState::failed);
  c.entries.clear();
  c.words.clear();
  c.call.reset();
  c.after_work.reset();
  const ChannelError error{c.setup.number, entry, kind, reason, now()};
  if (c.setup.notifier != 0) write_notifier(error, c.setup.notifier);
  interrupt(c.setup.number);
  tell(error);
}

void HostEngine::write_notifier(const ChannelError& error, std::uint64_t address) {
  DmaMaster::Data data;
  append_word(data, static_cast<std::uint64_t>(error.time / kFsPerNs));
  append_word(data, static_cast<std::uint32_t>(error.kind));
  append_word(data, static_cast<std::uint16_t>(error.entry));
  append_word(data, kNotifierError);
  dma.write(address, std::move(data), [](bool) {});
}

void HostEngine::interrupt(std::uint32_t channel) {
  if (interrupt_address == 0) return;
  ++counters_.interrupts;
  DmaMaster::Data data;
  append_word(data, channel);
  dma.write(interrupt_address, std::move(data), [](bool) {});
}

void HostEngine::resume_at(Fs t, Channel& c) {
  due_.push(t, &c);
  wakeup_.at(due_.next());
}

void HostEngine::run() {
  while (due_.next() <= now()) {
    Channel& c = *due_.pop();
    try {
      go_on(c);
    } catch (const FormatError& e) {
      fail(c, ChannelErrorKind::pushbuffer_error, e.what());
    }
  }
  if (!due_.empty()) wakeup_.at(due_.next());
}

}  // namespace gputlm
