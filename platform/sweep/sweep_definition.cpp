// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/sweep_definition.h"

#include <fmt/format.h>

#include "gputlm/version.h"

namespace gputlm {

namespace {

std::string shown(const Json& value) {
  constexpr std::size_t kLongest = 120;
  std::string text;
  if (value.is_null()) return "nothing";
  text = value.is_string() ? value.get<std::string>() : value.dump();
  return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

/// Keys of both, in the order of the first.
std::vector<std::string> keys_of(const Json& a, const Json& b) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : a.items()) keys.push_back(key);
  for (const auto& [key, value] : b.items())
    if (!a.contains(key)) keys.push_back(key);
  return keys;
}

}  // namespace

Json sweep_definition(const SweepPlan& plan) {
  const SweepFile& file = plan.file;
  Json j{{"sweep", file.name},
         {file.probe ? "probe" : "experiment", file.target},
         {"config", file.config},
         {"method", name_of(file.method)},
         {"seed", file.seed}};
  for (const Override& o : file.set) j["set"][o.path] = o.value;
  for (std::size_t p = 0; p < file.parameters.size(); ++p) {
    Json& values = j["parameters"][file.parameters[p].path] = Json::array();
    for (const SweepPoint& point : plan.points) values.push_back(point.values[p].text);
  }
  j["files"] = plan.fingerprint;
  j["version"] = GPUTLM_VERSION_STRING;
  return j;
}

std::string definition_difference(const Json& there, const Json& here) {
  for (const std::string& key : keys_of(there, here)) {
    const Json a = there.value(key, Json()), b = here.value(key, Json());
    if (a == b) continue;
    if (key == "files") return "what the experiment's or a configuration's file holds has changed";
    if (a.is_object() && b.is_object()) {
      const std::string inner = definition_difference(a, b);
      return fmt::format("{}.{}", key, inner);
    }
    return fmt::format("{} was {}, is {}", key, shown(a), shown(b));
  }
  return {};
}

}  // namespace gputlm
