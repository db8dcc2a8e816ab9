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

/// What `--set` may change.
inline constexpr const char* kCardValue = "one configuration value";
inline constexpr const char* kCardOrExperimentValue =
    "one configuration value, or a value of the experiment's file by experiment.PATH";
inline constexpr const char* kCardOrProbeValue =
    "one configuration value, or a value of the probe's file by probe.parameters.NAME or experiment.PATH";

/// Of an option's value, shown as `type` in the help.
CLI::Validator not_empty(const std::string& type);

/// `--set path=value`, repeatable.
void add_overrides(CLI::App& app, std::vector<std::string>& overrides, const char* of = kCardValue);
/// `--seed`, a whole number from 0 to 2^64 - 1 and nothing else.
void add_seed(CLI::App& app, const std::string& description, const std::function<void(std::uint64_t)>& take);

}  // namespace gputlm
