// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launch/loose_bar.h"

#include <algorithm>

#include "gputlm/host/apertures.h"

namespace gputlm {

LooseBar::LooseBar(LooseMemory& memory, const PcieLink& link, unsigned port, const Config& config)
    : memory_(memory),
      link_(link),
      port_(port),
      bytes_(config.memory_bytes()),
      line_time_(from_ns(kLineBytes / link.stream_bytes_per_ns())),
      queue_(config.host.pcie.queue_lines * line_time_) {}

LooseRange LooseBar::range() {
  return {Apertures::kBar1Base, bytes_, [this](const LoosePiece& piece, Fs at) { return access(piece, at); }};
}

Fs LooseBar::access(LoosePiece piece, Fs at) {
  piece.line -= Apertures::kBar1Base;
  const Fs sent = down_.book(at, piece.reads ? 0 : line_time_);
  const Fs answered = memory_.access(port_, piece, sent + link_.latency(false));
  if (!piece.reads) return std::max(at, sent - queue_);
  return up_.book(answered, line_time_) + line_time_ + link_.latency(true);
}

}  // namespace gputlm
