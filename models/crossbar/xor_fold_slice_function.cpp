// SPDX-License-Identifier: Apache-2.0
//
// A plain hash to compare with: power-of-two strides no longer meet in one slice, but balance is only statistical when
// the number of slices is no power of two.
#include <stdexcept>

#include "gputlm/crossbar/slice_function.h"

namespace gputlm {
namespace {

class XorFoldSliceFunction : public SliceFunction {
 public:
  explicit XorFoldSliceFunction(const CrossbarSpec& spec)
      : granule_(spec.slice_function.granule), slices_(spec.slices) {}
  unsigned slice_of(std::uint64_t address) const override {
    std::uint64_t g = address / granule_;
    g ^= g >> 6 ^ g >> 11 ^ g >> 17;
    return static_cast<unsigned>(g % slices_);
  }

 private:
  std::uint64_t granule_;
  unsigned slices_;
};

}  // namespace

std::unique_ptr<SliceFunction> make_xor_fold_slice_function(const CrossbarSpec& spec) {
  if (spec.slice_function.granule == 0) throw std::invalid_argument("the slice function's granule is zero");
  return std::make_unique<XorFoldSliceFunction>(spec);
}

}  // namespace gputlm
