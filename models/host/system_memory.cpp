// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/system_memory.h"

#include <algorithm>
#include <stdexcept>

#include "gputlm/tlm/line_contract.h"

namespace gputlm {

SystemMemory::SystemMemory(const sc_core::sc_module_name& name, const SystemMemorySpec& spec)
    : Unit(name), requests("requests", *this), spec_(spec), wakeup_("wakeup", [this] { answer(); }) {}

void SystemMemory::check(std::uint64_t address, std::size_t bytes) const {
  if (!contains(address, bytes))
    throw std::out_of_range("host memory ends at " + hex_text(spec_.capacity) + ", before the end of the " +
                            std::to_string(bytes) + " bytes at " + hex_text(address));
}

const SystemMemory::Page* SystemMemory::find(std::uint64_t address) const {
  const auto found = pages_.find(address / kPageBytes);
  return found == pages_.end() ? nullptr : found->second.get();
}

SystemMemory::Page& SystemMemory::page_for(std::uint64_t address) {
  auto& page = pages_[address / kPageBytes];
  if (!page) page = std::make_unique<Page>();
  return *page;
}

void SystemMemory::read(std::uint64_t address, void* to, std::size_t bytes) const {
  check(address, bytes);
  auto* data = static_cast<unsigned char*>(to);
  while (bytes > 0) {
    const std::size_t offset = address % kPageBytes, count = std::min(bytes, kPageBytes - offset);
    if (const Page* page = find(address))
      std::memcpy(data, page->data() + offset, count);
    else
      std::memset(data, 0, count);
    address += count, data += count, bytes -= count;
  }
}

void SystemMemory::write(std::uint64_t address, const void* from, std::size_t bytes) {
  check(address, bytes);
  const auto* data = static_cast<const unsigned char*>(from);
  while (bytes > 0) {
    const std::size_t offset = address % kPageBytes, count = std::min(bytes, kPageBytes - offset);
    std::memcpy(page_for(address).data() + offset, data, count);
    address += count, data += count, bytes -= count;
  }
}

void SystemMemory::read_line(std::uint64_t line, unsigned char* to) const {
  read(line, to, kLineBytes);
}

Admission SystemMemory::on_request(std::size_t, Payload& p, Fs& delay) {
  tlm::tlm_response_status status = check_line(p);
  if (status == tlm::TLM_OK_RESPONSE && !contains(p.get_address(), kLineBytes))
    status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (status == tlm::TLM_OK_RESPONSE && !p.is_read() && !p.is_write()) status = tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (status != tlm::TLM_OK_RESPONSE) {
    ++refused_;
    p.set_response_status(status);
    return Admission::complete;
  }
  if (p.is_write()) {
    ++writes_;
    const ByteMask mask = ByteMask::of(p);
    const std::uint64_t line = p.get_address();
    copy_masked(page_for(line).data() + line % kPageBytes, p.get_data_ptr(), mask);
    if (observer != nullptr) observer->on_device_write(line, mask);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return Admission::complete;
  }
  ++reads_;
  std::array<unsigned char, kLineBytes> line{};
  read_line(p.get_address(), line.data());
  copy_masked(p.get_data_ptr(), line.data(), ByteMask::of(p));
  answers_.push(now() + delay + spec_.read_latency, PayloadRef(p));
  wakeup_.at(answers_.next());
  return Admission::accept;
}

void SystemMemory::answer() {
  while (answers_.next() <= now()) {
    const PayloadRef p = answers_.pop();
    p->set_response_status(tlm::TLM_OK_RESPONSE);
    requests.respond(*p);
  }
  if (!answers_.empty()) wakeup_.at(answers_.next());
}

unsigned SystemMemory::on_debug(std::size_t, Payload& p) {
  const DebugSpan span(p);
  if (!contains(p.get_address(), span.count) || p.get_command() == tlm::TLM_IGNORE_COMMAND) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return 0;
  }
  if (p.is_write()) {
    span.from_payload(p, page_for(span.line).data() + span.line % kPageBytes);
    requests.announce_debug_write(p.get_address(), p.get_address() + span.count - 1);
  } else {
    std::array<unsigned char, kLineBytes> line{};
    read_line(span.line, line.data());
    span.to_payload(line.data(), p);
  }
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  return span.count;
}

void SystemMemory::reset() {
  answers_.clear();
  wakeup_.cancel();
  requests.reset();
  reads_ = writes_ = refused_ = 0;
}

void SystemMemory::report(StatisticsSink& sink) const {
  sink.count("reads", "line", "lines the device read", reads_);
  sink.count("writes", "line", "lines the device wrote", writes_);
  sink.count("refused", "request", "requests beyond the memory, or that it does not understand", refused_);
  sink.count("resident", "byte", "pages that have been written", pages_.size() * kPageBytes);
}

void SystemMemory::list_waits(WaitList& waits) const {
  answers_.for_each(
      [&](Fs due, const PayloadRef& p) { waits.add(*this, *p, " is answered at " + ns_text(due), kNever); });
}

}  // namespace gputlm
