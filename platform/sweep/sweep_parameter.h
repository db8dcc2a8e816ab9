// SPDX-License-Identifier: Apache-2.0
//
// A parameter of a sweep: what it changes, and which values it takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gputlm/config/yaml_reader.h"
#include "gputlm/sweep/sweep_value.h"

namespace gputlm {

/// What a parameter changes.
enum class SweepTarget : std::uint8_t {
  value,    ///< One value of the configuration.
  card,     ///< The configuration as a whole.
  document  ///< A value of the experiment's or the probe's file.
};

/// All values from one number to another, in bytes, fs or Hz.
struct SweepRange {
  double from = 0, to = 0;
  YamlNode at;  ///< Where it stands.
};

struct SweepParameter {
  std::string path, unit, description;
  SweepTarget target = SweepTarget::value;
  Quantity quantity = Quantity::text;
  bool logarithmic = false;
  Place place;
  std::vector<SweepValue> values;     ///< Of a list, and of a range with steps.
  std::optional<SweepRange> sampled;  ///< Of a range without steps, from which samples are drawn.

  /// The value at a share (0 to below 1) of the list or the range.
  SweepValue at(double share) const;
  /// Name of its column: the path, with the unit in brackets if there is one.
  std::string column() const;
};

/// `NAME [UNIT]`, or `NAME` without a unit.
std::string column_name(const std::string& name, const std::string& unit);

/// What a reader of parameters has to know of the sweep.
struct SweepParameterContext {
  bool probe = false;    ///< Of a probe, not an experiment.
  bool sampled = false;  ///< Ranges need no steps.
  std::string folder;    ///< Of the sweep's file.
};

/// What `path` changes; nothing and a diagnostic when there is no such thing. Without values.
std::optional<SweepParameter> sweep_parameter(const std::string& path, const Place& place,
                                              const SweepParameterContext& context, Diagnostics& diagnostics);

/// Reads the parameter at `path` of the map of parameters; nothing when something is wrong, which has been reported.
std::optional<SweepParameter> read_sweep_parameter(YamlReader& parameters, const std::string& path,
                                                   const std::string& file, const SweepParameterContext& context,
                                                   Diagnostics& diagnostics);

/// Checks a value against the schema, or finds the configuration that it names. False: it was reported.
bool check_sweep_value(const SweepParameter& parameter, const YamlNode& node, const std::string& file,
                       const SweepParameterContext& context, Diagnostics& diagnostics);

}  // namespace gputlm
