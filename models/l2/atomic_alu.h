// SPDX-License-Identifier: Apache-2.0
//
// Read-modify-write on the words of one line, as the slice performs reductions and atomics.
#pragma once

#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/ring.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// The naturally aligned words of 4 or 8 bytes whose bytes are all in the mask.
ByteMask complete_words(ByteMask mask, unsigned word_bytes);

/// TLM_OK_RESPONSE when `p` is a line transaction that memory can perform: as check_line(), and what is neither load
/// nor store is a reduction or atomic on whole words of 4 or 8 bytes. Otherwise the error to answer with.
tlm::tlm_response_status check_performable(const Payload& p);

/// Performs `request` (its sideband's function and word size, operands in its data, values to compare with in the
/// second 128 bytes) on the given words of a line. An atomic's old values replace its operands; a reduction's data
/// stay. Functions as PTX defines them: increment wraps to 0 at the operand, decrement to the operand at 0, 32-bit
/// float addition rounds to nearest and flushes subnormal inputs and results to zero.
void perform_atomic(Payload& request, ByteMask words, unsigned char* line);

/// Keeps operations on one word apart: the rate at which the slice can repeat a read-modify-write (assumed, facts 14).
class SameWordGate {
 public:
  /// `interval` femtoseconds between two operations on one word.
  explicit SameWordGate(Fs interval) : interval_(interval) {}
  /// Earliest time, not before t, at which the words are free; books them from then on.
  Fs book(std::uint64_t line, ByteMask words, Fs t);
  void clear() { recent_.clear(); }

 private:
  struct Booking {
    std::uint64_t line = 0;
    ByteMask words;
    Fs free_at = 0;
  };
  Fs interval_;
  Ring<Booking> recent_;
};

}  // namespace gputlm
