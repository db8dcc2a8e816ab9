// SPDX-License-Identifier: Apache-2.0
//
// One access from its warp to the last byte's way into DRAM, as a list of stations.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/system/statistics_tree.h"
#include "gputlm/trace/followed_access.h"
#include "gputlm/trace/trace_sink.h"

namespace gputlm {

/// Somewhere at some time.
struct JourneyStation {
  Fs time = 0;
  std::string unit;   ///< Who was reached.
  std::string event;  ///< What happened there, in a few words.
  Fs wait = 0;        ///< Lost just before, beyond what an idle card takes.
  std::string detail;
  unsigned order = 0;  ///< Among those of one moment.
};

/// Sink of the second run: what belongs to the access and to its lines from its beginning on. Without an access, of all
/// accesses of a small run.
class AccessJourney : public TraceSink {
 public:
  /// A longer journey (of a line that thousands come by) shows the first of its stations.
  static constexpr std::size_t kMost = 500;

  /// Config and the lists live longer. A sink is owned by its recorder, so what it finds goes to `stations`.
  AccessJourney(std::optional<FollowedAccess> access, const Config& config, std::vector<JourneyStation>& stations)
      : access_(std::move(access)), config_(config), stations_(stations) {}

  void begin(const TraceDescription& description) override { description_ = &description; }
  void take(const TraceBatch& batch) override;
  /// Fills the list, in time order.
  void finish(const TraceLoss& loss) override;

 private:
  bool own(const TraceTransaction& t) const;
  struct Wait {
    Fs time = 0;
    const char* why = "";
  };
  Wait waited_before(const TraceTransaction& t, std::size_t hop) const;
  void add_arrival(const TraceTransaction& t, std::size_t hop);
  void add_answer(const TraceTransaction& t, std::size_t hop);
  void add_event(const TraceEvent& e);
  /// What follows what in one moment: answers end something, and what is queued then is a new request's beginning.
  enum Order : unsigned { kAnswer, kQueued, kRequest, kEffect };
  void add(Fs time, std::uint32_t track, std::string event, Fs wait, std::string detail, Order order);
  Fs unloaded(const TraceTransaction& t, std::size_t hop) const;
  Fs unloaded_answer(const TraceTransaction& t, std::size_t hop) const;
  const TraceTransaction* find(std::uint64_t id) const;

  const std::optional<FollowedAccess> access_;
  const Config& config_;
  std::vector<JourneyStation>& stations_;
  const TraceDescription* description_ = nullptr;
  std::vector<TraceTransaction> transactions_;
  std::vector<TraceEvent> events_;
};

/// [{unit, event, time_ns, wait_ns, detail}]
Json stations_json(const std::vector<JourneyStation>& stations);
/// {op, address, sm, warp, ..., stations: [{unit, event, time_ns, wait_ns, detail}]}
Json journey_json(const FollowedAccess& access, const std::vector<JourneyStation>& stations);
/// A line that says which access it is.
void print_headline(std::ostream& out, const FollowedAccess& access);
/// A table.
void print_journey(std::ostream& out, const std::vector<JourneyStation>& stations);

}  // namespace gputlm
