// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/test_support/sc_test.h"
//
#include <string>

#include "gputlm/config/diagnostics.h"

namespace gputlm::test {

/// What a ConfigError of `work` says; a failed check and nothing when it throws none.
template <class Work>
std::string refusal_of(Work&& work) {
  try {
    work();
  } catch (const ConfigError& error) {
    return error.what();
  }
  BOOST_ERROR("nothing was refused");
  return {};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace gputlm::test
