// SPDX-License-Identifier: Apache-2.0
//
// Where each value of a configuration came from and how well it is known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputlm/config/diagnostics.h"

namespace gputlm {

/// What a `confidence:` may say, from best to least: measured on the device named by the source, stated by a vendor,
/// standard, patent or configuration, computed from published functions, derived by arithmetic or indirect evidence,
/// remembered from a paper, assumed for want of anything better.
const std::vector<std::string>& confidence_names();

/// One parameter's value as it takes effect.
struct EffectiveValue {
  std::string path;
  std::string text;        ///< As written (lists in YAML flow style).
  Place origin;            ///< File, line and column, or the override (`--set path=value`) as the file.
  std::string confidence;  ///< One of confidence_names(); empty when its author did not say.
  std::string source;      ///< Key of the source, e.g. READS; empty when unstated.
  std::string note;
  unsigned layer = 0;  ///< Files count from the innermost base up, overrides after them: the largest was applied last.
};

/// Every parameter's value, in the order of the schema.
class EffectiveConfig {
 public:
  EffectiveConfig() = default;
  explicit EffectiveConfig(std::vector<EffectiveValue> values) : values_(std::move(values)) {}

  const std::vector<EffectiveValue>& values() const { return values_; }
  /// Null when the schema has no such path.
  const EffectiveValue* find(std::string_view path) const;

 private:
  std::vector<EffectiveValue> values_;
};

}  // namespace gputlm
