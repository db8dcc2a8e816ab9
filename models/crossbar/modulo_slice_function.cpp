// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "gputlm/crossbar/slice_function.h"

namespace gputlm {
namespace {

class ModuloSliceFunction : public SliceFunction {
 public:
  explicit ModuloSliceFunction(const CrossbarSpec& spec)
      : granule_(spec.slice_function.granule), slices_(spec.slices) {}
  unsigned slice_of(std::uint64_t address) const override {
    return static_cast<unsigned>(address / granule_ % slices_);
  }

 private:
  std::uint64_t granule_;
  unsigned slices_;
};

}  // namespace

std::unique_ptr<SliceFunction> make_modulo_slice_function(const CrossbarSpec& spec) {
  if (spec.slice_function.granule == 0) throw std::invalid_argument("the slice function's granule is zero");
  return std::make_unique<ModuloSliceFunction>(spec);
}

}  // namespace gputlm
