// SPDX-License-Identifier: Apache-2.0
//
// A journey for programs and for people.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "gputlm/trace/access_journey.h"

namespace gputlm {

Json stations_json(const std::vector<JourneyStation>& stations) {
  Json all = Json::array();
  for (const JourneyStation& s : stations)
    all.push_back({{"unit", s.unit},
                   {"event", s.event},
                   {"time_ns", to_ns(s.time)},
                   {"wait_ns", to_ns(s.wait)},
                   {"detail", s.detail}});
  return all;
}

Json journey_json(const FollowedAccess& access, const std::vector<JourneyStation>& stations) {
  Json json{{"op", access.operation}};
  json["address"] = access.address == kNoAddress ? Json() : Json(fmt::format("{:#x}", access.address));
  json["sm"] = access.origin.sm;
  json["warp"] = access.origin.warp;
  json["instruction"] = access.origin.instruction;
  json["kernel"] = access.origin.kernel;
  json["cta"] = access.origin.cta;
  json["stations"] = stations_json(stations);
  return json;
}

void print_headline(std::ostream& out, const FollowedAccess& access) {
  fmt::print(out, "{} of SM {} warp {}, instruction {} (kernel {}, CTA {})", access.operation, access.origin.sm,
             access.origin.warp, access.origin.instruction, access.origin.kernel, access.origin.cta);
  if (access.address != kNoAddress) fmt::print(out, ", va {:#x}", access.address);
  fmt::print(out, "\n\n");
}

void print_journey(std::ostream& out, const std::vector<JourneyStation>& stations) {
  std::size_t unit = 7, event = 5;  // of the headings
  for (const JourneyStation& s : stations) {
    unit = std::max(unit, s.unit.size());
    event = std::max(event, s.event.size());
  }
  fmt::print(out, "  {:>10}  {:>8}  {:>9}  {:<{}}  {:<{}}  {}\n", "time ns", "+ ns", "waited ns", "station", unit,
             "event", event, "what");
  Fs last = stations.empty() ? 0 : stations.front().time;
  for (const JourneyStation& s : stations) {
    fmt::print(out, "  {:>10.3f}  {:>8.3f}  {:>9.3f}  {:<{}}  {:<{}}  {}\n", to_ns(s.time), to_ns(s.time - last),
               to_ns(s.wait), s.unit, unit, s.event, event, s.detail);
    last = s.time;
  }
  if (stations.size() >= AccessJourney::kMost)
    fmt::print(out, "  a journey shows its first {} stations\n", AccessJourney::kMost);
}

}  // namespace gputlm
