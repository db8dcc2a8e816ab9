// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/replay_source.h"

#include <map>
#include <utility>

#include "gputlm/replay/text_trace.h"

namespace gputlm {
namespace {

std::vector<WarpTape> blank_tapes(const ReplayedKernel& kernel, ChunkStore& store, const TracegOpcodes& opcodes) {
  std::vector<WarpTape> tapes;
  for (unsigned w = 0; w < kernel.header.warps_per_block(); ++w) tapes.emplace_back(store, opcodes);
  return tapes;
}

/// Puts a block's instructions on its warps' tapes.
class BlockSink final : public TracegSink {
 public:
  explicit BlockSink(std::vector<WarpTape>& warps) : warps_(warps) {}
  void on_warp(unsigned warp) override { warp_ = warp; }
  void on_instruction(const TracegInstruction& instruction) override { warps_[warp_].write(instruction); }

 private:
  std::vector<WarpTape>& warps_;
  unsigned warp_ = 0;
};

class TracegSource final : public ReplaySource {
 public:
  TracegSource(const ReplayedKernel& kernel, bool lenient, ChunkStore& store, TracegOpcodes& opcodes)
      : kernel_(kernel),
        store_(store),
        opcodes_(opcodes),
        damage_(lenient),
        reader_(open_trace_lines(kernel.file), opcodes, damage_) {}

  std::vector<WarpTape> next_block() override {
    std::vector<WarpTape> tapes = blank_tapes(kernel_, store_, opcodes_);
    BlockSink sink(tapes);
    reader_.read_block(sink);
    damage_.throw_if_strict();
    for (WarpTape& tape : tapes) tape.close();
    return tapes;
  }

 private:
  const ReplayedKernel& kernel_;
  ChunkStore& store_;
  const TracegOpcodes& opcodes_;
  Damage damage_;
  TracegReader reader_;
};

class TextSource final : public ReplaySource {
 public:
  TextSource(const ReplayedKernel& kernel, bool lenient, ChunkStore& store, TracegOpcodes& opcodes)
      : kernel_(kernel), store_(store), opcodes_(opcodes), damage_(lenient) {
    TextTraceReader reader(open_trace_lines(kernel.file), opcodes, damage_);
    for (TextAccess a; reader.next(a);)
      if (a.launch == kernel_.launch) put(a);
    damage_.throw_if_strict();
    for (std::vector<WarpTape>& block : blocks_)
      for (WarpTape& tape : block) tape.close();
  }

  // One that is not there was when the trace was first read.
  std::vector<WarpTape> next_block() override {
    if (next_ == blocks_.size()) return blank_tapes(kernel_, store_, opcodes_);
    return std::move(blocks_[next_++]);
  }

 private:
  void put(const TextAccess& a) {
    const auto [place, fresh] = numbers_.emplace(a.block, blocks_.size());
    if (fresh) blocks_.push_back(blank_tapes(kernel_, store_, opcodes_));
    std::vector<WarpTape>& block = blocks_[place->second];
    if (a.warp < block.size()) block[a.warp].write(a.instruction);
  }

  const ReplayedKernel& kernel_;
  ChunkStore& store_;
  const TracegOpcodes& opcodes_;
  Damage damage_;
  std::map<std::array<std::uint32_t, 3>, std::size_t> numbers_;  ///< In the order in which they are met.
  std::vector<std::vector<WarpTape>> blocks_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<ReplaySource> open_source(const ReplayedKernel& kernel, bool lenient, ChunkStore& store,
                                          TracegOpcodes& opcodes) {
  if (kernel.form == ReplayedKernel::Form::traceg)
    return std::make_unique<TracegSource>(kernel, lenient, store, opcodes);
  return std::make_unique<TextSource>(kernel, lenient, store, opcodes);
}

}  // namespace gputlm
