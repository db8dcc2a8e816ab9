// SPDX-License-Identifier: Apache-2.0
//
// A journey for programs and for people.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "gputlm/trace/access_journey.h"

namespace gputlm {

Json journey_json(const Journey& journey) {
  Json json{{"op", nullptr}, {"address", nullptr}};
  if (const auto& access = journey.access) {
    json["op"] = access->operation;
    if (access->address != kNoAddress) json["address"] = fmt::format("{:#x}", access->address);
    json["sm"] = access->origin.sm;
    json["warp"] = access->origin.warp;
    json["instruction"] = access->origin.instruction;
    json["kernel"] = access->origin.kernel;
    json["cta"] = access->origin.cta;
  }
  json["left_out"] = journey.left_out;
  json["stations"] = Json::array();
  for (const JourneyStation& s : journey.stations) {
    Json causes = Json::array();
    for (const TraceStall& c : s.spent.causes) causes.push_back({{"cause", c.why}, {"ns", to_ns(c.time)}});
    json["stations"].push_back({{"unit", s.unit},
                                {"event", s.event},
                                {"time_ns", to_ns(s.time)},
                                {"wait_ns", to_ns(s.spent.wait())},
                                {"service_ns", to_ns(s.spent.service)},
                                {"causes", std::move(causes)},
                                {"detail", s.detail}});
  }
  return json;
}

void print_headline(std::ostream& out, const FollowedAccess& access) {
  fmt::print(out, "{} of SM {} warp {}, instruction {} (kernel {}, CTA {})", access.operation, access.origin.sm,
             access.origin.warp, access.origin.instruction, access.origin.kernel, access.origin.cta);
  if (access.address != kNoAddress) fmt::print(out, ", va {:#x}", access.address);
  fmt::print(out, "\n\n");
}

void print_journey(std::ostream& out, const Journey& journey) {
  const std::vector<JourneyStation>& stations = journey.stations;
  std::size_t unit = 7, event = 5;  // of the headings
  for (const JourneyStation& s : stations) {
    unit = std::max(unit, s.unit.size());
    event = std::max(event, s.event.size());
  }
  fmt::print(out, "  {:>10}  {:>8}  {:>10}  {:>9}  {:<{}}  {:<{}}  {}\n", "time ns", "+ ns", "service ns", "waited ns",
             "station", unit, "event", event, "what");
  Fs last = stations.empty() ? 0 : stations.front().time;
  for (const JourneyStation& s : stations) {
    fmt::print(out, "  {:>10.3f}  {:>8.3f}  {:>10.3f}  {:>9.3f}  {:<{}}  {:<{}}  {}\n", to_ns(s.time),
               to_ns(s.time - last), to_ns(s.spent.service), to_ns(s.spent.wait()), s.unit, unit, s.event, event,
               s.detail);
    last = s.time;
  }
  if (journey.left_out > 0)
    fmt::print(out, "  left out: {} more transactions and events of others\n", journey.left_out);
}

}  // namespace gputlm
