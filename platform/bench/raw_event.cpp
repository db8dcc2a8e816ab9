// SPDX-License-Identifier: Apache-2.0
#include "gputlm/bench/raw_event.h"

#include <chrono>

#include "gputlm/tlm/systemc_guard.h"

namespace gputlm {
namespace {

class Ticker : public sc_core::sc_module {
 public:
  explicit Ticker(const sc_core::sc_module_name& name) : sc_module(name) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.set_sensitivity(&event_);
    sc_core::sc_spawn([this] { event_.notify(interval_); }, "tick", &options);
  }

 private:
  const sc_core::sc_time interval_{1, sc_core::SC_NS};
  sc_core::sc_event event_;
};

}  // namespace

double raw_event_ns() {
  constexpr double kWarmUp = 1e5, kEvents = 3e6;
  const Ticker ticker("ticker");
  sc_core::sc_start(sc_core::sc_time(kWarmUp, sc_core::SC_NS));
  const auto start = std::chrono::steady_clock::now();
  sc_core::sc_start(sc_core::sc_time(kEvents, sc_core::SC_NS));
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / kEvents;
}

}  // namespace gputlm
