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
  EffectiveConfig(std::vector<EffectiveValue> values, std::vector<std::string> files)
      : values_(std::move(values)), files_(std::move(files)) {}

  const std::vector<EffectiveValue>& values() const { return values_; }
  /// All that were read: the one that was named first, then its bases.
  const std::vector<std::string>& files() const { return files_; }
  /// Null when the schema has no such path.
  const EffectiveValue* find(std::string_view path) const;

 private:
  std::vector<EffectiveValue> values_;
  std::vector<std::string> files_;
};

}  // namespace gputlm
