// SPDX-License-Identifier: Apache-2.0
//
// Which L2 slice, and so which memory controller, owns a physical address.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/crossbar/crossbar_spec.h"

namespace gputlm {

/// Strategy: physical byte address to slice. Slices of one controller are neighbours in number.
class SliceFunction {
 public:
  virtual ~SliceFunction() = default;
  virtual unsigned slice_of(std::uint64_t address) const = 0;
};

/// Makes the strategy that `spec.slice_function.type` names. Throws std::invalid_argument for an unknown name or a
/// table that does not fit the number of slices.
std::unique_ptr<SliceFunction> make_slice_function(const CrossbarSpec& spec);

/// Names make_slice_function() knows, each with one sentence.
struct PolicyName {
  std::string name, description;
};
std::vector<PolicyName> slice_function_names();

// One maker per strategy file.
std::unique_ptr<SliceFunction> make_published_slice_function(const CrossbarSpec& spec);
std::unique_ptr<SliceFunction> make_published_48_slice_function(const CrossbarSpec& spec);
std::unique_ptr<SliceFunction> make_modulo_slice_function(const CrossbarSpec& spec);
std::unique_ptr<SliceFunction> make_xor_fold_slice_function(const CrossbarSpec& spec);
std::unique_ptr<SliceFunction> make_table_slice_function(const CrossbarSpec& spec);

}  // namespace gputlm
