// SPDX-License-Identifier: Apache-2.0
//
// A card's function as a table, for a card whose function was measured and has no known formula: entry
// (granule number mod rows) * 2^masks + parities, parity i of the address under mask i being bit i, names the slice.
// The table's length is rows * 2^masks; without masks it is a list of slices that repeats.
#include <stdexcept>
#include <vector>

#include "gputlm/crossbar/slice_function.h"
#include "gputlm/tlm/parity_table.h"

namespace gputlm {
namespace {

class TableSliceFunction : public SliceFunction {
 public:
  explicit TableSliceFunction(const SliceFunctionSpec& spec)
      : granule_(spec.granule),
        parity_(spec.table_masks),
        bits_(static_cast<unsigned>(spec.table_masks.size())),
        rows_(spec.table.size() >> bits_),
        table_(spec.table) {}

  unsigned slice_of(std::uint64_t address) const override {
    const unsigned parities = parity_(address) & ((1U << bits_) - 1);
    return table_[(address / granule_ % rows_ << bits_) + parities];
  }

 private:
  std::uint64_t granule_;
  ParityTable parity_;
  unsigned bits_;
  std::uint64_t rows_;
  std::vector<unsigned> table_;
};

}  // namespace

std::unique_ptr<SliceFunction> make_table_slice_function(const CrossbarSpec& spec) {
  const SliceFunctionSpec& f = spec.slice_function;
  if (f.granule == 0) throw std::invalid_argument("the slice function's granule is zero");
  if (f.table.empty() || f.table_masks.size() > kMostTableMasks || f.table.size() % (1U << f.table_masks.size()) != 0)
    throw std::invalid_argument("the slice function's table is not a number of rows of 2^masks entries");
  for (const unsigned slice : f.table)
    if (slice >= spec.slices) throw std::invalid_argument("the slice function's table names a slice that is not there");
  return std::make_unique<TableSliceFunction>(f);
}

}  // namespace gputlm
