// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/state_slices.h"

#include <algorithm>
#include <memory>

#include "gputlm/l2/replacement_policy.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kMostFills = std::uint64_t{1} << 16, kMostWays = 64;

std::unique_ptr<ReplacementPolicy> policy_of(const Config& config, unsigned slice) {
  return make_replacement(config.l2.replacement, {config.l2.sets, slice});
}

L2SetState fresh_set(const Config& config) {
  return {std::vector<std::uint8_t>(config.l2.ways), 0, 0};
}

void put_set(DumpWriter& out, unsigned number, const L2SetState& set) {
  for (const unsigned word : {number, set.fills, set.owed}) out.word(word);
  out.text({reinterpret_cast<const char*>(set.replacement.data()), set.replacement.size()});
}

void read_set(DumpReader& in, const Config& config, std::vector<L2SetState>& sets) {
  L2SetState& set = sets[in.word_below(config.l2.sets, "set")];
  set.fills = in.word_below(kMostFills, "number of fills");
  set.owed = in.word_below(kMostWays + 1, "number of pops");
  const std::size_t at = in.offset();
  const std::string_view bytes = in.text(config.l2.ways, "replacement's bytes");
  std::copy(bytes.begin(), bytes.end(), set.replacement.begin());
  for (const std::uint8_t byte : set.replacement)
    if (byte >= config.l2.replacement.levels)
      in.refuse(at, "no such RRPV", std::to_string(byte), "below " + std::to_string(config.l2.replacement.levels));
}

void put_slice(DumpWriter& out, const L2SliceState& slice) {
  out.word(static_cast<std::uint32_t>(slice.replacement.size()));
  for (const std::uint64_t number : slice.replacement) out.wide(number);
  out.word(slice.cleaned_set);
  const auto remembers = [](const L2SetState& set) {
    const auto set_byte = [](std::uint8_t byte) { return byte != 0; };
    return set.fills != 0 || set.owed != 0 || std::any_of(set.replacement.begin(), set.replacement.end(), set_byte);
  };
  out.word(static_cast<std::uint32_t>(std::count_if(slice.sets.begin(), slice.sets.end(), remembers)));
  for (unsigned set = 0; set < slice.sets.size(); ++set)
    if (remembers(slice.sets[set])) put_set(out, set, slice.sets[set]);
}

L2SliceState slice_of(DumpReader& in, const Config& config, unsigned number) {
  L2SliceState slice{{}, 0, std::vector<L2SetState>(config.l2.sets, fresh_set(config))};
  const std::size_t at = in.offset();
  for (std::uint32_t left = in.word("the policy's numbers"); left > 0; --left)
    slice.replacement.push_back(in.wide("the policy's numbers"));
  if (!policy_of(config, number)->set_state(slice.replacement))
    in.refuse(at, "no state of replacement policy " + config.l2.replacement.policy + ", slice", std::to_string(number),
              "");
  slice.cleaned_set = in.word_below(config.l2.sets, "set");
  for (std::uint32_t left = in.word("the number of sets"); left > 0; --left) read_set(in, config, slice.sets);
  return slice;
}

}  // namespace

std::vector<L2SliceState> fresh_slices(const Config& config) {
  std::vector<L2SliceState> slices;
  for (unsigned n = 0; n < config.crossbar.slices; ++n)
    slices.push_back({policy_of(config, n)->state(), 0, std::vector<L2SetState>(config.l2.sets, fresh_set(config))});
  return slices;
}

void put_slices(DumpWriter& out, const std::vector<L2SliceState>& slices) {
  for (const L2SliceState& slice : slices) put_slice(out, slice);
}

std::vector<L2SliceState> slices_of(DumpReader& in, const Config& config) {
  std::vector<L2SliceState> slices;
  for (unsigned n = 0; n < config.crossbar.slices; ++n) slices.push_back(slice_of(in, config, n));
  return slices;
}

}  // namespace gputlm
