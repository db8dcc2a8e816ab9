// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "gputlm/config/plain_text.h"

namespace gputlm {

namespace {

constexpr std::size_t kExcerptLength = 60;
constexpr std::size_t kLongestComparedWord = 200;

/// Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

}  // namespace

std::string Place::text() const {
  std::string name = file;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return line == 0 ? name : fmt::format("{}:{}:{}", name, line, column);
}

std::string Diagnostic::text() const {
  std::string out = Place{file, line, column}.text();
  if (!out.empty()) out += ": ";
  if (!path.empty()) out += path + ": ";
  out += message;
  if (!found.empty() && !allowed.empty()) {
    out += fmt::format(" (found {}, allowed {})", found, allowed);
  } else if (!found.empty()) {
    out += fmt::format(" (found {})", found);
  } else if (!allowed.empty()) {
    out += fmt::format(" (allowed {})", allowed);
  }
  return out;
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (list_.size() < kKept) {
    list_.push_back(std::move(diagnostic));
  } else {
    ++dropped_;
  }
}

void Diagnostics::add(const Place& place, std::string path, std::string message, std::string found,
                      std::string allowed) {
  add({place.file, place.line, place.column, std::move(path), std::move(found), std::move(allowed),
       std::move(message)});
}

std::string Diagnostics::text() const {
  std::string out;
  for (const Diagnostic& d : list_) out += (out.empty() ? "" : "\n") + d.text();
  if (dropped_ != 0) out += fmt::format("\n... and {} more", dropped_);
  return out;
}

Diagnostics Diagnostics::sorted() const {
  std::map<std::string_view, std::size_t> files;
  for (const Diagnostic& d : list_) files.emplace(d.file, files.size());
  Diagnostics result = *this;
  std::stable_sort(result.list_.begin(), result.list_.end(), [&](const Diagnostic& a, const Diagnostic& b) {
    return std::make_tuple(files.at(a.file), a.line, a.column) < std::make_tuple(files.at(b.file), b.line, b.column);
  });
  return result;
}

void Diagnostics::throw_if_any() const {
  if (!empty()) throw ConfigError(sorted());
}

ConfigError::ConfigError(Diagnostics diagnostics)
    : std::runtime_error(diagnostics.text()), diagnostics_(std::move(diagnostics)) {}

std::string excerpt(std::string_view text) {
  std::string out(text.substr(0, kExcerptLength));
  const bool cut = text.size() > kExcerptLength;
  for (char& c : out) {
    if (c == '\t' || c == '\n' || c == '\r') c = '?';
  }
  // A cut in the middle of a UTF-8 character would make the message invalid.
  while (cut && !out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0U) == 0x80U) out.pop_back();
  if (cut && !out.empty() && static_cast<unsigned char>(out.back()) >= 0xC0U) out.pop_back();
  for (TextFault fault = find_text_fault(out); fault; fault = find_text_fault(out)) out[fault.at] = '?';
  return cut ? out + "..." : out;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  word = word.substr(0, kLongestComparedWord);
  const std::string* best = nullptr;
  // Of a short word everything would be near.
  std::size_t least = std::min<std::size_t>(std::max<std::size_t>(2, word.size() / 2), word.size() - !word.empty());
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance > least || (distance == least && best != nullptr)) continue;
    best = &name;
    least = distance;
  }
  return best == nullptr ? std::string() : "; did you mean " + *best + "?";
}

std::string join_names(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace gputlm
