// SPDX-License-Identifier: Apache-2.0
//
// Values in place of those that an experiment's or a probe's file has: `experiment.phases.stores.grid=64`,
// `probe.parameters.passes=2`. They change the document before its reader sees it, so that whatever stands in a file
// can be changed and is checked as if it stood there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputlm/config/override_text.h"

namespace gputlm {

/// In the order in which they were given; a later one of the same path holds.
class DocumentOverrides {
 public:
  /// Whether the path is one of a document: it begins with `experiment.` or `probe.`.
  static bool concerns(std::string_view path);

  /// Takes those of documents out of `overrides`, a list of `path=value`. Mistakes go to `diagnostics`.
  static DocumentOverrides take(std::vector<std::string>& overrides, Diagnostics& diagnostics);

  /// The path's steps below the root, with items of lists by number; one for each item that a `*` stands for. Two paths
  /// to one value have the same. Nothing where the path leads nowhere.
  static std::vector<std::string> places(const YamlNode& root, std::string_view path);

  void add(Override override) { list_.push_back(std::move(override)); }

  /// Puts the values into the document. A step of a path is a map's key, an item's number from 0, or, of a list of
  /// maps, an item's `name`, or `*` for all. The last key need not be there; whether it may is its reader's to say.
  /// What leads nowhere is reported at the override's place. A value stands where the one it replaces stood, for the
  /// reader's messages.
  void apply(YamlNode& root, Diagnostics& diagnostics) const;

 private:
  std::vector<Override> list_;
};

}  // namespace gputlm
