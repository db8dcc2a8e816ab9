// SPDX-License-Identifier: Apache-2.0
//
// The GPU's apertures, at its end of the link: what the host's CPU reads and writes of the GPU.
//
// The usermode region holds the doorbell. BAR1 is a window on the card's memory, byte for byte (as with a resizable
// BAR: as large as the memory, no page table of its own); it leads to the crossbar, so to L2, coherently. The map of
// the CPU's addresses is the model's own: the region first, BAR1 from 1 TiB on. A request passes through in the same
// call with its address changed, as at a translation; the unit holds nothing.
#pragma once

#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// Statistics: doorbell requests, BAR1 reads and writes, refused.
class Apertures : public Unit {
 public:
  static constexpr std::uint64_t kUsermodeBase = 0, kUsermodeBytes = 64 << 10;
  static constexpr std::uint64_t kBar1Base = std::uint64_t{1} << 40;

  /// `bar1_bytes`: of the card's memory.
  Apertures(const sc_core::sc_module_name& name, std::uint64_t bar1_bytes);

  TargetSocket<Apertures> requests;     ///< From the link.
  InitiatorSocket<Apertures> usermode;  ///< To the host engine's doorbell.
  InitiatorSocket<Apertures> bar1;      ///< To the crossbar.

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return !requests.withholding(); }
  void list_waits(WaitList& waits) const override;

  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t port, Payload& p);
  void on_accepted(std::size_t aperture, Payload& p, Fs delay);
  bool on_response(std::size_t aperture, Payload& p, Fs delay);
  void on_debug_written(std::size_t aperture, std::uint64_t first, std::uint64_t last);

 private:
  static constexpr std::size_t kUsermode = 0, kBar1 = 1, kNone = 2;

  std::size_t aperture_of(std::uint64_t address) const;
  static std::uint64_t base_of(std::size_t aperture) { return aperture == kUsermode ? kUsermodeBase : kBar1Base; }
  InitiatorSocket<Apertures>& exit(std::size_t aperture) { return aperture == kUsermode ? usermode : bar1; }

  const std::uint64_t bar1_bytes_;
  Fs withheld_since_ = kNever;
  std::uint64_t doorbells_ = 0, reads_ = 0, writes_ = 0, refused_ = 0;
};

}  // namespace gputlm
