// SPDX-License-Identifier: Apache-2.0
//
// Follows accesses along the road: every phase on every arrow from the schedulers to the slices, as it happens.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "gputlm/system/simulation.h"

namespace gputlm {

/// Records all phases on the arrows of a small run (one access or a few). Create before the run.
class Journey : private L2Observer {
 public:
  struct Station {
    Fs time;
    std::string unit;   ///< Who was reached.
    std::string event;  ///< What happened there, in words.
  };

  explicit Journey(Simulation& simulation);
  ~Journey() override;

  /// Stations in time order.
  std::vector<Station> stations() const;
  /// A table: time, time since the station before, unit, event.
  void print(std::ostream& out) const;

 private:
  class Listener;

  void listen(ArrowPort& arrow, std::string unit);
  void on_store(unsigned slice, const Payload& store) override;
  void on_load(unsigned slice, const Payload& load) override;

  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<Station> stations_;
};

}  // namespace gputlm
