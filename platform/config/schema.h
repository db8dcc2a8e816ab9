// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of a configuration in one table: its path, kind, unit, what is allowed, what it means, and the fields
// of the units' Spec structs that it feeds. The loader, `config show` and docs/configuration.md are all driven by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/config/range.h"
#include "gputlm/config/yaml_document.h"

namespace gputlm {

/// How a parameter is written.
enum class Kind { count, real, bytes, time, frequency, choice, boolean, mask, address, counts, masks, reals, text };

/// A parameter's value, in its base unit (bytes, fs, Hz).
using Value =
    std::variant<std::uint64_t, double, Fs, bool, std::string, std::vector<std::uint64_t>, std::vector<double>>;

/// One field of a Config that a parameter feeds.
struct Field {
  std::function<void(Config&, const Value&)> set;
  std::function<Value(const Config&)> get;
  std::function<const void*(const Config&)> address;
};

/// One line of the table.
struct Parameter {
  std::string path;
  Kind kind = Kind::count;
  std::string unit;                  ///< What is counted or measured; empty where the kind says it (bytes, time).
  Range<std::uint64_t> whole{0, 0};  ///< Bounds of counts, masks, addresses, bytes and times (fs).
  Range<double> real{0, 0};          ///< Bounds of reals and frequencies (Hz).
  Range<std::size_t> length{0, 0};   ///< Number of list items.
  std::vector<std::string> choices;  ///< Names of a choice.
  std::string description;
  std::vector<Field> fields;

  /// `1 to 64`, `published, modulo`.
  std::string allowed() const;
  /// Reads a scalar or list. Null and a message when it is not allowed: the item that is wrong, and why.
  bool parse(const YamlNode& node, Value& value, const YamlNode*& wrong, std::string& problem) const;
  /// The value as it would be written in YAML (texts unquoted).
  std::string format(const Value& value) const;
  std::string value_text(const Config& config) const { return format(fields.front().get(config)); }
  bool is_list() const { return kind == Kind::counts || kind == Kind::masks || kind == Kind::reals; }
};

/// The table, in the order in which the reference lists it.
class Schema {
 public:
  static const Schema& instance();

  const std::vector<Parameter>& parameters() const { return parameters_; }
  /// Index of the parameter, or npos.
  std::size_t find(std::string_view path) const;
  /// Whether `path` is above some parameter, like `l2` or `l2.janitor`.
  bool is_group(std::string_view path) const;
  std::vector<std::string> paths() const;

  static constexpr std::size_t npos = std::numeric_limits<std::size_t>::max();

 private:
  Schema();
  std::vector<Parameter> parameters_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

}  // namespace gputlm
