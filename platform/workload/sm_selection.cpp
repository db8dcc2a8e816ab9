// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "gputlm/workload/experiment_reader.h"

namespace gputlm {

namespace {

using SmRange = std::pair<std::uint64_t, std::uint64_t>;

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    const std::size_t start = std::min(list.find_first_not_of(' ', from), comma);
    parts.push_back(list.substr(start, comma - start));
    from = comma + 1;
  }
  return parts;
}

/// `8` or `0-63`; null when it is neither.
std::optional<SmRange> parse_sm_range(const std::string& text) {
  constexpr std::uint64_t kLast = 0xfffe;  // 0xffff is Origin's "no SM"
  const std::size_t dash = text.find('-', 1);
  const auto first = parse_count(text.substr(0, dash));
  const auto last = dash == std::string::npos ? first : parse_count(text.substr(dash + 1));
  if (!first || !last || first.value > last.value || last.value > kLast) return std::nullopt;
  return SmRange{first.value, last.value};
}

/// Each SM once, ascending, however much the ranges overlap.
std::vector<unsigned> expand(std::vector<SmRange> ranges) {
  std::sort(ranges.begin(), ranges.end());
  std::vector<unsigned> sms;
  std::uint64_t next = 0;
  for (const auto& [first, last] : ranges) {
    for (next = std::max(next, first); next <= last; ++next) sms.push_back(static_cast<unsigned>(next));
  }
  return sms;
}

}  // namespace

std::vector<unsigned> read_sms(YamlReader& reader) {
  static const char* const kForm = "all, a number, a range such as 0-63, or several of them: 0-3,8 or [0-3, 8]";
  std::vector<std::string> items{"all"};
  reader.texts("sms", items, YamlReader::Need::optional);
  if (items.size() == 1 && items[0] == "all") return {};
  std::vector<SmRange> ranges;
  for (const std::string& item : items)
    for (const std::string& part : split(item))
      if (const auto range = parse_sm_range(part))
        ranges.push_back(*range);
      else
        reader.error("sms", "is no selection of SMs", excerpt(part), kForm);
  if (items.empty()) reader.error("sms", "selects no SM", {}, kForm);
  return expand(std::move(ranges));
}

}  // namespace gputlm
