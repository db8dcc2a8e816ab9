// SPDX-License-Identifier: Apache-2.0
#include "gputlm/ports/loose_port.h"

#include <algorithm>

#include "gputlm/tlm/line_contract.h"

namespace gputlm {
namespace {

bool is_plain(const Payload& p) {
  const Sideband* s = find_sideband(p);
  return (p.is_read() && (s == nullptr || s->operation == Operation::load)) ||
         (p.is_write() && (s == nullptr || s->operation == Operation::store));
}

/// The enabled ones of `count` bytes from `offset` of the transaction on, which lie in a line from its byte `first` on.
ByteMask enabled_bytes(const Payload& p, std::uint64_t offset, unsigned first, unsigned count) {
  const unsigned char* enables = p.get_byte_enable_ptr();
  if (enables == nullptr) return ByteMask::range(first, count);
  ByteMask mask;
  for (unsigned i = 0; i < count; ++i)
    if (enables[(offset + i) % p.get_byte_enable_length()] != 0) mask.set(first + i);
  return mask;
}

}  // namespace

LoosePort::LoosePort(const sc_core::sc_module_name& name, LooseTiming& timing, unsigned number, std::uint64_t bytes)
    : WidthAdapter(name), timing_(timing), number_(number), bytes_(bytes) {}

tlm::tlm_response_status LoosePort::check(const Payload& p) const {
  if (const auto status = check_attributes(p); status != tlm::TLM_OK_RESPONSE) return status;
  if (p.get_streaming_width() < p.get_data_length()) return tlm::TLM_BURST_ERROR_RESPONSE;
  const bool inside = p.get_address() < bytes_ && p.get_data_length() <= bytes_ - p.get_address();
  return inside ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

void LoosePort::b_transport(Payload& p, sc_core::sc_time& t) {
  if (!is_plain(p)) return out->b_transport(p, t);
  const tlm::tlm_response_status status = check(p);
  if (status == tlm::TLM_OK_RESPONSE) {
    out->transport_dbg(p);
    t = to_sc_time(time_of(p, now() + to_fs(t)) - now());
  }
  p.set_response_status(status);
}

/// When a transaction that begins at `at` has its last line's answer.
Fs LoosePort::time_of(const Payload& p, Fs at) {
  Fs done = at;
  const std::uint64_t begin = p.get_address(), end = begin + p.get_data_length();
  for (std::uint64_t line = line_of(begin); line < end; line += kLineBytes) {
    const std::uint64_t first = std::max(line, begin), last = std::min(line + kLineBytes, end);
    const ByteMask mask =
        enabled_bytes(p, first - begin, static_cast<unsigned>(first - line), static_cast<unsigned>(last - first));
    if (mask.empty()) continue;  // the exact port sends no such line either
    done = std::max(done, timing_.access(number_, line, mask, p.is_read(), at));
  }
  return done;
}

}  // namespace gputlm
