// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gputlm {

/// Where default virtual addresses of data start, and how many bits a virtual address has (NVIDIA since Pascal: 49).
inline constexpr std::uint64_t kFirstVirtualAddress = 0x7f40'0000'0000ULL;
inline constexpr unsigned kVirtualAddressBits = 49;

}  // namespace gputlm
