// SPDX-License-Identifier: Apache-2.0
//
// Binds arrows, each through a protocol checker when asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gputlm/tlm/protocol_checker.h"

namespace gputlm {

/// All arrows of one GPU. Outlives the units it binds.
class Wiring {
 public:
  /// With `check`, every arrow gets a ProtocolChecker that reports into log().
  explicit Wiring(bool check) : check_(check) {}

  /// Binds initiator to target. Call during elaboration, inside the module that owns both.
  template <class Initiator, class Target>
  void connect(Initiator& initiator, Target& target) {
    if (!check_) {
      initiator.bind(target);
      return;
    }
    const std::string name = "checker" + std::to_string(checkers_.size());
    checkers_.push_back(std::make_unique<ProtocolChecker>(name.c_str(), log_));
    checkers_.back()->connect(initiator, target);
  }

  const std::vector<std::unique_ptr<ProtocolChecker>>& checkers() const { return checkers_; }
  ViolationLog& log() { return log_; }
  bool checking() const { return check_; }

 private:
  bool check_;
  ViolationLog log_;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
};

}  // namespace gputlm
