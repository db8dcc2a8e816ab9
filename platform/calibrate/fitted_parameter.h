// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gputlm/calibrate/axis.h"
#include "gputlm/config/schema.h"
#include "gputlm/config/yaml_reader.h"

namespace gputlm {

/// A configuration value that a calibration may change, and what it may be: a number between two bounds, in steps or to
/// about a hundred-thousandth of the way between them, or one of a list of values of any kind.
class FittedParameter {
 public:
  /// Reads `{min: .., max: .., step: ..}` or `{values: [..]}`. Reports what is wrong, bounds that the configuration
  /// would not take among it; the parameter is of no use then.
  FittedParameter(const Parameter& parameter, YamlReader& reader, Diagnostics& diagnostics);

  const std::string& path() const { return parameter_->path; }
  const Place& place() const { return place_; }

  /// What it is to the fit. Copies go on without this object.
  Axis axis() const;
  /// The value at a share of the way, as one writes it.
  std::string text(double share) const;
  /// Where the configuration's value stands, or the nearest that is allowed here; of a list without it the first.
  double share_of(const Config& config) const;
  /// The value of a configuration, as one writes it.
  std::string value_text(const Config& config) const { return parameter_->value_text(config); }
  /// What it may be: `5 ns to 40 ns`, `4, 8, 16`.
  std::string allowed() const;
  bool is_list() const { return !values_.empty(); }
  std::size_t list_size() const { return values_.size(); }
  /// A share of the way between the bounds as a difference of values, without a sign: `2.5 ns`. Of a number.
  std::string distance_text(double share) const;

 private:
  void read_bounds(YamlReader& reader);
  void read_step(YamlReader& reader);
  void read_values(YamlReader& reader, Diagnostics& diagnostics);
  bool read_value(YamlReader& reader, const char* key, Value& value) const;
  Value value_at(double share) const;

  const Parameter* parameter_;
  Place place_;
  // Of a number, in its base unit. Without a step the resolution is a power of ten.
  double least_ = 0, most_ = 0, step_ = 0;
  int decimals_ = 0;
  std::vector<Value> values_;
};

}  // namespace gputlm
