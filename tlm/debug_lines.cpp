// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/debug_lines.h"

#include <algorithm>
#include <array>

namespace gputlm {

unsigned debug_by_lines(tlm::tlm_fw_transport_if<>& below, const DebugRange& range) {
  std::array<unsigned char, kLineBytes> enables;
  unsigned done = 0;
  while (done < range.length) {
    const std::uint64_t address = range.address + done;
    const unsigned bytes = std::min(range.length - done, kLineBytes - static_cast<unsigned>(address & kLineOffsetMask));
    Payload piece;
    piece.set_command(range.command);
    piece.set_address(address);
    piece.set_data_ptr(range.data + done);
    piece.set_data_length(bytes);
    piece.set_streaming_width(bytes);
    if (range.enables != nullptr && range.enable_length > 0) {
      for (unsigned i = 0; i < bytes; ++i) enables[i] = range.enables[(done + i) % range.enable_length];
      piece.set_byte_enable_ptr(enables.data());
      piece.set_byte_enable_length(bytes);
    }
    const unsigned count = below.transport_dbg(piece);
    done += count;
    if (count < bytes) break;
  }
  return done;
}

}  // namespace gputlm
