// SPDX-License-Identifier: Apache-2.0
#include "gputlm/loose/loose_port.h"

#include <algorithm>
#include <utility>

#include "gputlm/tlm/line_contract.h"

namespace gputlm {
namespace {

bool is_plain(const Payload& p) {
  const Sideband* s = find_sideband(p);
  if (s != nullptr && s->lanes != nullptr) return false;
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

LoosePort::LoosePort(const sc_core::sc_module_name& name, LooseRange range)
    : WidthAdapter(name), range_(std::move(range)) {}

/// A proper read or write of nothing but the range. What is not is refused by the port behind.
bool LoosePort::answers(const Payload& p) const {
  if (!is_plain(p) || check_attributes(p) != tlm::TLM_OK_RESPONSE || p.get_streaming_width() < p.get_data_length())
    return false;
  const std::uint64_t offset = p.get_address() - range_.first;
  return p.get_address() >= range_.first && offset < range_.bytes && p.get_data_length() <= range_.bytes - offset;
}

void LoosePort::b_transport(Payload& p, sc_core::sc_time& t) {
  if (!answers(p)) return out->b_transport(p, t);
  t = to_sc_time(access(p, now() + to_fs(t)) - now());
  p.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// Returns when a transaction that begins at `at` has its last line's answer.
Fs LoosePort::access(Payload& p, Fs at) const {
  Fs done = at;
  const std::uint64_t begin = p.get_address(), end = begin + p.get_data_length();
  for (std::uint64_t line = line_of(begin); line < end; line += kLineBytes) {
    const std::uint64_t first = std::max(line, begin), last = std::min(line + kLineBytes, end);
    LoosePiece piece{line,        static_cast<unsigned>(first - line), static_cast<unsigned>(last - first), {},
                     p.is_read(), p.get_data_ptr() + (first - begin)};
    piece.mask = enabled_bytes(p, first - begin, piece.first, piece.count);
    if (piece.mask.empty()) continue;  // the exact port sends no such line either
    done = std::max(done, range_.access(piece, at));
  }
  return done;
}

}  // namespace gputlm
