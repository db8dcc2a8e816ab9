// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/protocol_snapshot.h"

#include <cstdio>
#include <cstring>

namespace gputlm {
namespace {

std::uint64_t load_word(const unsigned char* from, std::size_t bytes = 8) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, bytes);
  return word;
}

// Multiplication carries differences upward only; the rotation brings them back down, so that two flipped top bits do
// not cancel.
std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  const std::uint64_t product = (state ^ word) * 0x9e3779b97f4a7c15ULL;
  return product << 29 | product >> 35;
}

const char* name_of_command(tlm::tlm_command command) {
  return command == tlm::TLM_READ_COMMAND ? "read" : command == tlm::TLM_WRITE_COMMAND ? "write" : "ignore";
}

}  // namespace

std::uint64_t digest_of(const unsigned char* data, std::size_t bytes) {
  if (data == nullptr) return 0;
  std::uint64_t even = bytes, odd = ~std::uint64_t{0};  // two chains, so that the multiplications overlap
  for (; bytes >= 16; data += 16, bytes -= 16) {
    even = mix(even, load_word(data));
    odd = mix(odd, load_word(data + 8));
  }
  if (bytes >= 8) {
    even = mix(even, load_word(data));
    data += 8;
    bytes -= 8;
  }
  return mix(even, mix(odd, load_word(data, bytes)));
}

PayloadSummary PayloadSummary::of(const Payload& p) {
  const Sideband* s = find_sideband(p);
  return {p.get_address(), p.get_data_length(), p.get_command(),
          s != nullptr ? name_of(s->operation) : name_of_command(p.get_command()), s != nullptr ? s->origin : Origin{}};
}

std::string PayloadSummary::text() const {
  char line[96];
  std::snprintf(line, sizeof line, "%s 0x%llx, %u bytes", operation, static_cast<unsigned long long>(address), length);
  return line;
}

std::uint64_t sideband_digest_of(const Payload& p) {
  const Sideband* s = find_sideband(p);
  if (s == nullptr) return 0;
  std::uint64_t d = 1;
  for (const std::uint64_t field :
       {static_cast<std::uint64_t>(s->operation), static_cast<std::uint64_t>(s->semantics),
        static_cast<std::uint64_t>(s->scope), static_cast<std::uint64_t>(s->function),
        static_cast<std::uint64_t>(s->word_bytes), static_cast<std::uint64_t>(s->eviction),
        static_cast<std::uint64_t>(s->origin.sm) << 16 | s->origin.warp, std::uint64_t{s->origin.instruction},
        std::uint64_t{s->origin.kernel} << 32 | s->origin.cta, s->virtual_address})
    d = mix(d, field);
  if (s->lanes != nullptr) {
    for (unsigned lane = 0; lane < kLanes; ++lane) d = mix(d, s->lanes->at(lane));
    d = mix(d, std::uint64_t{s->lanes->active} << 16 | s->lanes->lane_bytes << 8 | s->lanes->scoreboard);
  }
  return d | 1U;
}

PayloadSnapshot PayloadSnapshot::of(const Payload& p) {
  PayloadSnapshot s;
  s.summary = PayloadSummary::of(p);
  s.streaming_width = p.get_streaming_width();
  s.enable_length = p.get_byte_enable_length();
  s.data = p.get_data_ptr();
  s.enables = p.get_byte_enable_ptr();
  s.data_digest = p.is_write() ? digest_of(s.data, s.summary.length) : 0;
  s.enable_digest = digest_of(s.enables, s.enable_length);
  s.sideband_digest = sideband_digest_of(p);
  return s;
}

bool enables_are_valid(const unsigned char* enables, std::size_t bytes) {
  bool valid = true;
  for (; bytes >= 8; enables += 8, bytes -= 8) {
    const std::uint64_t word = load_word(enables);
    valid &= (word >> 7 & 0x0101010101010101ULL) * 0xff == word;
  }
  for (; bytes > 0; ++enables, --bytes) valid &= *enables == 0x00 || *enables == 0xff;
  return valid;
}

}  // namespace gputlm
