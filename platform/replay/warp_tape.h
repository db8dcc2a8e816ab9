// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "gputlm/replay/chunk_store.h"
#include "gputlm/replay/traceg_instruction.h"

namespace gputlm {

/// The instructions of one warp between the reader and the warp's program: written once, then read once, packed (an
/// access with a constant stride takes some 15 bytes). The store and the opcodes outlive it.
class WarpTape {
 public:
  WarpTape(ChunkStore& store, const TracegOpcodes& opcodes) : store_(&store), opcodes_(&opcodes) {}
  ~WarpTape();
  WarpTape(WarpTape&& other) noexcept = default;
  WarpTape(const WarpTape&) = delete;
  WarpTape& operator=(const WarpTape&) = delete;
  WarpTape& operator=(WarpTape&&) = delete;

  void write(const TracegInstruction& instruction);
  /// Ends the writing; before the first read().
  void close();
  /// False at the end.
  bool read(TracegInstruction& instruction);

 private:
  static constexpr std::size_t kLargestRecord = 400;

  void put(std::uint64_t value);
  void put_signed(std::uint64_t difference);
  std::uint64_t get();
  std::uint64_t get_signed();

  ChunkStore* store_;
  const TracegOpcodes* opcodes_;
  std::deque<ChunkStore::Id> chunks_;
  ChunkStore::Chunk open_;  ///< Being written, later being read.
  std::size_t at_ = 0;
  std::uint64_t last_pc_ = 0, last_address_ = 0;  ///< What is packed counts from there.
};

}  // namespace gputlm
