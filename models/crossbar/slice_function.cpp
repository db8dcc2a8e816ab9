// SPDX-License-Identifier: Apache-2.0
#include "gputlm/crossbar/slice_function.h"

#include <stdexcept>

namespace gputlm {

std::unique_ptr<SliceFunction> make_slice_function(const CrossbarSpec& spec) {
  const std::string& type = spec.slice_function.type;
  if (type == "published") return make_published_slice_function(spec);
  if (type == "published_48") return make_published_48_slice_function(spec);
  if (type == "modulo") return make_modulo_slice_function(spec);
  if (type == "xor_fold") return make_xor_fold_slice_function(spec);
  if (type == "table") return make_table_slice_function(spec);
  throw std::invalid_argument("unknown slice function '" + type + "'");
}

std::vector<PolicyName> slice_function_names() {
  return {{"published", "the card's two-stage function of 36 slices, from its parity masks and mod-3, mod-9 terms"},
          {"published_48", "the same with four slices per controller, as on the L40 and L40S"},
          {"modulo", "consecutive granules go to consecutive slices"},
          {"xor_fold", "modulo after folding the granule number's upper bits onto its lower ones"},
          {"table", "a table of slices, by parities of the address and its granule number modulo the table's rows"}};
}

}  // namespace gputlm
