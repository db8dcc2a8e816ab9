// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/lane_bytes.h"

#include <cstring>

namespace gputlm {

void load_lane(WarpState& w, Lane lane, const Destination& d, AccessWidth width, const unsigned char* from) {
  std::uint32_t words[4] = {};
  std::memcpy(words, from, width.bytes);
  if (width.is_signed) words[0] = sign_extend(words[0], width.bytes * 8U);
  for (unsigned n = 0; n < width.words(); ++n) d.write(w, lane, words[n], n);
}

void store_lane(const WarpState& w, Lane lane, const Source& s, AccessWidth width, unsigned char* to) {
  std::uint32_t words[4] = {};
  for (unsigned n = 0; n < width.words(); ++n) words[n] = s.word(w, lane, n);
  std::memcpy(to, words, width.bytes);
}

AtomicFunction atomic_function(const SassInstruction& i) {
  const bool is_signed = i.has("S32") || i.has("S64");
  if (i.has("MIN")) return is_signed ? AtomicFunction::min_signed : AtomicFunction::min_unsigned;
  if (i.has("MAX")) return is_signed ? AtomicFunction::max_signed : AtomicFunction::max_unsigned;
  if (i.has("INC")) return AtomicFunction::increment;
  if (i.has("DEC")) return AtomicFunction::decrement;
  if (i.has("AND")) return AtomicFunction::bit_and;
  if (i.has("OR")) return AtomicFunction::bit_or;
  if (i.has("XOR")) return AtomicFunction::bit_xor;
  if (i.has("EXCH")) return AtomicFunction::exchange;
  if (i.has("CAS") || i.has("CAST")) return AtomicFunction::compare_and_swap;
  if (i.has("ADD")) return i.has("F32") || i.has("F64") ? AtomicFunction::float_add : AtomicFunction::add;
  throw Unsupported("this function of an atomic is not supported");
}

}  // namespace gputlm
