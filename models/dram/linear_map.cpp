// SPDX-License-Identifier: Apache-2.0
//
// The textbook map, to compare with: rows are consecutive kibibytes, dealt out to controllers, then channels, then bank
// groups, then banks. Injective together with a controller function that is (address / row_bytes) mod controllers.
#include "gputlm/dram/dram_map.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {
namespace {

class LinearMap : public DramMap {
 public:
  explicit LinearMap(const DramSpec& spec)
      : row_bytes_(spec.row_bytes),
        controllers_(spec.controllers),
        channels_(spec.channels_per_controller),
        groups_(spec.bank_groups),
        banks_(spec.banks_per_group),
        rotate_(spec.map.rotate_bank_groups) {}

  DramLocation locate(std::uint64_t address) const override {
    DramLocation at;
    at.column = static_cast<unsigned>(address % row_bytes_ / kSectorBytes);
    std::uint64_t rest = address / row_bytes_ / controllers_;
    at.channel = take_digit(rest, channels_);
    unsigned bank = 0;
    if (rotate_) {
      at.bank_group = take_digit(rest, groups_);
      bank = take_digit(rest, banks_);
    } else {
      bank = take_digit(rest, banks_);
      at.bank_group = take_digit(rest, groups_);
    }
    at.bank = at.bank_group * banks_ + bank;
    at.row = rest;
    return at;
  }

 private:
  static unsigned take_digit(std::uint64_t& rest, unsigned base) {
    const auto digit = static_cast<unsigned>(rest % base);
    rest /= base;
    return digit;
  }

  std::uint64_t row_bytes_;
  unsigned controllers_, channels_, groups_, banks_;
  bool rotate_;
};

}  // namespace

std::unique_ptr<DramMap> make_linear_map(const DramSpec& spec) {
  return std::make_unique<LinearMap>(spec);
}

}  // namespace gputlm
