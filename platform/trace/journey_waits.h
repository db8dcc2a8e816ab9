// SPDX-License-Identifier: Apache-2.0
//
// Where the time of a followed transaction went between two stations: what an idle card takes, what was lost and to
// what.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/trace/trace_sink.h"

namespace gputlm {

/// Time since the station before: an idle card's, and the rest with its causes. What the causes add up to is the wait.
struct TimeSpent {
  Fs service = 0;
  std::vector<TraceStall> causes;

  Fs wait() const;
  /// "; waited: CAUSE 3.25 ns, CAUSE 1 ns"; of one cause without its time; empty when nothing was lost.
  std::string text() const;
};

/// `taken` was spent. Causes that overlap with the service count beyond it only; what is left then has `rest`.
TimeSpent time_spent(Fs taken, Fs service, const std::vector<TraceStall>& causes, const std::string& rest);

/// Works it out from hops that explain (TraceSelection::explain) and from what happened to their transactions.
/// All that it is given lives longer.
class JourneyWaits {
 public:
  JourneyWaits(const TraceDescription& description, const Config& config,
               const std::vector<TraceTransaction>& transactions, const std::vector<TraceEvent>& events);

  /// From the unit before (or the request whose work this is) to the request here.
  TimeSpent arrival(const TraceTransaction& t, std::size_t hop) const;
  /// From the request to its END_REQ.
  TimeSpent acceptance(const TraceTransaction& t, std::size_t hop) const;
  /// From the request here (or the answer of the unit below) to the answer.
  TimeSpent answer(const TraceTransaction& t, std::size_t hop) const;

 private:
  TraceUnit unit(const TraceHop& h) const { return description_.tracks[h.track].unit; }
  TimeSpent way(const TraceTransaction& t, std::size_t hop) const;
  TimeSpent through_lsu(const TraceTransaction& t, const TraceTransaction& access) const;
  TimeSpent through_l1(const TraceTransaction& t, const TraceTransaction& line) const;
  TimeSpent through_slice(const TraceTransaction& t, const TraceTransaction& asked) const;
  TimeSpent l1_answer(const TraceTransaction& t, Fs taken) const;
  TimeSpent slice_answer(const TraceTransaction& t, const TraceHop& h) const;
  Fs channel_service(const TraceTransaction& t, const TraceHop& h, Fs taken) const;
  double row_cycles(const TraceTransaction& t, const TraceHop& h) const;
  bool happened(const TraceTransaction& t, const char* event) const;
  Fs last_child_answered(const TraceTransaction& t) const;
  Fs exit_time(const TraceTransaction& line) const;

  const TraceDescription& description_;
  const Config& config_;
  const std::vector<TraceTransaction>& transactions_;
  const std::vector<TraceEvent>& events_;
  std::map<std::uint64_t, std::set<std::string>> names_;  ///< Of events, by transaction.
};

/// The transaction of a number; null: there is none.
const TraceTransaction* find_transaction(const std::vector<TraceTransaction>& all, std::uint64_t id);

}  // namespace gputlm
