// SPDX-License-Identifier: Apache-2.0
//
// A port that answers b_transport loosely timed, for bringing up software: reads and writes take effect at once, in the
// order of the calls; the call never waits, and the delay that comes back has an estimate of the time added. Everything
// else goes on to the approximately timed port behind: non-blocking calls, debug access, other addresses, and what a
// sideband asks for beyond loads and stores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "gputlm/ports/width_adapter.h"
#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// The part of a read or write that lies in one line.
struct LoosePiece {
  std::uint64_t line = 0;
  unsigned first = 0, count = 0;  ///< Bytes of the line.
  ByteMask mask;                  ///< Enabled ones.
  bool reads = false;
  unsigned char* data = nullptr;  ///< Of byte `first` and those behind it.
};

/// Does something to the piece as a line transaction of the pool: what it writes is in there, what it reads is taken
/// from there.
template <class Act>
void as_line(const LoosePiece& piece, PayloadPool& pool, Act act) {
  const PayloadRef line = piece.reads ? pool.line(tlm::TLM_READ_COMMAND, piece.line, Operation::load)
                                      : pool.line(tlm::TLM_WRITE_COMMAND, piece.line, Operation::store);
  unsigned char* const bytes = line->get_data_ptr() + piece.first;
  set_enables(*line, piece.mask);
  if (!piece.reads) std::copy_n(piece.data, piece.count, bytes);
  act(*line);
  for (unsigned i = 0; piece.reads && i < piece.count; ++i)
    if (piece.mask.test(piece.first + i)) piece.data[i] = bytes[i];
}

/// Addresses that a loose port answers itself.
struct LooseRange {
  std::uint64_t first = 0, bytes = 0;
  /// Performs a piece that begins at `at`, and returns when it is answered.
  std::function<Fs(const LoosePiece& piece, Fs at)> access;
};

/// Sockets: `in` faces the initiator, `out` a BusPort.
class LoosePort : public WidthAdapter<32> {
 public:
  LoosePort(const sc_core::sc_module_name& name, LooseRange range);

 private:
  void b_transport(Payload& p, sc_core::sc_time& t) override;
  bool answers(const Payload& p) const;
  Fs access(Payload& p, Fs at) const;

  const LooseRange range_;
};

}  // namespace gputlm
