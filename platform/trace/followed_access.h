// SPDX-License-Identifier: Apache-2.0
//
// Which of a run's accesses is to be followed. A process elaborates once, and which access is the slowest is known only
// at the end, so a first run finds it and a second one, which is the same in every femtosecond, follows it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gputlm/trace/trace_filter.h"
#include "gputlm/trace/trace_sink.h"

namespace gputlm {

/// What a user asks for; without any of it, the first access of the run.
struct FollowWish {
  std::optional<unsigned> sm, warp;
  std::uint64_t nth = 1;                 ///< Of those that the others leave, in the order of their beginning.
  std::optional<std::uint64_t> address;  ///< Virtual: accesses that want something of the byte's line.
  std::string slowest;                   ///< Operation: the one that took longest until its answer.

  /// What the first run has to record.
  TraceFilter filter() const;
};

/// An access that was found.
struct FollowedAccess {
  Origin origin;
  std::string operation;
  std::uint64_t address = kNoAddress;  ///< Virtual, of the first lane.
  Fs begin = 0;
  std::set<std::uint64_t> lines;  ///< Physical.

  /// What the second run has to record: all it caused, and all that happened to its lines.
  TraceFilter filter() const;
  nlohmann::json to_json() const;
  static FollowedAccess from_json(const nlohmann::json& json);
};

/// Sink of the first run.
class AccessFinder : public TraceSink {
 public:
  /// `found` outlives the finder; it gets its value in finish().
  AccessFinder(FollowWish wish, std::optional<FollowedAccess>& found) : wish_(std::move(wish)), found_(found) {}

  void begin(const TraceDescription& /*description*/) override {}
  void take(const SharedBatch& batch) override;
  void finish(const TraceLoss& loss) override;

 private:
  /// A line request, as far as it matters here.
  struct Line {
    std::uint64_t id, parent, virtual_line, physical_line;
  };

  void consider(const TraceTransaction& access);
  std::uint64_t chosen() const;

  const FollowWish wish_;
  std::optional<FollowedAccess>& found_;
  std::vector<Line> lines_;                           ///< An access ends before its last line's response has.
  std::map<std::uint64_t, FollowedAccess> accesses_;  ///< Those that may be the one, by their beginning.
  Fs slowest_ = -1;
};

}  // namespace gputlm
