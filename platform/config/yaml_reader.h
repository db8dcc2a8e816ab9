// SPDX-License-Identifier: Apache-2.0
//
// Reads one map of a YAML document into typed fields and reports what is wrong with it, key by key:
//
//     YamlReader reader(root, "", file, diagnostics);
//     reader.text("experiment", experiment.name);
//     reader.count("seed", experiment.seed, {0, 1000}, YamlReader::Need::optional);
//     for (YamlReader phase : reader.maps("phases")) { phase.bytes("size", ...); phase.finish(); }
//     reader.finish();            // keys that nobody asked for are mistakes
//     diagnostics.throw_if_any();
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/quantity.h"
#include "gputlm/config/range.h"
#include "gputlm/config/yaml_document.h"

namespace gputlm {

/// A reader of one map. The document and the diagnostics must outlive it.
class YamlReader {
 public:
  enum class Need { required, optional };

  /// `path` is the map's own dotted path, empty at the root.
  YamlReader(const YamlNode& map, std::string path, const std::string& file, Diagnostics& diagnostics);

  // Each sets `out` and returns true when the key is there and right. A wrong value is reported; an absent key is
  // reported when it is required, and leaves `out` alone.
  bool text(std::string_view key, std::string& out, Need need = Need::required);
  bool choice(std::string_view key, std::string& out, const std::vector<std::string>& names,
              Need need = Need::required);
  bool boolean(std::string_view key, bool& out, Need need = Need::required);
  bool count(std::string_view key, std::uint64_t& out, Range<std::uint64_t> range = kAnyCount,
             Need need = Need::required);
  bool count(std::string_view key, unsigned& out, Range<unsigned> range = kAnyUnsigned, Need need = Need::required);
  bool real(std::string_view key, double& out, Range<double> range, Need need = Need::required);
  bool bytes(std::string_view key, std::uint64_t& out, Range<std::uint64_t> range = kAnyCount,
             Need need = Need::required);
  bool time(std::string_view key, Fs& out, Range<Fs> range = kAnyTime, Need need = Need::required);
  bool frequency(std::string_view key, double& out, Range<double> range, Need need = Need::required);
  /// A list of whole numbers (a lone number is a list of one).
  bool counts(std::string_view key, std::vector<std::uint64_t>& out, Range<std::uint64_t> range = kAnyCount,
              Need need = Need::required);
  /// A list of texts (a lone text is a list of one).
  bool texts(std::string_view key, std::vector<std::string>& out, Need need = Need::required);

  /// A reader of the map at `key`; when it is absent or no map, one of an empty map, of which nothing is required.
  YamlReader map(std::string_view key, Need need = Need::required);
  /// Readers of a list of maps, at least one.
  std::vector<YamlReader> maps(std::string_view key, Need need = Need::required);
  /// The value as it stands, marked as known; null when absent.
  const YamlNode* node(std::string_view key, Need need = Need::required);

  bool has(std::string_view key) const { return map_->find(key) != nullptr; }
  /// The map's keys as written.
  std::vector<std::string> keys() const;
  /// The map's own path, and that of a key in it.
  const std::string& path() const { return path_; }
  std::string path_of(std::string_view key) const;
  /// Where the key's value stands (the map's start when absent).
  Place place_of(std::string_view key) const;

  /// Reports a mistake of the reader's own finding at `key` (at the map when empty).
  void error(std::string_view key, std::string message, std::string found = {}, std::string allowed = {});

  /// Reports every key that none of the calls above asked for, and the nearest one that was.
  void finish();

  static constexpr Range<std::uint64_t> kAnyCount{0, std::numeric_limits<std::uint64_t>::max()};
  static constexpr Range<unsigned> kAnyUnsigned{0, std::numeric_limits<unsigned>::max()};
  static constexpr Range<Fs> kAnyTime{0, kNever};

 private:
  template <class T, class Parse, class Format>
  bool number(std::string_view key, T& out, Range<T> range, Need need, std::string_view units, Parse parse,
              Format format);
  template <class T, class Parse, class Format>
  bool convert(const YamlNode& node, std::string_view key, T& out, Range<T> range, std::string_view units, Parse parse,
               Format format);
  const YamlNode* scalar(std::string_view key, Need need, std::string_view what);
  void report(const YamlNode& node, std::string_view key, std::string message, std::string allowed);

  const YamlNode* map_;
  std::string path_;
  const std::string* file_;
  Diagnostics* diagnostics_;
  bool absent_ = false;
  std::vector<std::string> known_;
};

/// For calls: a key that may be missing.
inline constexpr auto kOptional = YamlReader::Need::optional;

}  // namespace gputlm
