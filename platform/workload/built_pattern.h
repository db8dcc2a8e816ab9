// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gputlm/workload/pattern.h"

namespace gputlm {

/// A pattern that is made in code and not read: no parameters, nothing to check before its buffers have their places.
class BuiltPattern : public Pattern {
 public:
  /// `written`: the buffer that its kernel may write.
  explicit BuiltPattern(std::string written) : written_(std::move(written)) {}
  void parameters(ParameterVisitor&) override {}
  void check(const PatternContext&, PatternProblems&) const override {}
  std::vector<std::string> written() const override { return {written_}; }

 private:
  std::string written_;
};

}  // namespace gputlm
