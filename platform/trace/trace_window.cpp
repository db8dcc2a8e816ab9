// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/trace_window.h"

#include <string_view>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/quantity.h"

namespace gputlm {
namespace {

constexpr const char* kAllowed = "BEGIN:END, such as 0us:2us; units fs, ps, ns, us, ms, s; either end may be left out";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// One end; `fallback` when nothing stands there.
Fs take_time(std::string_view text, Fs fallback, const Place& place, Diagnostics& mistakes) {
  text = trimmed(text);
  if (text.empty()) return fallback;
  const Parsed<Fs> time = parse_time(text);
  if (!time) mistakes.add(place, {}, time.problem, excerpt(text), kAllowed);
  return time.value;
}

}  // namespace

TraceWindow parse_trace_window(const std::string& text, const std::string& option) {
  Diagnostics mistakes;
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) mistakes.add({option, 1, 1}, {}, "no window", excerpt(text), kAllowed);
  mistakes.throw_if_any();
  TraceWindow window;
  const std::string_view all = text;
  window.begin = take_time(all.substr(0, colon), 0, {option, 1, 1}, mistakes);
  window.end = take_time(all.substr(colon + 1), kNever, {option, 1, static_cast<unsigned>(colon + 2)}, mistakes);
  if (mistakes.empty() && window.end <= window.begin)
    mistakes.add({option, 1, static_cast<unsigned>(colon + 2)}, {}, "the window ends before it begins", excerpt(text),
                 kAllowed);
  mistakes.throw_if_any();
  return window;
}

}  // namespace gputlm
