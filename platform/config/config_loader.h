// SPDX-License-Identifier: Apache-2.0
//
// Reads a configuration layer by layer: the innermost base file first, then the files that name it, then the overrides.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/config/schema.h"
#include "gputlm/config/yaml_document.h"

namespace gputlm {

/// One use each: load_file, apply_override any number of times, finish.
class ConfigLoader {
 public:
  explicit ConfigLoader(Diagnostics& diagnostics);

  /// Reads the file after its bases.
  void load_file(const std::string& file);
  /// `path=value`; the value is YAML, so lists are `[1, 2]`.
  void apply_override(const std::string& text);
  /// A value that stands in another file, or that a program sets.
  void apply_override(const Override& override);
  /// What a program sets, written as after `--set path=`; nothing and a diagnostic when it is no parameter's name or
  /// not one YAML value. `origin` is shown in place of a file.
  std::optional<Override> read_override(const std::string& path, const std::string& value, const std::string& origin);
  /// What has been read so far of a parameter, by its index in the schema.
  const EffectiveValue& effective(std::size_t index) const { return slots_[index].effective; }
  /// Reports what has no value and what does not fit together; what is right is in the result.
  Config finish();

 private:
  struct Slot {
    EffectiveValue effective;
    Value value;
    bool given = false;
    bool valid = false;
  };

  /// What a file says at its top, under `provenance`, of those of its values that say nothing themselves.
  struct Provenance {
    std::string confidence, source, note;
  };

  void load_base(const YamlNode& root, const std::string& file);
  void leave_to_another_card();
  Provenance read_provenance(const YamlNode& root, const std::string& file);
  void read_group(const YamlNode& map, const std::string& prefix, const std::string& file);
  void read_leaf(std::size_t index, const YamlNode& node, const std::string& file);
  void report_unknown(const std::string& path, const Place& place);
  void report_missing();
  void check_constraints(const Config& config);

  Diagnostics& diagnostics_;
  const Schema& schema_;
  std::vector<Slot> slots_;
  std::vector<std::string> chain_;  ///< Canonical names of the files being read, outermost first.
  std::vector<std::string> files_;  ///< All that were read, the outermost first, as named.
  Provenance provenance_;           ///< Of the file being read; nothing of overrides.
  unsigned layer_ = 0;
  bool unreadable_ = false;  ///< Some file could not be read: what is missing says nothing then.
};

}  // namespace gputlm
