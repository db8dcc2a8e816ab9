// SPDX-License-Identifier: Apache-2.0
//
// MUFU. The hardware's tables are not published: the model gives the exact result rounded to the nearest float, which
// is within the error that CUDA states for each function. Computed with additions, multiplications, divisions and
// square roots only, so every host gives the same bits.
#pragma once

#include <cstdint>
#include <vector>

namespace gputlm {

/// One function of MUFU, from the operand's bits to the result's.
struct SpecialFunctionRow {
  const char* name;
  std::uint32_t (*function)(std::uint32_t);
};

const std::vector<SpecialFunctionRow>& special_functions();

}  // namespace gputlm
