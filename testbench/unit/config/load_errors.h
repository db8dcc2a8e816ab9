// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gputlm/config/config.h"

/// The diagnostics of a load, as text with `dir` cut out of file names; empty when it succeeds.
inline std::string load_errors(const std::string& file, const std::vector<std::string>& overrides = {},
                               const std::string& dir = {}) {
  try {
    gputlm::Config::load(file, overrides);
    return {};
  } catch (const gputlm::ConfigError& error) {
    std::string text = error.what();
    for (std::size_t at = dir.empty() ? std::string::npos : text.find(dir); at != std::string::npos;
         at = text.find(dir, at)) {
      text.erase(at, dir.size());
    }
    return text;
  }
}
