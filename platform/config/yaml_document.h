// SPDX-License-Identifier: Apache-2.0
//
// A YAML file as a plain tree with positions. Built from yaml-cpp's events instead of its nodes so that every key and
// value knows its line and column, a key given twice is an error, and memory stays bounded whatever the file holds:
// aliases are expanded by copying against a budget; nesting, keys and file size are limited.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/config/diagnostics.h"

namespace gputlm {

/// One value of a document.
struct YamlNode {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  bool quoted = false;          ///< Scalar written in quotes.
  unsigned line = 0;            ///< From 1.
  unsigned column = 0;          ///< From 1.
  std::string text;             ///< Scalar.
  std::vector<YamlNode> items;  ///< List items, or the values of a map.
  std::vector<YamlNode> keys;   ///< A map's keys (scalars), one per item.

  /// A map's value, or null when there is no such key.
  const YamlNode* find(std::string_view key) const;
  /// `a map`, `a list`, `nothing`, or the scalar itself, for messages.
  std::string describe() const;
  /// Gives this position to the value and all that it holds.
  void place_at(unsigned at_line, unsigned at_column);
};

/// What a document may cost.
struct YamlLimits {
  std::size_t file_bytes = std::size_t{4} << 20;   ///< Size of the file.
  std::size_t tree_bytes = std::size_t{64} << 20;  ///< Size of the tree, aliases expanded.
  std::size_t depth = 64;                          ///< Nesting.
  std::size_t keys = 4096;                         ///< Keys of one map; they are looked up one by one.
};

/// Parses `text`; its name for messages is `file`. False (and a diagnostic) when it is not one YAML document with a map
/// at its root.
bool parse_yaml(const std::string& text, const std::string& file, YamlNode& root, Diagnostics& diagnostics,
                const YamlLimits& limits = {});

/// The same for a file, which must be a regular one.
bool load_yaml(const std::string& file, YamlNode& root, Diagnostics& diagnostics, const YamlLimits& limits = {});

}  // namespace gputlm
