// SPDX-License-Identifier: Apache-2.0
//
// Options that several subcommands take.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace gputlm {

/// `--set path=value`, repeatable.
void add_overrides(CLI::App& app, std::vector<std::string>& overrides);
/// `--seed`, a whole number from 0 to 2^64 - 1 and nothing else.
void add_seed(CLI::App& app, const std::string& description, const std::function<void(std::uint64_t)>& take);

}  // namespace gputlm
