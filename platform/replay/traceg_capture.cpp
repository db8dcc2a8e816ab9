// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/traceg_capture.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "gputlm/replay/traceg_writer.h"
#include "gputlm/trace/staged_file.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kStoreBytes = std::uint64_t{256} << 20;

}  // namespace

struct TracegCapture::Block {
  unsigned sm = 0;
  std::vector<unsigned> slots;  ///< Of its warps.
  std::vector<WarpRecording> warps;

  bool complete() const {
    return std::all_of(warps.begin(), warps.end(), [](const WarpRecording& w) { return w.complete(); });
  }
  WarpRecording* warp_in(unsigned slot) {
    const auto found = std::find(slots.begin(), slots.end(), slot);
    return found == slots.end() ? nullptr : &warps[static_cast<std::size_t>(found - slots.begin())];
  }
};

struct TracegCapture::KernelFile {
  explicit KernelFile(const std::string& file) : text(file) {}

  StagedText text;
  std::uint32_t blocks = 0;  ///< Written.
};

TracegCapture::TracegCapture(JudgedGpu& machine, CaptureTarget target, std::vector<TracegHeader> kernels,
                             std::vector<ReplayCopy> copies)
    : machine_(machine),
      target_(std::move(target)),
      kernels_(std::move(kernels)),
      made_(target_.open(kernels_.size())),
      copies_(std::move(copies)),
      store_(kStoreBytes),
      blocks_(kernels_.size()),
      files_(kernels_.size()) {
  machine.warp_observers.add(*this);
}

TracegCapture::~TracegCapture() = default;

// The model calls from its processes, which take no exception. What was begun makes room for what else the run writes.
template <class Work>
void TracegCapture::attempt(Work&& work) {
  if (failure_) return;
  try {
    std::forward<Work>(work)();
  } catch (...) {
    failure_ = std::current_exception();
    files_.clear();
    blocks_.clear();
  }
}

// A block is met when its first warp issues: all its warps have their slots, in order, and none has ended yet.
TracegCapture::Block& TracegCapture::block_of(unsigned sm, std::uint32_t kernel, std::uint32_t cta) {
  std::unique_ptr<Block>& block = blocks_[kernel][cta];
  if (block) return *block;
  block = std::make_unique<Block>();
  block->sm = sm;
  const Config& config = machine_.gpu.config();
  const unsigned all = config.warp.sub_partitions * config.warp.warps_per_sub_partition;
  const auto threads = static_cast<unsigned>(kernels_[kernel].block.count());
  for (unsigned slot = 0; slot < all; ++slot) {
    const auto view = machine_.gpu.sms[sm]->scheduler.view(slot);
    if (!view || view->kernel != kernel || view->cta != cta) continue;
    const unsigned first = static_cast<unsigned>(block->warps.size()) * kWarpLanes;
    const unsigned lanes = std::min(threads - std::min(threads, first), kWarpLanes);
    const std::uint32_t mask = lanes == 0 ? kAllLaneBits : kAllLaneBits >> (kWarpLanes - lanes);
    block->slots.push_back(slot);
    block->warps.emplace_back(store_, opcodes_, mask, config.warp.clock_hz);
  }
  return *block;
}

void TracegCapture::on_issue(unsigned sm, unsigned warp, std::uint32_t index, const WarpInstruction& instruction) {
  const auto view = machine_.gpu.sms[sm]->scheduler.view(warp);
  if (!view || view->kernel >= kernels_.size()) return;
  const std::uint32_t kernel = view->kernel;
  attempt([&] {
    Block& block = block_of(sm, kernel, view->cta);
    block.warp_in(warp)->issue(index, instruction);
    if (instruction.kind == WarpInstruction::Kind::exit) write_complete(kernel);
  });
}

void TracegCapture::on_access_done(unsigned, const Payload& access) {
  const Sideband& s = *find_sideband(access);
  if (s.operation == Operation::fence || s.origin.kernel >= kernels_.size()) return;
  attempt([&] {
    const auto found = blocks_[s.origin.kernel].find(s.origin.cta);
    if (found == blocks_[s.origin.kernel].end()) return;
    WarpRecording* const warp = found->second->warp_in(s.origin.warp);
    if (warp == nullptr) return;
    warp->answer(s.origin.instruction, access);
    if (warp->complete()) write_complete(s.origin.kernel);
  });
}

// Those whose predecessors are all written.
void TracegCapture::write_complete(std::uint32_t kernel) {
  auto& waiting = blocks_[kernel];
  if (!files_[kernel]) {
    files_[kernel] = std::make_unique<KernelFile>(target_.kernel_file(kernel));
    files_[kernel]->text.write(traceg_header_text(kernels_[kernel]));
  }
  KernelFile& file = *files_[kernel];
  while (!waiting.empty() && waiting.begin()->first == file.blocks && waiting.begin()->second->complete()) {
    write_block(kernel, waiting.begin()->first, *waiting.begin()->second);
    waiting.erase(waiting.begin());
    if (++file.blocks == kernels_[kernel].grid.count()) file.text.close();
  }
}

void TracegCapture::write_block(std::uint32_t kernel, std::uint32_t cta, Block& block) {
  KernelFile& file = *files_[kernel];
  const Dimensions& grid = kernels_[kernel].grid;
  file.text.write(fmt::format("\n#BEGIN_TB\n\nthread block = {},{},{}\n", cta % grid.x, cta / grid.x % grid.y,
                              cta / grid.x / grid.y));
  for (std::size_t w = 0; w < block.warps.size(); ++w) {
    WarpRecording& warp = block.warps[w];
    file.text.write(fmt::format("\nwarp = {}\ninsts = {}\n", w, warp.instructions()));
    warp.tape().close();
    for (TracegInstruction i; warp.tape().read(i);) file.text.write(traceg_line(i));
  }
  file.text.write("\n#END_TB\n");
}

void TracegCapture::finish() {
  if (failure_) std::rethrow_exception(failure_);
  for (std::size_t k = 0; k < kernels_.size(); ++k)
    if (!files_[k] || files_[k]->blocks != kernels_[k].grid.count())
      throw std::runtime_error("the trace in " + target_.path() + " is not written: the run did not end every block");
  if (target_.single()) return files_.front()->text.keep();
  StagedText list(target_.list_file());
  for (const ReplayCopy& copy : copies_) list.write(fmt::format("MemcpyHtoD,{:#x},{}\n", copy.address, copy.bytes));
  for (std::size_t k = 0; k < kernels_.size(); ++k)
    list.write(std::filesystem::path(target_.kernel_file(k)).filename().string() + "\n");
  list.close();  // all is written before anything takes its place
  for (const auto& file : files_) file->text.keep();
  list.keep();
}

}  // namespace gputlm
