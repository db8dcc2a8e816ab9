// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launch/loose_bar.h"

#include <algorithm>

#include "gputlm/host/apertures.h"

namespace gputlm {

LooseBar::LooseBar(LooseTiming& timing, const PcieLink& link, unsigned port, const Config& config)
    : timing_(timing),
      link_(link),
      port_(port),
      bytes_(config.memory_bytes()),
      line_time_(from_ns(kLineBytes / link.stream_bytes_per_ns())),
      queue_(config.host.pcie.queue_lines * line_time_) {}

LooseRange LooseBar::range() {
  return {Apertures::kBar1Base, bytes_, [this](std::uint64_t line, ByteMask mask, bool reads, Fs at) {
            return access(line - Apertures::kBar1Base, mask, reads, at);
          }};
}

Fs LooseBar::access(std::uint64_t line, ByteMask mask, bool reads, Fs at) {
  const Operation operation = reads ? Operation::load : Operation::store;
  const Fs sent = down_.book(at, reads ? 0 : line_time_);
  const LooseTimes memory =
      timing_.access({port_, line, timing_.place_of(line), mask, operation}, sent + link_.latency(false));
  if (!reads) return std::max(at, sent - queue_);
  return up_.book(memory.answered, line_time_) + line_time_ + link_.latency(true);
}

}  // namespace gputlm
