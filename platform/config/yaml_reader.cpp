// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/yaml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gputlm {

namespace {

const YamlNode kEmptyMap = [] {
  YamlNode node;
  node.kind = YamlNode::Kind::map;
  return node;
}();

}  // namespace

YamlReader::YamlReader(const YamlNode& map, std::string path, const std::string& file, Diagnostics& diagnostics)
    : map_(&map), path_(std::move(path)), file_(&file), diagnostics_(&diagnostics) {
  if (map.kind != YamlNode::Kind::map) {
    diagnostics.add({file, map.line, map.column}, path_, "must be a map of keys and values", map.describe());
    map_ = &kEmptyMap;
    absent_ = true;
  }
}

bool YamlReader::text(std::string_view key, std::string& out, Need need) {
  const YamlNode* found = scalar(key, need, "a text");
  if (found == nullptr) return false;
  out = found->text;
  return true;
}

bool YamlReader::choice(std::string_view key, std::string& out, const std::vector<std::string>& names, Need need) {
  const YamlNode* found = scalar(key, need, join_names(names));
  if (found == nullptr) return false;
  if (std::find(names.begin(), names.end(), found->text) == names.end()) {
    report(*found, key, "not one of the names allowed", join_names(names));
    return false;
  }
  out = found->text;
  return true;
}

template <class T, class Parse, class Format>
bool YamlReader::convert(const YamlNode& node, std::string_view key, T& out, Range<T> range, std::string_view units,
                         Parse parse, Format format) {
  const Parsed<T> parsed = parse(node.text);
  if (!parsed) {
    report(node, key, parsed.problem, describe_range(range, units, format));
    return false;
  }
  if (!range.holds(parsed.value)) {
    report(node, key, "out of range", describe_range(range, units, format));
    return false;
  }
  out = parsed.value;
  return true;
}

template <class T, class Parse, class Format>
bool YamlReader::number(std::string_view key, T& out, Range<T> range, Need need, std::string_view units, Parse parse,
                        Format format) {
  const YamlNode* found = scalar(key, need, describe_range(range, units, format));
  return found != nullptr && convert(*found, key, out, range, units, parse, format);
}

bool YamlReader::boolean(std::string_view key, bool& out, Need need) {
  const YamlNode* found = scalar(key, need, "true, false");
  if (found == nullptr) return false;
  const Parsed<bool> parsed = parse_boolean(found->text);
  if (!parsed) {
    report(*found, key, parsed.problem, "true, false");
    return false;
  }
  out = parsed.value;
  return true;
}

bool YamlReader::count(std::string_view key, std::uint64_t& out, Range<std::uint64_t> range, Need need) {
  return number(key, out, range, need, {}, parse_count, format_count);
}

bool YamlReader::count(std::string_view key, unsigned& out, Range<unsigned> range, Need need) {
  std::uint64_t wide = 0;
  if (!count(key, wide, Range<std::uint64_t>{range.min, range.max}, need)) return false;
  out = static_cast<unsigned>(wide);
  return true;
}

bool YamlReader::real(std::string_view key, double& out, Range<double> range, Need need) {
  return number(key, out, range, need, {}, parse_real, format_real);
}

bool YamlReader::bytes(std::string_view key, std::uint64_t& out, Range<std::uint64_t> range, Need need) {
  return number(key, out, range, need, kByteUnits, parse_bytes, format_bytes);
}

bool YamlReader::time(std::string_view key, Fs& out, Range<Fs> range, Need need) {
  return number(key, out, range, need, kTimeUnits, parse_time, format_time);
}

bool YamlReader::frequency(std::string_view key, double& out, Range<double> range, Need need) {
  return number(key, out, range, need, kFrequencyUnits, parse_frequency, format_frequency);
}

bool YamlReader::counts(std::string_view key, std::vector<std::uint64_t>& out, Range<std::uint64_t> range, Need need) {
  const YamlNode* found = node(key, need);
  if (found == nullptr) return false;
  std::vector<std::uint64_t> values;
  bool right = true;
  const auto take = [&](const YamlNode& item) {
    std::uint64_t value = 0;
    if (item.kind != YamlNode::Kind::scalar) {
      report(item, key, "must be a whole number", describe_range(range, {}, format_count));
      right = false;
      return;
    }
    right = convert(item, key, value, range, {}, parse_count, format_count) && right;
    values.push_back(value);
  };
  if (found->kind == YamlNode::Kind::list) {
    for (const YamlNode& item : found->items) take(item);
  } else {
    take(*found);
  }
  if (right) out = std::move(values);
  return right;
}

bool YamlReader::texts(std::string_view key, std::vector<std::string>& out, Need need) {
  const YamlNode* found = node(key, need);
  if (found == nullptr) return false;
  std::vector<std::string> values;
  bool right = true;
  const auto take = [&](const YamlNode& item) {
    if (item.kind == YamlNode::Kind::scalar) {
      values.push_back(item.text);
    } else {
      report(item, key, "must be a text", "a text, or a list of them");
      right = false;
    }
  };
  if (found->kind == YamlNode::Kind::list) {
    for (const YamlNode& item : found->items) take(item);
  } else {
    take(*found);
  }
  if (right) out = std::move(values);
  return right;
}

YamlReader YamlReader::map(std::string_view key, Need need) {
  const YamlNode* found = node(key, need);
  if (found != nullptr) return {*found, path_of(key), *file_, *diagnostics_};
  YamlReader none(kEmptyMap, path_of(key), *file_, *diagnostics_);
  none.absent_ = true;
  return none;
}

std::vector<YamlReader> YamlReader::maps(std::string_view key, Need need) {
  std::vector<YamlReader> readers;
  const YamlNode* found = node(key, need);
  if (found == nullptr) return readers;
  if (found->kind != YamlNode::Kind::list) {
    report(*found, key, "must be a list", "a list of maps");
    return readers;
  }
  if (found->items.empty()) report(*found, key, "is an empty list", "at least one map");
  for (std::size_t i = 0; i < found->items.size(); ++i) {
    readers.emplace_back(found->items[i], fmt::format("{}[{}]", path_of(key), i), *file_, *diagnostics_);
  }
  return readers;
}

const YamlNode* YamlReader::node(std::string_view key, Need need) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  const YamlNode* found = map_->find(key);
  if (found == nullptr && need == Need::required && !absent_) {
    diagnostics_->add({*file_, map_->line, map_->column}, path_of(key), "is missing");
  }
  return found;
}

const YamlNode* YamlReader::scalar(std::string_view key, Need need, std::string_view what) {
  const YamlNode* found = node(key, need);
  if (found == nullptr || found->kind == YamlNode::Kind::scalar) return found;
  report(*found, key, "must be a single value", std::string(what));
  return nullptr;
}

std::vector<std::string> YamlReader::keys() const {
  std::vector<std::string> names;
  for (const YamlNode& key : map_->keys) names.push_back(key.text);
  return names;
}

std::string YamlReader::path_of(std::string_view key) const {
  if (key.empty()) return path_;
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

Place YamlReader::place_of(std::string_view key) const {
  const YamlNode* found = map_->find(key);
  const YamlNode& at = found == nullptr ? *map_ : *found;
  return {*file_, at.line, at.column};
}

void YamlReader::error(std::string_view key, std::string message, std::string found, std::string allowed) {
  diagnostics_->add(place_of(key), path_of(key), std::move(message), std::move(found), std::move(allowed));
}

void YamlReader::report(const YamlNode& node, std::string_view key, std::string message, std::string allowed) {
  diagnostics_->add({*file_, node.line, node.column}, path_of(key), std::move(message), node.describe(),
                    std::move(allowed));
}

void YamlReader::finish() {
  for (const YamlNode& key : map_->keys) {
    if (std::find(known_.begin(), known_.end(), key.text) != known_.end()) continue;
    if (diagnostics_->full()) {
      diagnostics_->add({*file_, key.line, key.column}, {}, {});
      continue;
    }
    diagnostics_->add({*file_, key.line, key.column}, path_of(excerpt(key.text)),
                      "unknown key" + did_you_mean(key.text, known_), {}, join_names(known_));
  }
}

}  // namespace gputlm
