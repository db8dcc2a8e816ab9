// SPDX-License-Identifier: Apache-2.0
//
// Binds arrows, each through a protocol checker when asked for, and through a place for faults where one is to happen.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/faults/faulty_arrow.h"
#include "gputlm/tlm/arrow.h"
#include "gputlm/tlm/protocol_checker.h"

namespace gputlm {

/// An arrow and where each of its phases is shown: subscribers bind to it during elaboration.
struct ShownArrow {
  std::string name;  ///< As in Wiring::arrow_name().
  ArrowPort& phases;
};

/// All arrows of one GPU. Outlives the units it binds.
class Wiring {
 public:
  /// With `check`, every arrow gets a ProtocolChecker that reports into log(); an arrow with faults gets one on either
  /// side of them, so that each end is judged by what it is shown.
  Wiring(bool check, const std::vector<InjectedFault>& faults, PayloadPool& pool)
      : check_(check), faults_(faults), pool_(pool) {}

  /// Binds initiator to target. Call during elaboration, inside the module that owns both.
  template <class Initiator, class Target>
  void connect(Initiator& initiator, Target& target) {
    const std::string ends[2] = {initiator.name(), target.name()};
    show(arrow_name(ends[0]), target.arrow);
    FaultyArrow* const faulty = add_faults(ends[0]);
    if (faulty == nullptr) return join(initiator, target, ends);
    join(initiator, faulty->in, ends);
    join(faulty->out, target, ends);
  }

  /// Adds an arrow whose initiator is somebody else's.
  void show(std::string name, ArrowPort& phases) { arrows_.push_back({std::move(name), phases}); }
  /// Every arrow, in the order in which it was bound.
  const std::vector<ShownArrow>& arrows() const { return arrows_; }
  const std::vector<std::unique_ptr<ProtocolChecker>>& checkers() const { return checkers_; }
  ViolationLog& log() { return log_; }
  bool checking() const { return check_; }
  /// Faults whose moment never came.
  std::vector<const InjectedFault*> pending_faults() const;

  /// An arrow's name to people: its initiator's, without the parts that all arrows share.
  static std::string arrow_name(const std::string& initiator);

 private:
  template <class Initiator, class Target>
  void join(Initiator& initiator, Target& target, const std::string (&ends)[2]) {
    if (!check_) {
      initiator.bind(target);
      return;
    }
    const std::string name = "checker" + std::to_string(checkers_.size());
    checkers_.push_back(std::make_unique<ProtocolChecker>(name.c_str(), log_));
    checkers_.back()->connect(initiator, target);
    checkers_.back()->set_ends(ends[0], ends[1]);
  }
  FaultyArrow* add_faults(const std::string& initiator);

  bool check_;
  const std::vector<InjectedFault> faults_;
  PayloadPool& pool_;
  ViolationLog log_;
  std::vector<ShownArrow> arrows_;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
  std::vector<std::unique_ptr<FaultyArrow>> faulty_;
};

/// The names of all arrows and channels of a card of this configuration.
FaultPlaces fault_places(const Config& config);

}  // namespace gputlm
