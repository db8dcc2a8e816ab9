// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gputlm {

/// Pieces of decoded traces that wait for their warps: in memory up to a bound, beyond it in a temporary file that has
/// no name and goes with the process. A thread block is read as a whole when it starts, however long it runs.
class ChunkStore {
 public:
  using Chunk = std::vector<unsigned char>;
  using Id = std::uint32_t;
  static constexpr std::size_t kChunkBytes = 4096;  ///< At most.

  explicit ChunkStore(std::uint64_t memory_bytes) : limit_(memory_bytes) {}
  ~ChunkStore();
  ChunkStore(const ChunkStore&) = delete;
  ChunkStore& operator=(const ChunkStore&) = delete;

  /// Throws std::runtime_error when the temporary file cannot take it.
  Id put(Chunk chunk);
  /// Gives back what was put, once.
  Chunk take(Id id);
  void drop(Id id);

  std::uint64_t memory_peak() const { return peak_; }
  std::uint64_t file_bytes() const { return std::uint64_t{slots_} * kChunkBytes; }  ///< Largest so far.

 private:
  static constexpr std::uint32_t kInMemory = ~std::uint32_t{0};
  struct Place {
    std::uint32_t slot = kInMemory;  ///< Of the file.
    std::uint32_t bytes = 0;
    Chunk chunk;
  };

  void write(Place& place, const Chunk& chunk);
  void open_file();

  const std::uint64_t limit_;
  std::uint64_t used_ = 0, peak_ = 0;
  std::vector<Place> places_;
  std::vector<Id> free_places_;
  std::vector<std::uint32_t> free_slots_;
  std::uint32_t slots_ = 0;
  int file_ = -1;
};

}  // namespace gputlm
