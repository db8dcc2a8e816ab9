// SPDX-License-Identifier: Apache-2.0
//
// What the card's DRAM holds, by physical address, in pages of 64 KiB that come into being when first written. Lines
// never written are supplied by an image function, so that an untouched input costs no memory. One object per card; it
// knows no time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "gputlm/tlm/byte_mask.h"
#include "gputlm/tlm/host_memory.h"

namespace gputlm {

class SparseMemory {
 public:
  /// Fills in the 128 bytes of a line that nobody has written yet.
  using Image = std::function<void(std::uint64_t line_address, unsigned char* data)>;

  explicit SparseMemory(std::uint64_t capacity);

  /// Power-on contents; zeros without one. Lines written already keep what was written.
  void set_image(Image image) { image_ = std::move(image); }

  std::uint64_t capacity() const { return capacity_; }
  bool contains(std::uint64_t address) const { return address < capacity_; }

  /// Copies a line out. `line` is 128-byte aligned and inside the capacity, here and below.
  void read(std::uint64_t line, unsigned char* data) const;
  /// Changes the bytes of `mask`.
  void write(std::uint64_t line, const unsigned char* data, ByteMask mask);

  /// Visits (line address, its 128 bytes) of every line that was written, lowest first.
  template <class Visit>
  void for_each_written(Visit visit) const {
    for (std::size_t d = 0; d < directories_.size(); ++d) {
      if (!directories_[d]) continue;
      for (std::size_t p = 0; p < directories_[d]->size(); ++p) {
        const Page& page = (*directories_[d])[p];
        const std::uint64_t base = (std::uint64_t{d} << kDirectoryShift) + (std::uint64_t{p} << kPageShift);
        for (std::uint64_t line = base; page.data != nullptr && line < base + (1U << kPageShift); line += kLineBytes)
          if (page.holds(line)) visit(line, page.at(line));
      }
    }
  }

  /// Back to the image everywhere.
  void clear();
  /// Host memory that holds written pages, in bytes.
  std::uint64_t resident_bytes() const { return pages_ << kPageShift; }

 private:
  static constexpr unsigned kPageShift = 16, kDirectoryShift = 25;
  static constexpr unsigned kLinesPerPage = (1U << kPageShift) / kLineBytes;

  struct Page {
    unsigned char* data = nullptr;                            // null: nothing written
    std::array<std::uint64_t, kLinesPerPage / 64> written{};  // lines that no longer come from the image

    bool holds(std::uint64_t line) const { return (written[index(line) / 64] >> (index(line) % 64) & 1U) != 0; }
    unsigned char* at(std::uint64_t line) const { return data + index(line) * kLineBytes; }
    static std::uint64_t index(std::uint64_t line) { return line / kLineBytes % kLinesPerPage; }
  };
  using Directory = std::array<Page, 1U << (kDirectoryShift - kPageShift)>;

  const Page* find(std::uint64_t line) const;
  Page& page_for(std::uint64_t line);
  void supply(std::uint64_t line, unsigned char* data) const;

  std::uint64_t capacity_;
  Image image_;
  std::vector<std::unique_ptr<Directory>> directories_;
  BlockArena pages_data_{1U << kPageShift};
  std::uint64_t pages_ = 0;
};

}  // namespace gputlm
