// SPDX-License-Identifier: Apache-2.0
//
// The experiment of a probe with some of its values left open: `$name` stands for a value of the case. Positions stay
// those of the file, so that a mistake is reported where its author can see it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/yaml_document.h"

namespace gputlm {

/// A value as it would be written in YAML.
class CaseValue {
 public:
  template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
  CaseValue(Integer value) : text_(std::to_string(value)) {}  // NOLINT(google-explicit-constructor)
  CaseValue(bool value) : text_(value ? "true" : "false") {}
  CaseValue(std::string text) : text_(std::move(text)) {}
  CaseValue(const char* text) : text_(text) {}
  CaseValue(const std::vector<std::uint64_t>& values);
  CaseValue(const std::vector<std::string>& values);  ///< Each item as it would be written.

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

using Variables = std::map<std::string, CaseValue>;

/// A copy of `node` in which every scalar `$name` is the variable's value, of any kind, and every `${name}` inside a
/// longer text is its text. An unknown name is reported.
YamlNode fill_in(const YamlNode& node, const Variables& variables, const std::string& file, Diagnostics& diagnostics);

}  // namespace gputlm
