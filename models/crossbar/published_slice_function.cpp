// SPDX-License-Identifier: Apache-2.0
//
// AD102's function as measured (READS, appendix): stage 1 picks one of 12 controllers by two parities and a mod-3 term,
// stage 2 one of the controller's slices by a mod-9 term. The RTX 4090 has three slices per controller, the L40 and
// L40S four; the forms differ in how the terms of stage 2 are read out. Formulas in docs/policies.md, masks in
// configs/.
#include <array>
#include <stdexcept>

#include "gputlm/crossbar/slice_function.h"
#include "gputlm/tlm/parity_table.h"

namespace gputlm {
namespace {

constexpr unsigned kControllers = 12;

/// What both forms are made of, of one address.
struct Terms {
  unsigned p1, p2, a;  ///< Stage 1.
  unsigned q2;         ///< Parity under the third q mask.
  unsigned d, u;       ///< Of the mod-9 term.

  unsigned controller() const { return (2 * p1 + p2) * 3 + a; }
};

class PublishedTerms {
 public:
  explicit PublishedTerms(const SliceFunctionSpec& f)
      : f_(f), parity_({f_.p1, f_.p2, f_.a1, f_.a2, f_.q.at(0), f_.q.at(1), f_.q.at(2), f_.q.at(3)}) {
    for (unsigned q = 0; q < s_.size(); ++q) {
      const unsigned q0 = q & 1U, q1 = q >> 1 & 1U, q2 = q >> 2 & 1U, q3 = q >> 3;
      const unsigned majority = q0 + q1 + q2 >= 2 ? 1 : 0;
      s_[q] = (f_.s.at(0) + f_.s.at(1) * q0 + f_.s.at(2) * q1 + f_.s.at(3) * q2 + f_.s.at(4) * q3 - majority) % 9;
    }
  }

  Terms of(std::uint64_t address) const {
    const unsigned bits = parity_(address);
    Terms t{};
    t.p1 = bits & 1U;
    t.p2 = bits >> 1 & 1U;
    t.a = static_cast<unsigned>(((address >> f_.a_shift) + 2 * (bits >> 2 & 1U) + (bits >> 3 & 1U) + f_.a_add) % 3);

    const unsigned q = bits >> 4;
    const auto g = static_cast<unsigned>(((address + f_.g_add) >> f_.g_shift) % 9);
    const unsigned o = (g + 18 - f_.shift[t.a] - s_[q]) % 9;
    const unsigned low = ((q ^ q >> 1 ^ q >> 2) & 1U) == 0 ? 2 : 1;
    t.q2 = q >> 2 & 1U;
    t.d = o / 3;
    t.u = o % 3 >= low ? 1 : 0;
    return t;
  }

 private:
  SliceFunctionSpec f_;
  ParityTable parity_;
  std::array<unsigned, 16> s_{};  // term s for each value of (q3 q2 q1 q0)
};

class Published36 : public SliceFunction {
 public:
  static constexpr unsigned kSlicesPerController = 3;

  explicit Published36(const SliceFunctionSpec& f) : terms_(f) {
    for (unsigned a = 0; a < offset_.size(); ++a) offset_[a] = f.offset.at(a);
  }

  unsigned slice_of(std::uint64_t address) const override {
    const Terms t = terms_.of(address);
    const unsigned base = t.d == 0 ? 2 : (t.d == 1 && t.u == 0 ? 1 : 0);
    const unsigned turned = t.q2 != 0 ? (1 + 3 - base) % 3 : base;
    return kSlicesPerController * t.controller() + (turned + offset_[t.a]) % 3;
  }

 private:
  PublishedTerms terms_;
  std::array<unsigned, 3> offset_{};
};

class Published48 : public SliceFunction {
 public:
  static constexpr unsigned kSlicesPerController = 4;

  explicit Published48(const SliceFunctionSpec& f) : terms_(f) {}

  unsigned slice_of(std::uint64_t address) const override {
    const Terms t = terms_.of(address);
    return kSlicesPerController * t.controller() + 2 * (t.p1 ^ t.q2 ^ t.u) + (t.p1 ^ t.p2 ^ t.u);
  }

 private:
  PublishedTerms terms_;
};

template <class Form>
std::unique_ptr<SliceFunction> make(const CrossbarSpec& spec) {
  const SliceFunctionSpec& f = spec.slice_function;
  if (spec.slices != kControllers * Form::kSlicesPerController ||
      spec.slices_per_controller != Form::kSlicesPerController)
    throw std::invalid_argument("the slice function '" + f.type + "' is for 12 controllers with " +
                                std::to_string(Form::kSlicesPerController) + " slices each");
  if (f.q.size() != 4 || f.s.size() != 5 || f.shift.size() != 3 || f.offset.size() != 3)
    throw std::invalid_argument("the published slice function needs 4 q masks, 5 s terms, 3 shifts and 3 offsets");
  return std::make_unique<Form>(f);
}

}  // namespace

std::unique_ptr<SliceFunction> make_published_slice_function(const CrossbarSpec& spec) {
  return make<Published36>(spec);
}

std::unique_ptr<SliceFunction> make_published_48_slice_function(const CrossbarSpec& spec) {
  return make<Published48>(spec);
}

}  // namespace gputlm
