// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "gputlm/config/config.h"

namespace gputlm {

/// Where a line is served.
struct LoosePlace {
  unsigned slice = 0, set = 0, channel = 0;
};

/// Parameters of the estimate; all of them follow from the card's.
struct LooseSpec {
  unsigned ports = 0, slices = 0, channels = 0;
  unsigned sets = 0, ways = 0;                    ///< Of a slice.
  Fs request_latency = 0, response_latency = 0;   ///< Crossbar.
  std::vector<Fs> port_position, slice_position;  ///< Extra each way; empty: none.
  Fs load_latency = 0, store_latency = 0;         ///< L2.
  Fs atomic_latency = 0, atomic_interval = 0;     ///< Added to a load's; between two on one word.
  Fs fetch_latency = 0, fetch_sector = 0;         ///< DRAM: first sector, each further one.
  Fs port_header = 0, port_sector_in = 0, port_sector_out = 0;
  Fs slice_request = 0, slice_sector_in = 0, slice_sector_out = 0;
  Fs channel_sector = 0;
  Fs write_backlog = 0;      ///< How far ahead of now a channel's time may be booked before stores wait for it.
  bool serve_valid = false;  ///< A load fetches nothing of a sector whose bytes it wants are valid.
  std::function<LoosePlace(std::uint64_t line)> place_of;
};

/// All but `place_of`. `hub_ports`: of the crossbar, behind the SMs'.
LooseSpec loose_spec(const Config& config, unsigned hub_ports);

}  // namespace gputlm
