// SPDX-License-Identifier: Apache-2.0
//
// The RTX 4090's function as measured (READS, appendix): stage 1 picks one of 12 controllers by two parities and a
// mod-3 term, stage 2 one of the controller's three slices by a mod-9 term. Formulas in docs/policies.md, masks in
// configs/.
#include <array>
#include <stdexcept>

#include "gputlm/crossbar/slice_function.h"
#include "gputlm/tlm/parity_table.h"

namespace gputlm {
namespace {

constexpr unsigned kControllers = 12, kSlicesPerController = 3;

class PublishedSliceFunction : public SliceFunction {
 public:
  explicit PublishedSliceFunction(const CrossbarSpec& spec)
      : f_(spec.slice_function), parity_({f_.p1, f_.p2, f_.a1, f_.a2, f_.q.at(0), f_.q.at(1), f_.q.at(2), f_.q.at(3)}) {
    for (unsigned q = 0; q < s_.size(); ++q) {
      const unsigned q0 = q & 1U, q1 = q >> 1 & 1U, q2 = q >> 2 & 1U, q3 = q >> 3;
      const unsigned majority = q0 + q1 + q2 >= 2 ? 1 : 0;
      s_[q] = (f_.s.at(0) + f_.s.at(1) * q0 + f_.s.at(2) * q1 + f_.s.at(3) * q2 + f_.s.at(4) * q3 - majority) % 9;
    }
  }

  unsigned slice_of(std::uint64_t address) const override {
    const unsigned bits = parity_(address);
    const unsigned p1 = bits & 1U, p2 = bits >> 1 & 1U;
    const auto a =
        static_cast<unsigned>(((address >> f_.a_shift) + 2 * (bits >> 2 & 1U) + (bits >> 3 & 1U) + f_.a_add) % 3);
    const unsigned controller = (2 * p1 + p2) * 3 + a;

    const unsigned q = bits >> 4;
    const auto g = static_cast<unsigned>(((address + f_.g_add) >> f_.g_shift) % 9);
    const unsigned o = (g + 18 - f_.shift[a] - s_[q]) % 9;
    const unsigned low = ((q ^ q >> 1 ^ q >> 2) & 1U) == 0 ? 2 : 1;
    const unsigned d = o / 3, u = o % 3 >= low ? 1 : 0;
    const unsigned base = d == 0 ? 2 : (d == 1 && u == 0 ? 1 : 0);
    const unsigned turned = (q >> 2 & 1U) != 0 ? (1 + 3 - base) % 3 : base;
    return kSlicesPerController * controller + (turned + f_.offset[a]) % 3;
  }

 private:
  SliceFunctionSpec f_;
  ParityTable parity_;
  std::array<unsigned, 16> s_{};  // term s for each value of (q3 q2 q1 q0)
};

}  // namespace

std::unique_ptr<SliceFunction> make_published_slice_function(const CrossbarSpec& spec) {
  const SliceFunctionSpec& f = spec.slice_function;
  if (spec.slices != kControllers * kSlicesPerController || spec.slices_per_controller != kSlicesPerController)
    throw std::invalid_argument("the published slice function is for 36 slices, 3 per controller");
  if (f.q.size() != 4 || f.s.size() != 5 || f.shift.size() != 3 || f.offset.size() != 3)
    throw std::invalid_argument("the published slice function needs 4 q masks, 5 s terms, 3 shifts and 3 offsets");
  return std::make_unique<PublishedSliceFunction>(spec);
}

}  // namespace gputlm
