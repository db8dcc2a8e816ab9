// SPDX-License-Identifier: Apache-2.0
#include "gputlm/mmu/page_table.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace gputlm {
namespace {

constexpr bool is_power_of_two(std::uint64_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

std::string hex_range(std::uint64_t base, std::uint64_t bytes) {
  std::ostringstream text;
  text << std::hex << "[0x" << base << ", 0x" << base + (bytes - 1) << "]";
  return text.str();
}

}  // namespace

PageTable::PageTable(std::uint64_t page_bytes) : page_bytes_(page_bytes) {
  if (!is_power_of_two(page_bytes))
    throw std::invalid_argument("page size " + std::to_string(page_bytes) + " is no power of two");
}

void PageTable::map(std::uint64_t virtual_base, std::uint64_t physical_base, std::uint64_t bytes,
                    std::uint64_t page_bytes) {
  const std::uint64_t page = page_bytes == 0 ? page_bytes_ : page_bytes;
  if (bytes == 0) throw std::invalid_argument("an empty virtual range is mapped");
  const std::string range = "virtual range " + hex_range(virtual_base, bytes);
  if (!is_power_of_two(page) || ((virtual_base | physical_base | bytes) & (page - 1)) != 0)
    throw std::invalid_argument(range + " to " + hex_range(physical_base, bytes) + " is not made of whole pages of " +
                                std::to_string(page) + " bytes");
  if (virtual_base + (bytes - 1) < virtual_base || physical_base + (bytes - 1) < physical_base)
    throw std::invalid_argument(range + " wraps around the end of the address space");

  const auto after = std::upper_bound(extents_.begin(), extents_.end(), virtual_base,
                                      [](std::uint64_t a, const Extent& e) { return a < e.virtual_base; });
  const auto refuse = [&](const Extent& e) {
    throw std::invalid_argument(range + " overlaps " + hex_range(e.virtual_base, e.bytes) + ", mapped before");
  };
  if (after != extents_.end() && after->virtual_base - virtual_base < bytes) refuse(*after);
  if (after != extents_.begin())
    if (const Extent& before = *(after - 1); virtual_base - before.virtual_base < before.bytes) refuse(before);
  extents_.insert(after, {virtual_base, physical_base, bytes, page});
  index_physical();
}

bool PageTable::unmap(std::uint64_t virtual_base) {
  const auto found =
      std::find_if(extents_.begin(), extents_.end(), [&](const Extent& e) { return e.virtual_base == virtual_base; });
  if (found == extents_.end()) return false;
  extents_.erase(found);
  index_physical();
  return true;
}

void PageTable::clear() {
  extents_.clear();
  by_physical_.clear();
}

std::optional<Page> PageTable::find(std::uint64_t virtual_address) const {
  const auto after = std::upper_bound(extents_.begin(), extents_.end(), virtual_address,
                                      [](std::uint64_t a, const Extent& e) { return a < e.virtual_base; });
  if (after == extents_.begin()) return std::nullopt;
  const Extent& e = *(after - 1);
  if (virtual_address - e.virtual_base >= e.bytes) return std::nullopt;
  const std::uint64_t base = virtual_address & ~(e.page_bytes - 1);
  return Page{base, base - e.virtual_base + e.physical_base, e.page_bytes};
}

std::optional<std::uint64_t> PageTable::translate(std::uint64_t virtual_address) const {
  const std::optional<Page> page = find(virtual_address);
  if (!page) return std::nullopt;
  return page->translate(virtual_address);
}

void PageTable::index_physical() {
  by_physical_.clear();
  for (std::size_t i = 0; i < extents_.size(); ++i) by_physical_.push_back({i, 0});
  std::sort(by_physical_.begin(), by_physical_.end(), [this](const Reverse& a, const Reverse& b) {
    return extents_[a.extent].physical_base < extents_[b.extent].physical_base;
  });
  std::uint64_t last = 0;
  for (Reverse& r : by_physical_) {
    const Extent& e = extents_[r.extent];
    r.last_up_to_here = last = std::max(last, e.physical_base + (e.bytes - 1));
  }
}

}  // namespace gputlm
