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
  return directory == nullptr ? nullptr : &(*directory)[(line & below(kDirectoryShift)) >> kPageShift];
}

SparseMemory::Page& SparseMemory::page_for(std::uint64_t line) {
  std::unique_ptr<Directory>& directory = directories_[line >> kDirectoryShift];
  if (!directory) directory = std::make_unique<Directory>();
  Page& page = (*directory)[(line & below(kDirectoryShift)) >> kPageShift];
  if (page.data == nullptr) {
    page.data = static_cast<unsigned char*>(pages_data_.take());
    ++pages_;
  }
  return page;
}

void SparseMemory::supply(std::uint64_t line, unsigned char* data) const {
  if (image_)
    image_(line, data);
  else
    std::memset(data, 0, kLineBytes);
}

void SparseMemory::read(std::uint64_t line, unsigned char* data) const {
  const Page* page = find(line);
  if (page != nullptr && page->holds(line))
    std::memcpy(data, page->at(line), kLineBytes);
  else
    supply(line, data);
}

void SparseMemory::write(std::uint64_t line, const unsigned char* data, ByteMask mask) {
  if (mask.empty()) return;
  Page& page = page_for(line);
  if (!page.holds(line)) {
    if (!mask.is_full()) supply(line, page.at(line));
    page.written[Page::index(line) / 64] |= 1ULL << (Page::index(line) % 64);
  }
  copy_masked(page.at(line), data, mask);
}

void SparseMemory::clear() {
  for (auto& directory : directories_) directory.reset();
  pages_data_.clear();
  pages_ = 0;
}

}  // namespace gputlm
