// SPDX-License-Identifier: Apache-2.0
//
// One access from its warp to the last byte's way into DRAM, as a list of stations.
#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/system/statistics_tree.h"
#include "gputlm/trace/followed_access.h"
#include "gputlm/trace/journey_waits.h"
#include "gputlm/trace/trace_sink.h"

namespace gputlm {

/// Somewhere at some time.
struct JourneyStation {
  Fs time = 0;
  std::string unit;   ///< Who was reached.
  std::string event;  ///< What happened there, in a few words.
  TimeSpent spent;    ///< Since the station before it on its way.
  std::string detail;
  unsigned order = 0;  ///< Among those of one moment.
};

/// What a sink finds out.
struct Journey {
  std::optional<FollowedAccess> access;  ///< Whose; of a run with several, nobody's.
  std::vector<JourneyStation> stations;  ///< In time order.
  std::uint64_t left_out = 0;            ///< Others' transactions and events at its lines that have no station.
};

/// Sink of the second run, whose recording explains: what belongs to the access and to its lines from its beginning on.
/// Without an access, of all accesses of a small run.
class AccessJourney : public TraceSink {
 public:
  /// Thousands may come by a line: as many of others' transactions and events have stations, and all of the access's
  /// own, which its lanes bound. Without an access, as many of everybody's.
  static constexpr std::size_t kMost = 500;

  /// Config and journey live longer. A sink is owned by its recorder, so what it finds goes to `journey`.
  AccessJourney(std::optional<FollowedAccess> access, const Config& config, Journey& journey)
      : access_(std::move(access)), config_(config), journey_(journey) {}

  void begin(const TraceDescription& description) override { description_ = &description; }
  void take(const SharedBatch& batch) override;
  void finish(const TraceLoss& loss) override;

 private:
  bool own(const TraceTransaction& t) const;
  bool admit();
  void settle(const TraceTransaction& t);
  void keep_of_others(const TraceEvent& e);
  void note_dirty(const TraceEvent& e);
  void add_end_of_run();
  void name_only_access();
  void add_arrival(const TraceTransaction& t, std::size_t hop, const JourneyWaits& waits);
  void add_answer(const TraceTransaction& t, std::size_t hop, const JourneyWaits& waits);
  void add_event(const TraceEvent& e);
  /// What follows what in one moment: answers end something, and what is queued then is a new request's beginning.
  enum Order : unsigned { kAnswer, kQueued, kRequest, kEffect };
  void add(Fs time, std::uint32_t track, std::string event, TimeSpent spent, std::string detail, Order order);

  const std::optional<FollowedAccess> access_;
  const Config& config_;
  Journey& journey_;
  const TraceDescription* description_ = nullptr;
  std::size_t of_others_ = 0;
  std::vector<TraceTransaction> transactions_;
  std::vector<TraceEvent> events_;
  /// An event comes before its transaction, which ends later and only then tells whose it is.
  std::map<std::uint64_t, std::vector<TraceEvent>> unsettled_;
  std::map<std::uint64_t, std::uint32_t> dirty_;  ///< Line to the arrow into its slice.
};

/// {op, address, sm, warp, ..., left_out, stations: [{unit, event, time_ns, wait_ns, service_ns, causes: [{cause, ns}],
/// detail}]}; without an access op and address are null.
Json journey_json(const Journey& journey);
/// A line that says which access it is.
void print_headline(std::ostream& out, const FollowedAccess& access);
/// A table.
void print_journey(std::ostream& out, const Journey& journey);

}  // namespace gputlm
