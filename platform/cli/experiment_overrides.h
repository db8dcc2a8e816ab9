// SPDX-License-Identifier: Apache-2.0
//
// What `--set` changes for the commands that run an experiment: values of its card, and of its own file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/config/document_overrides.h"
#include "gputlm/workload/experiment_head.h"

namespace gputlm {

/// The values that were given, by what they concern.
class ExperimentOverrides {
 public:
  ExperimentOverrides() = default;
  /// Each as path=value; mistakes go to `mistakes`.
  ExperimentOverrides(const std::vector<std::string>& given, Diagnostics& mistakes)
      : given_(given), card_(given), document_(DocumentOverrides::take(card_, mistakes)) {}

  /// In place of what the experiment's file says.
  const DocumentOverrides& document() const { return document_; }
  /// The card that the experiment runs on: `config` when given, else its own, with the experiment's values, then these.
  Config card(const std::optional<std::string>& config, const ExperimentHead& experiment) const;
  /// Every path=value, the experiment's own first.
  std::vector<std::string> all(const ExperimentHead& experiment) const;

 private:
  std::vector<std::string> given_, card_;
  DocumentOverrides document_;
};

}  // namespace gputlm
