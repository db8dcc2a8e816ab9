// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/sparse_memory.h"

#include <cstring>

namespace gputlm {
namespace {

constexpr std::uint64_t below(unsigned bits) {
  return (1ULL << bits) - 1;
}

}  // namespace

SparseMemory::SparseMemory(std::uint64_t capacity)
    : capacity_(capacity), directories_((capacity + below(kDirectoryShift)) >> kDirectoryShift) {}

const SparseMemory::Page* SparseMemory::find(std::uint64_t line) const {
  const Directory* directory = directories_[line >> kDirectoryShift].get();
  return directory == nullptr ? nullptr : (*directory)[(line & below(kDirectoryShift)) >> kPageShift].get();
}

SparseMemory::Page& SparseMemory::page_for(std::uint64_t line) {
  std::unique_ptr<Directory>& directory = directories_[line >> kDirectoryShift];
  if (!directory) directory = std::make_unique<Directory>();
  std::unique_ptr<Page>& page = (*directory)[(line & below(kDirectoryShift)) >> kPageShift];
  if (!page) {
    // Not value-initialised, as make_unique would: a line's data counts only once it is marked written.
    page.reset(new Page);  // NOLINT(modernize-make-unique)
    ++pages_;
  }
  return *page;
}

void SparseMemory::supply(std::uint64_t line, unsigned char* data) const {
  if (image_)
    image_(line, data);
  else
    std::memset(data, 0, kLineBytes);
}

void SparseMemory::read(std::uint64_t line, unsigned char* data) const {
  const Page* page = find(line);
  const std::uint64_t offset = line & below(kPageShift), index = offset / kLineBytes;
  if (page != nullptr && (page->written[index / 64] >> (index % 64) & 1U) != 0)
    std::memcpy(data, &page->data[offset], kLineBytes);
  else
    supply(line, data);
}

void SparseMemory::write(std::uint64_t line, const unsigned char* data, ByteMask mask) {
  if (mask.empty()) return;
  Page& page = page_for(line);
  const std::uint64_t offset = line & below(kPageShift), index = offset / kLineBytes;
  std::uint64_t& written = page.written[index / 64];
  const std::uint64_t bit = 1ULL << (index % 64);
  if ((written & bit) == 0 && !mask.is_full()) supply(line, &page.data[offset]);
  written |= bit;
  copy_masked(&page.data[offset], data, mask);
}

void SparseMemory::clear() {
  for (auto& directory : directories_) directory.reset();
  pages_ = 0;
}

}  // namespace gputlm
