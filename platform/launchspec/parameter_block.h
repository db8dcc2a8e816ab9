// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gputlm/launchspec/argument.h"

namespace gputlm {

/// Bytes of a kernel's parameters at most (CUDA C++ Programming Guide: 32,764 since CUDA 12.1 on Volta and later).
inline constexpr std::uint64_t kMaxParameterBytes = 32764;

/// Bytes that the arguments take, each aligned to its own size; arrays are addresses of 8 bytes.
std::uint64_t parameter_bytes(const std::vector<LaunchArgument>& arguments);

/// What a kernel finds from c[0x0][0x160] on: the arguments in order with natural alignment, gaps zero. `addresses` has
/// one entry per argument: the address of an array, ignored for a scalar.
std::vector<unsigned char> parameter_block(const std::vector<LaunchArgument>& arguments,
                                           const std::vector<std::uint64_t>& addresses);

}  // namespace gputlm
