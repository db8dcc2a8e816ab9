// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "gputlm/config/document_overrides.h"
#include "gputlm/sweep/sweep_plan.h"

namespace gputlm {

/// The file of the configuration that a sweep names, as seen from everywhere; empty when there is none.
std::string card_file(const SweepFile& file, const std::string& name);

/// Says of each point whether its configuration can be put together and its experiment be read. A file is read once,
/// however many points need it.
class PointCheck {
 public:
  /// Reports what is wrong before any parameter is changed.
  PointCheck(const SweepFile& file, Diagnostics& mistakes);
  ~PointCheck();

  /// False: why was reported, unless values that do not go together are to be skipped.
  bool fits(const SweepPoint& point);
  /// The name of the experiment's or the probe's own configuration.
  std::string target_config() const;
  /// Differs when the experiment's file or a configuration does.
  std::string fingerprint() const;

 private:
  struct Card;
  /// What the experiment or the probe says of its configuration.
  struct Head {
    std::string config_file;
    std::vector<Override> overrides;
  };

  Head read_document(const DocumentOverrides& overrides, Diagnostics& problems) const;
  bool has_parameters();
  Card& card(const std::string& config_file);
  bool take(const SweepPoint& point, const Diagnostics& problems);

  const SweepFile& file_;
  Diagnostics& mistakes_;
  std::string text_;     ///< Of the experiment or probe.
  Head head_;            ///< Of the document as it stands.
  bool varies_ = false;  ///< A parameter changes the document.
  bool right_ = true;    ///< Nothing was wrong before any parameter was changed.
  std::map<std::string, std::unique_ptr<Card>> cards_;
  std::set<std::string> told_;
};

}  // namespace gputlm
