// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/figure_text.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace gputlm {

std::string size_text(double bytes) {
  constexpr double kStep = 1024;
  if (bytes < kStep) return fmt::format("{:.0f} B", bytes);
  const char* unit = "B";
  for (const char* larger : {"KiB", "MiB", "GiB", "TiB"}) {
    if (bytes < kStep) break;
    bytes /= kStep;
    unit = larger;
  }
  return fmt::format("{:.2f} {}", bytes, unit);
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void print_figure(std::ostream& out, std::string_view name, std::string_view value, std::string_view meaning) {
  fmt::print(out, "  {:<22}{:>16}  {}\n", name, value, meaning);
}

}  // namespace gputlm
