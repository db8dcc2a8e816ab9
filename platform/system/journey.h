// SPDX-License-Identifier: Apache-2.0
//
// Follows accesses along the road: every phase on every arrow from the schedulers to the slices and on to DRAM, and
// every command that a channel books for them, as it happens.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "gputlm/system/simulation.h"

namespace gputlm {

/// Records the stations of a small run (one access or a few); of a larger one the first kMost. Create before the run.
class Journey : private L2Observer, private DramObserver {
 public:
  static constexpr std::size_t kMost = 500;

  struct Station {
    Fs time;
    std::string unit;   ///< Who was reached.
    std::string event;  ///< What happened there, in words.
  };

  explicit Journey(Simulation& simulation);
  ~Journey() override;
  Journey(const Journey&) = delete;
  Journey& operator=(const Journey&) = delete;

  /// Stations in time order.
  std::vector<Station> stations() const;
  /// A table: time, time since the station before, unit, event.
  void print(std::ostream& out) const;

 private:
  class Listener;
  /// Which addresses travel on an arrow.
  enum class Side { virtual_addresses, physical_addresses };

  void listen(ArrowPort& arrow, std::string unit, Side side = Side::physical_addresses);
  void add(Fs time, std::string unit, std::string event);
  void on_store(unsigned slice, const Payload& store) override;
  void on_load(unsigned slice, const Payload& load) override;
  void on_line(unsigned slice, LineEvent event, unsigned set, unsigned way, std::uint64_t line) override;
  void on_command(unsigned controller, unsigned channel, const BookedCommand& command, Ck watermark) override;

  Simulation& simulation_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<Station> stations_;
  std::uint64_t left_out_ = 0;
};

}  // namespace gputlm
