// SPDX-License-Identifier: Apache-2.0
#include "progress_line.h"

#include <string>

#include <fmt/format.h>

namespace gputlm {

void ProgressLine::show(const Progress& p) {
  constexpr std::chrono::milliseconds kBetween{100};
  const Clock::time_point now = Clock::now();
  if (!line_.visible() || now - shown_ < kBetween) return;
  shown_ = now;
  const double wall = std::chrono::duration<double>(now - start_).count();
  const std::uint64_t lines = p.lines();
  const double share = p.share();
  std::string rest = "checking memory";
  if (!p.checking())
    rest = fmt::format("{:.0f} lines/s, {:.0f} % of the blocks done, {} s left", static_cast<double>(lines) / wall,
                       100 * share, share > 0 ? fmt::format("{:.0f}", wall * (1 - share) / share) : "?");
  line_.show(fmt::format("{:.2f} us simulated, {} lines sent, {}", to_ns(p.time()) / 1e3, lines, rest));
}

}  // namespace gputlm
