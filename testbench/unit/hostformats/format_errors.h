// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gputlm/hostformats/format_error.h"

namespace gputlm::test {

/// What the action's FormatError says; empty when it throws none.
template <class Action>
std::string format_error_of(Action action) {
  try {
    action();
  } catch (const FormatError& e) {
    return e.what();
  }
  return {};
}

}  // namespace gputlm::test
