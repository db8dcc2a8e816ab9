// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/parameter_reader.h"

#include <algorithm>

#include "gputlm/workload/parameters.h"
#include "gputlm/workload/script_reader.h"

namespace gputlm {

namespace {

LaneAccess read_access(YamlReader& reader) {
  LaneAccess a;
  std::string operation = "load", semantics, scope = "gpu";
  reader.choice("operation", operation, {"load", "store", "fence"});
  const bool fence = operation == "fence";
  a.operation = fence ? Operation::fence : operation == "store" ? Operation::store : Operation::load;
  semantics = fence ? "sc" : "weak";
  reader.choice("semantics", semantics, semantics_of(a.operation), kOptional);
  reader.choice("scope", scope, kScopeNames, kOptional);
  a.semantics = semantics_named(semantics);
  a.scope = scope_named(scope);
  if (!fence) {
    a.eviction = read_eviction(reader);
    std::uint64_t lane_bytes = 4, active = 0xffffffffU;
    reader.count("lane_bytes", lane_bytes, {1, kMaxLaneBytes}, kOptional);
    if ((lane_bytes & (lane_bytes - 1)) != 0)
      reader.error("lane_bytes", "is no width of a register access", format_count(lane_bytes), "1, 2, 4, 8 or 16");
    reader.counts("offsets", a.offsets);
    if (a.offsets.empty() && reader.has("offsets")) reader.error("offsets", "is an empty list", {}, "1 to 32 places");
    if (a.offsets.size() > kLanes)
      reader.error("offsets", "has more places than a warp has lanes", format_count(a.offsets.size()), "1 to 32");
    reader.count("active", active, {1, 0xffffffffU}, kOptional);
    reader.counts("values", a.values, YamlReader::kAnyCount, kOptional);
    if (!a.values.empty() && a.values.size() != a.offsets.size())
      reader.error("values", "is not one for each place", format_count(a.values.size()),
                   format_count(a.offsets.size()));
    reader.boolean("wait", a.wait, kOptional);
    a.lane_bytes = static_cast<std::uint8_t>(lane_bytes);
    a.offsets.resize(std::min<std::size_t>(a.offsets.size(), kLanes));
    if (!a.offsets.empty())
      a.active = static_cast<std::uint32_t>(active) & lane_mask(static_cast<unsigned>(a.offsets.size()));
    if (a.active == 0 && !a.offsets.empty())
      reader.error("active", "no lane with a place takes part", format_hex(active),
                   "a bit below the number of offsets");
  }
  reader.finish();
  return a;
}

}  // namespace

void ParameterReader::count(const char* name, std::uint64_t& value, std::uint64_t min, std::uint64_t max, const char*) {
  reader_.count(name, value, {min, max}, kOptional);
}

void ParameterReader::bytes(const char* name, std::uint64_t& value, std::uint64_t min, std::uint64_t max, const char*) {
  reader_.bytes(name, value, {min, max}, kOptional);
}

void ParameterReader::real(const char* name, double& value, double min, double max, const char*) {
  reader_.real(name, value, {min, max}, kOptional);
}

void ParameterReader::boolean(const char* name, bool& value, const char*) {
  reader_.boolean(name, value, kOptional);
}

void ParameterReader::choice(const char* name, std::string& value, const std::vector<std::string>& names, const char*) {
  reader_.choice(name, value, names, kOptional);
}

void ParameterReader::text(const char* name, std::string& value, const char*) {
  reader_.text(name, value, kOptional);
}

void ParameterReader::buffer(const char* name, std::string& value, const char*) {
  complete_ = read_buffer_name(reader_, name, buffers_, value) && complete_;
}

void ParameterReader::accesses(const char* name, std::vector<LaneAccess>& value, const char*) {
  for (YamlReader& access : reader_.maps(name)) value.push_back(read_access(access));
}

void ParameterReader::counts(const char* name, std::vector<std::uint64_t>& value, const char*) {
  reader_.counts(name, value, YamlReader::kAnyCount, kOptional);
}

void ParameterReader::steps(const char* name, std::vector<ScriptStep>& value, const char*) {
  for (YamlReader& step : reader_.maps(name)) value.push_back(read_script_step(step));
}

bool read_buffer_name(YamlReader& reader, const char* key, const std::vector<BufferSpec>& buffers, std::string& name,
                      YamlReader::Need need) {
  if (!reader.text(key, name, need)) return false;
  std::vector<std::string> names;
  for (const BufferSpec& b : buffers) names.push_back(b.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return true;
  reader.error(key, "is no buffer" + did_you_mean(name, names), name, join_names(names));
  return false;
}

}  // namespace gputlm
