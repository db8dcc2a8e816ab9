// SPDX-License-Identifier: Apache-2.0
#include "common_options.h"

#include <charconv>

namespace gputlm {
namespace {

// CLI11 would wrap a negative number and saturate a huge one.
std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    throw CLI::ValidationError("--seed", "'" + text + "' is no whole number from 0 to 2^64 - 1");
  return seed;
}

}  // namespace

CLI::Validator not_empty(const std::string& type) {
  return {[](const std::string& text) { return text.empty() ? "must not be empty" : ""; }, type};
}

void add_overrides(CLI::App& app, std::vector<std::string>& overrides, const char* of) {
  app.add_option("--set", overrides, std::string("path=value: override ") + of + " (repeatable)")
      ->allow_extra_args(false);
}

void add_seed(CLI::App& app, const std::string& description, const std::function<void(std::uint64_t)>& take) {
  app.add_option_function<std::string>(
         "--seed", [take](const std::string& text) { take(parse_seed(text)); }, description)
      ->type_name("UINT");
}

}  // namespace gputlm
