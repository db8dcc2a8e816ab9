// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/replay_kernel.h"

#include <utility>

#include "gputlm/workload/pattern_data.h"

namespace gputlm {
namespace {

/// Puts a block's instructions on its warps' tapes.
class Tapes final : public TracegSink {
 public:
  explicit Tapes(std::vector<WarpTape>& warps) : warps_(warps) {}
  void on_warp(unsigned warp) override { warp_ = warp; }
  void on_instruction(const TracegInstruction& instruction) override { warps_[warp_].write(instruction); }

 private:
  std::vector<WarpTape>& warps_;
  unsigned warp_ = 0;
};

}  // namespace

ReplayKernel::ReplayKernel(KernelShape shape, const ReplayedKernel& traced, bool lenient, const SassSpec& instructions,
                           unsigned scoreboards, std::uint64_t seed, ReplayState& state,
                           std::vector<ExpectedRange> written)
    : Kernel(std::move(shape)),
      traced_(traced),
      state_(state),
      context_{&traced.header, &instructions, scoreboards, 0, seed, &counters, &state.counters},
      written_(std::move(written)),
      damage_(lenient) {
  constexpr unsigned kGroupScoreboards = 2, kFew = 4;  // a warp with few scoreboards needs them for registers
  if (!traced.async_copies || scoreboards <= kFew) return;
  context_.group_scoreboards = kGroupScoreboards;
  context_.scoreboards -= kGroupScoreboards;
}

// What was right when the trace was first read may have been changed since then.
void ReplayKernel::read_block() {
  block_.clear();
  for (unsigned w = 0; w < shape().warps_per_cta(); ++w) block_.emplace_back(state_.chunks, state_.opcodes);
  if (state_.failure) return;
  try {
    if (!reader_) reader_ = std::make_unique<TracegReader>(open_trace_lines(traced_.file), state_.opcodes, damage_);
    Tapes tapes(block_);
    reader_->read_block(tapes);
    damage_.throw_if_strict();
  } catch (const ConfigError& e) {
    state_.failure = e;
    for (WarpTape& tape : block_) tape.close();
    return;
  }
  for (WarpTape& tape : block_) tape.close();
}

std::unique_ptr<WarpProgram> ReplayKernel::make_program(std::uint32_t cta, unsigned warp) {
  if (warp == 0) read_block();
  auto program =
      std::make_unique<ReplayProgram>(context_, std::move(block_[warp]), mix64(cta, mix64(warp, context_.seed)));
  if (cta + 1 == shape().grid && warp + 1 == shape().warps_per_cta()) reader_.reset();
  return program;
}

}  // namespace gputlm
