// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gputlm/config/constraints.h"
#include "gputlm/config/quantity.h"
#include "gputlm/tlm/line_contract.h"

namespace gputlm {

namespace {

constexpr std::uint64_t kMostL1 = std::uint64_t{16} << 20;
constexpr std::uint64_t kMostL2 = std::uint64_t{4} << 30;

/// Rank over GF(2): fewer than the number of masks means that some sets can never be reached. Bits below the line are
/// the same in every line address and tell no sets apart.
std::size_t rank(std::vector<std::uint64_t> masks) {
  for (std::uint64_t& mask : masks) mask = line_of(mask);
  std::size_t found = 0;
  for (std::uint64_t bit = 1; bit != 0; bit <<= 1) {
    const auto pivot = std::find_if(masks.begin() + static_cast<std::ptrdiff_t>(found), masks.end(),
                                    [&](std::uint64_t mask) { return (mask & bit) != 0; });
    if (pivot == masks.end()) continue;
    std::swap(*pivot, masks[found]);
    for (std::size_t i = found + 1; i < masks.size(); ++i) {
      if ((masks[i] & bit) != 0) masks[i] ^= masks[found];
    }
    ++found;
  }
  return found;
}

std::uint64_t l2_bytes(const Config& c) {
  return std::uint64_t{c.crossbar.slices} * c.l2.sets * c.l2.ways * kLineBytes;
}

bool uses_published_index(const Config& c) {
  return c.l2.set_index.type == "published";
}

bool every_bit_is_used(const SetIndexSpec& index) {
  const std::size_t bits = std::min(index.line_masks.size(), index.quotient_masks.size());
  for (std::size_t i = 0; i < bits; ++i)
    if (line_of(index.line_masks[i]) == 0 && index.quotient_masks[i] == 0) return false;
  return true;
}

void add_l1(std::vector<Constraint>& table) {
  table.push_back(
      {{"l1.sets"}, "l1.sets must be a power of two", [](const Config& c) { return is_power_of_two(c.l1.sets); }, {}});
  table.push_back(
      {{"l1.index_masks", "l1.sets"},
       "l1.index_masks must hold log2(l1.sets) masks",
       [](const Config& c) { return !is_power_of_two(c.l1.sets) || c.l1.index_masks.size() == log2_of(c.l1.sets); },
       [](const Config& c) { return fmt::format("{} masks for {} sets", log2_of(c.l1.sets), c.l1.sets); }});
  table.push_back(
      {{"l1.index_masks"},
       "l1.index_masks must be linearly independent above the line's 128 bytes, or some sets are never used",
       [](const Config& c) { return rank(c.l1.index_masks) == c.l1.index_masks.size(); },
       {}});
  table.push_back({{"l1.sets", "l1.ways"},
                   fmt::format("an L1 holds at most {}", format_bytes(kMostL1)),
                   [](const Config& c) { return std::uint64_t{c.l1.sets} * c.l1.ways * kLineBytes <= kMostL1; },
                   {}});
}

void add_l2(std::vector<Constraint>& table) {
  table.push_back(
      {{"l2.sets"}, "l2.sets must be a power of two", [](const Config& c) { return is_power_of_two(c.l2.sets); }, {}});
  table.push_back({{"l2.slices", "l2.sets", "l2.ways"},
                   fmt::format("the L2 holds at most {}", format_bytes(kMostL2)),
                   [](const Config& c) { return l2_bytes(c) <= kMostL2; },
                   {}});
  const auto masks = [&table](const char* path, std::vector<std::uint64_t> SetIndexSpec::*member) {
    table.push_back({{path, "l2.sets", "l2.set_index.type"},
                     fmt::format("{} must hold log2(l2.sets) masks when the set index is published", path),
                     [member](const Config& c) {
                       return !uses_published_index(c) || !is_power_of_two(c.l2.sets) ||
                              (c.l2.set_index.*member).size() == log2_of(c.l2.sets);
                     },
                     [](const Config& c) {
                       return fmt::format("{} masks for {} sets, or set_index.type modulo", log2_of(c.l2.sets),
                                          c.l2.sets);
                     }});
  };
  masks("l2.set_index.line_masks", &SetIndexSpec::line_masks);
  masks("l2.set_index.quotient_masks", &SetIndexSpec::quotient_masks);
  table.push_back({{"l2.set_index.line_masks", "l2.set_index.quotient_masks", "l2.set_index.type"},
                   "each bit of a published l2.set_index must depend on an address bit above the line's 128 bytes",
                   [](const Config& c) { return !uses_published_index(c) || every_bit_is_used(c.l2.set_index); },
                   {}});
  table.push_back({{"l2.set_index.invert_residues", "l2.set_index.invert_modulus"},
                   "l2.set_index.invert_residues must be below l2.set_index.invert_modulus",
                   [](const Config& c) {
                     const auto& residues = c.l2.set_index.invert_residues;
                     return std::all_of(residues.begin(), residues.end(),
                                        [&](unsigned r) { return r < c.l2.set_index.invert_modulus; });
                   },
                   {}});
}

void add_l2_policies(std::vector<Constraint>& table) {
  table.push_back({{"l2.replacement.insert_rrpv", "l2.replacement.levels"},
                   "l2.replacement.insert_rrpv must be below l2.replacement.levels",
                   [](const Config& c) { return c.l2.replacement.insert_rrpv < c.l2.replacement.levels; },
                   {}});
  table.push_back({{"l2.replacement.load_hit_rrpv", "l2.replacement.levels"},
                   "l2.replacement.load_hit_rrpv must be below l2.replacement.levels",
                   [](const Config& c) { return c.l2.replacement.load_hit_rrpv < c.l2.replacement.levels; },
                   {}});
  table.push_back(
      {{"l2.janitor.dirty_threshold", "l2.ways", "l2.janitor.policy"},
       "l2.janitor.dirty_threshold must not exceed l2.ways",
       [](const Config& c) { return c.l2.janitor.policy == "none" || c.l2.janitor.dirty_threshold <= c.l2.ways; },
       {}});
  table.push_back({{"l2.replacement.policy", "l2.ways"},
                   "l2.replacement.policy tree_plru needs l2.ways to be a power of two",
                   [](const Config& c) { return c.l2.replacement.policy != "tree_plru" || is_power_of_two(c.l2.ways); },
                   {}});
}

}  // namespace

void add_cache_constraints(std::vector<Constraint>& table) {
  add_l1(table);
  add_l2(table);
  add_l2_policies(table);
}

}  // namespace gputlm
