// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostformats/compute_methods.h"
#include "gputlm/hostformats/method_table.h"

namespace gputlm {

const MethodClass& compute_methods() {
  namespace m = compute_method;
  static const MethodClass methods{kComputeClass,
                                   "ADA_COMPUTE_A",
                                   {{"NO_OPERATION", m::no_operation},
                                    {"SET_INLINE_QMD_ADDRESS_A", m::set_inline_qmd_address_a},
                                    {"SET_INLINE_QMD_ADDRESS_B", m::set_inline_qmd_address_b},
                                    {"LOAD_INLINE_QMD_DATA", m::load_inline_qmd_data, kQmdWords}}};
  return methods;
}

}  // namespace gputlm
