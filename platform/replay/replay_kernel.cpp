// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/replay_kernel.h"

#include <stdexcept>
#include <utility>

#include "gputlm/workload/pattern_data.h"

namespace gputlm {

ReplayKernel::ReplayKernel(KernelShape shape, const ReplayedKernel& traced, bool lenient, const SassSpec& instructions,
                           unsigned scoreboards, std::uint64_t seed, ReplayState& state,
                           std::vector<ExpectedRange> written)
    : Kernel(std::move(shape)),
      traced_(traced),
      state_(state),
      context_{&traced.header, &instructions, scoreboards,    0, traced.form == ReplayedKernel::Form::text,
               seed,           &counters,     &state.counters},
      written_(std::move(written)),
      lenient_(lenient) {
  constexpr unsigned kGroupScoreboards = 2, kFew = 4;  // a warp with few scoreboards needs them for registers
  if (!traced.async_copies || scoreboards <= kFew) return;
  context_.group_scoreboards = kGroupScoreboards;
  context_.scoreboards -= kGroupScoreboards;
}

// What was right when the trace was first read may have been changed since then, and the disk may be full.
void ReplayKernel::read_block() {
  if (state_.failure) return make_blank();
  try {
    if (!source_) source_ = open_source(traced_, lenient_, state_.chunks, state_.opcodes);
    block_ = source_->next_block();
  } catch (const ConfigError& e) {
    state_.failure = e;
  } catch (const std::runtime_error& e) {  // the temporary file
    Diagnostics d;
    d.add({traced_.file}, {}, e.what());
    state_.failure = ConfigError(d);
  }
  if (state_.failure) make_blank();
}

void ReplayKernel::make_blank() {
  block_.clear();
  for (unsigned w = 0; w < shape().warps_per_cta(); ++w) block_.emplace_back(state_.chunks, state_.opcodes);
}

std::unique_ptr<WarpProgram> ReplayKernel::make_program(std::uint32_t cta, unsigned warp) {
  if (warp == 0) read_block();
  auto program =
      std::make_unique<ReplayProgram>(context_, std::move(block_[warp]), mix64(cta, mix64(warp, context_.seed)));
  if (cta + 1 == shape().grid && warp + 1 == shape().warps_per_cta()) source_.reset();
  return program;
}

}  // namespace gputlm
