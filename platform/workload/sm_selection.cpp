// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/sm_selection.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace gputlm {

namespace {

constexpr std::uint64_t kMostSms = 0xffff;  // 0xffff itself is Origin's "no SM"

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

/// `8` or `0-63`, either with ` of N` behind it; null when it is none of them.
std::optional<SmRange> parse_sm_range(const std::string& text) {
  static const std::string kOf = " of ";
  const std::size_t of = text.find(kOf), dash = text.find('-', 1);
  const bool shares = of != std::string::npos;
  const std::string numbers = text.substr(0, of);
  const auto first = parse_count(numbers.substr(0, dash));
  const auto last = dash < numbers.size() ? parse_count(numbers.substr(dash + 1)) : first;
  const auto parts = shares ? parse_count(text.substr(of + kOf.size())) : decltype(first){};
  if (!first || !last || !parts || first.value > last.value) return std::nullopt;
  if (shares ? first.value == 0 || last.value > parts.value : last.value >= kMostSms) return std::nullopt;
  return SmRange{first.value, last.value, parts.value};
}

}  // namespace

std::string SmRange::text() const {
  std::string written = format_count(first);
  if (last != first) written += "-" + format_count(last);
  return of == 0 ? written : written + " of " + format_count(of);
}

SmRange::Problem SmRange::problem_on(unsigned sms) const {
  if (of == 0 && last >= sms) return {"the chip has no such SM", "0 to " + format_count(sms - 1)};
  if (of > sms) return {"the chip has fewer SMs than shares", fmt::format("at most {} shares", sms)};
  return {};
}

SmSelection read_sms(YamlReader& reader) {
  static const char* const kForm =
      "all, a number, a range such as 0-63, a share such as 1 of 2, or several of them: 0-3,8 or [0-3, 8]";
  std::vector<std::string> items{"all"};
  reader.texts("sms", items, YamlReader::Need::optional);
  if (items.size() == 1 && items[0] == "all") return {};
  SmSelection ranges;
  for (const std::string& item : items)
    for (const std::string& part : split(item))
      if (const auto range = parse_sm_range(part))
        ranges.push_back(*range);
      else
        reader.error("sms", "is no selection of SMs", excerpt(part), kForm);
  if (items.empty()) reader.error("sms", "selects no SM", {}, kForm);
  return ranges;
}

std::vector<unsigned> selected_sms(const SmSelection& selection, unsigned sms) {
  std::vector<bool> chosen(sms);
  for (const SmRange& range : selection) {
    const bool shares = range.of != 0;
    const std::uint64_t first = shares ? (range.first - 1) * sms / range.of : range.first;
    const std::uint64_t end = shares ? range.last * sms / range.of : range.last + 1;
    for (std::uint64_t sm = first; sm < end; ++sm) chosen[sm] = true;
  }
  std::vector<unsigned> numbers;
  for (unsigned sm = 0; sm < sms; ++sm)
    if (chosen[sm]) numbers.push_back(sm);
  return numbers;
}

}  // namespace gputlm
