// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "gputlm/crossbar/slice_function.h"
#include "gputlm/dram/dram_map.h"
#include "gputlm/l2/set_index.h"
#include "gputlm/stress/stress_draw.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {
namespace {

/// Where the lines of a card are.
class CardMap {
 public:
  explicit CardMap(const Config& config)
      : config_(config),
        slices_(make_slice_function(config.crossbar)),
        sets_(make_set_index(config.l2.set_index, config.l2.sets)),
        dram_(DramMap::make(config.dram, [this](std::uint64_t at) { return controller_of(at); })) {}

  std::uint64_t slice(std::uint64_t at) const { return slices_->slice_of(at); }
  std::uint64_t set(std::uint64_t at) const { return slice(at) * config_.l2.sets + sets_->set_of(at); }
  std::uint64_t bank(std::uint64_t at) const {
    const DramSpec& d = config_.dram;
    const DramLocation l = dram_->locate(at);
    return (std::uint64_t{controller_of(at)} * d.channels_per_controller + l.channel) * d.bank_groups *
               d.banks_per_group +
           l.bank;
  }
  std::uint64_t row(std::uint64_t at) const { return bank(at) * config_.dram.rows + dram_->locate(at).row; }

 private:
  unsigned controller_of(std::uint64_t at) const {
    return slices_->slice_of(at) / config_.crossbar.slices_per_controller;
  }

  const Config& config_;
  const std::unique_ptr<SliceFunction> slices_;
  const std::unique_ptr<SetIndex> sets_;
  const std::unique_ptr<DramMap> dram_;
};

using PlaceOf = std::function<std::uint64_t(std::uint64_t)>;

/// Lines of the place that line `first` is in, from there on; one of each `other`, if that is given.
std::vector<std::uint64_t> lines_like(std::uint64_t first, std::uint64_t lines, std::size_t count, const PlaceOf& place,
                                      const PlaceOf& other) {
  const std::uint64_t wanted = place(first * kLineBytes);
  std::vector<std::uint64_t> found, seen;
  for (std::uint64_t n = 0; n < lines && found.size() < count; ++n) {
    const std::uint64_t line = (first + n) % lines, at = line * kLineBytes;
    if (place(at) != wanted) continue;
    if (other) {
      if (std::find(seen.begin(), seen.end(), other(at)) != seen.end()) continue;
      seen.push_back(other(at));
    }
    found.push_back(line);
  }
  return found;
}

}  // namespace

std::vector<std::uint64_t> draw_hot_lines(Draw& draw, const Config& config, HotPlaces places, std::uint64_t lines,
                                          std::size_t count) {
  const CardMap map(config);
  const std::uint64_t first = draw.below(lines);
  const PlaceOf slice = [&](std::uint64_t at) { return map.slice(at); };
  const PlaceOf set = [&](std::uint64_t at) { return map.set(at); };
  const PlaceOf row = [&](std::uint64_t at) { return map.row(at); };
  const PlaceOf bank = [&](std::uint64_t at) { return map.bank(at); };
  switch (places) {
    case HotPlaces::one_slice:
      return lines_like(first, lines, count, slice, {});
    case HotPlaces::one_set:
      return lines_like(first, lines, count, set, {});
    case HotPlaces::one_row:
      return lines_like(first, lines, count, row, {});
    case HotPlaces::rows_of_bank:
      return lines_like(first, lines, count, bank, row);
    case HotPlaces::spread:
      break;
  }
  const std::uint64_t used = std::min<std::uint64_t>(lines, count);
  std::vector<std::uint64_t> found;
  for (std::uint64_t n = 0; n < used; ++n) found.push_back(n * (lines / used));
  return found;
}

}  // namespace gputlm
