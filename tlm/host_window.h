// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gputlm {

/// Physical addresses of the GPU from here on name the host's memory behind the link, byte for byte; those below, the
/// card's. The hardware's page tables tell the two apart by an aperture field; one number does the same.
inline constexpr std::uint64_t kHostWindow = std::uint64_t{1} << 52U;

constexpr bool in_host_window(std::uint64_t physical) {
  return physical >= kHostWindow;
}

}  // namespace gputlm
