// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/script_reader.h"

#include "gputlm/workload/parameters.h"

namespace gputlm {

namespace {

constexpr double kLongestDelay = 1e9;

const std::vector<std::string> kNames{"load",  "store", "atomic", "reduction", "poll",
                                      "fence", "delay", "wait",   "barrier"};  // in the order of ScriptStep::Kind

/// The kind that the map's keys name; the map is reported when it is none or several.
bool read_kind(YamlReader& reader, ScriptStep& step) {
  unsigned found = 0;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const bool flag_of_a_load = kNames[i] == "wait" && found > 0;
    if (!reader.has(kNames[i]) || flag_of_a_load) continue;
    step.kind = static_cast<ScriptStep::Kind>(i);
    ++found;
  }
  if (found != 1) reader.error("", "is no step: it must do exactly one thing", {}, join_names(kNames));
  return found == 1;
}

Operation operation_of(const ScriptStep& step) {
  if (step.kind == ScriptStep::Kind::fence) return Operation::fence;
  if (step.modifies()) return Operation::atomic;
  return step.kind == ScriptStep::Kind::store ? Operation::store : Operation::load;
}

void read_order(YamlReader& reader, ScriptStep& step) {
  const bool fence = step.kind == ScriptStep::Kind::fence;
  const bool strong = step.kind == ScriptStep::Kind::poll || step.modifies();
  std::string semantics = fence ? "sc" : strong ? "relaxed" : "weak", scope = "gpu";
  reader.choice("semantics", semantics, semantics_of(operation_of(step)), kOptional);
  reader.choice(fence ? "fence" : "scope", scope, kScopeNames, kOptional);
  step.order = {semantics_named(semantics), scope_named(scope)};
  if (!fence) step.order.eviction = read_eviction(reader);
}

void read_lanes(YamlReader& reader, ScriptStep& step) {
  if (step.kind == ScriptStep::Kind::poll) step.lanes = 1;
  reader.count("lanes", step.lanes, {1, kLanes}, kOptional);
  reader.count("lane_bytes", step.lane_bytes, {1, kMaxLaneBytes}, kOptional);
  if ((step.lane_bytes & (step.lane_bytes - 1)) != 0 ||
      (step.modifies() && step.lane_bytes != 4 && step.lane_bytes != 8))
    reader.error("lane_bytes", "is no width of such an access", std::to_string(step.lane_bytes),
                 step.modifies() ? "4 or 8" : "1, 2, 4, 8 or 16");
  step.stride = step.lane_bytes;
  reader.count("stride", step.stride, {0, kMaxDistance}, kOptional);
}

}  // namespace

ScriptStep read_script_step(YamlReader& reader) {
  using Kind = ScriptStep::Kind;
  ScriptStep step;
  if (!read_kind(reader, step)) {
    for (const std::string& key : reader.keys()) reader.node(key);
    return step;
  }
  const std::string& key = kNames[static_cast<std::size_t>(step.kind)];
  if (step.accesses()) {
    reader.count(key, step.offset, {0, kMaxDistance});
    read_lanes(reader, step);
    read_order(reader, step);
    std::string function = "add";
    if (step.modifies())
      reader.choice("function", function, {"add", "min.u", "max.u", "and", "or", "xor", "exch"}, kOptional);
    step.function = function_named(function);
    if (step.kind == Kind::load || step.kind == Kind::atomic) reader.boolean("wait", step.wait, kOptional);
  } else if (step.kind == Kind::fence) {
    read_order(reader, step);
  } else if (step.kind == Kind::delay) {
    reader.real(key, step.cycles, {1, kLongestDelay});
  } else {
    std::string whom = step.kind == Kind::wait ? "loads" : "cta";
    reader.choice(key, whom, {whom});
  }
  reader.count("count", step.count, {1, kMaxRounds}, kOptional);
  reader.count("every", step.every, {0, kMaxDistance}, kOptional);
  reader.finish();
  return step;
}

}  // namespace gputlm
