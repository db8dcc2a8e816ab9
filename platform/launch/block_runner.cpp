// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launch/block_runner.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "gputlm/host/carve_out.h"

namespace gputlm {
namespace {

/// Where sm_89 code finds its initial stack pointer: the bytes of a thread's local memory.
constexpr std::uint64_t kStackPointer = 0x28;

Dimensions dimensions(const std::array<std::uint32_t, 3>& d) {
  return {d[0], d[1], d[2]};
}

}  // namespace

BlockRunner::BlockRunner(Gpu& gpu, WorkDistributor& distributor, const CodeStore& codes)
    : gpu_(gpu), distributor_(distributor), codes_(codes), sms_(gpu.sms.size()) {}

void BlockRunner::start_block(unsigned sm, const BlockStart& block) {
  Running& r = running(block);
  ++r.on_sms;
  if (!r.refusal.empty()) {  // the launch ends with its first block
    distributor_.fault(block.launch, ChannelErrorKind::mmu_fault, r.refusal);
    return on_cta_retired(sm, block.launch, static_cast<std::uint32_t>(block.number));
  }
  SmState& state = sms_[sm];
  if (state.last_launch != block.launch) gpu_.sms[sm]->l1.invalidate_all();
  state.last_launch = block.launch;
  carve(sm, *block.shape);
  CtaLaunch launch;
  launch.kernel = block.launch;
  launch.cta = static_cast<std::uint32_t>(block.number);
  const auto cta = std::make_shared<CtaState>(r.context.launch, launch.cta, sm);
  for (unsigned w = 0; w < r.context.launch.warps_per_cta(); ++w)
    launch.warps.push_back(std::make_unique<SassProgram>(r.context, cta, launch.cta, w));
  gpu_.sms[sm]->scheduler.launch(std::move(launch));
}

BlockRunner::Running& BlockRunner::running(const BlockStart& block) {
  const auto found = running_.find(block.launch);
  if (found != running_.end()) return *found->second;
  forget_ended();
  auto& r = running_[block.launch] = std::make_unique<Running>();
  prepare(*r, block.launch, *block.shape);
  if (observer != nullptr) observer->on_first_block(*block.shape);
  return *r;
}

void BlockRunner::prepare(Running& r, std::uint32_t launch, const LaunchShape& shape) {
  r.context.code = codes_.find(shape.program);
  if (r.context.code == nullptr) {
    r.refusal = fmt::format("no code begins at {:#x}, the QMD's PROGRAM_ADDRESS", shape.program);
    return;
  }
  r.context.on_fault = [this, launch](const SassFault& fault) {
    distributor_.fault(launch, ChannelErrorKind::graphics_exception, fault.text());
  };
  SassLaunch& l = r.context.launch;
  l.spec = gpu_.config().sass;
  l.grid = dimensions(shape.grid);
  l.block = dimensions(shape.block);
  l.shared_bytes = shape.shared_bytes;
  read_banks(r, shape);
  l.local_bytes = l.constant(0, kStackPointer);
}

void BlockRunner::read_banks(Running& r, const LaunchShape& shape) const {
  for (std::size_t i = 0; i < shape.constants.size(); ++i) {
    const LaunchShape::ConstantBuffer& buffer = shape.constants[i];
    if (!buffer.valid) continue;
    std::vector<unsigned char>& bank = r.context.launch.banks[i];
    bank.resize(buffer.bytes);
    if (!read(buffer.address, bank.data(), bank.size()))
      r.refusal = fmt::format("constant buffer {} at {:#x} is not mapped", i, buffer.address);
  }
}

// What memory holds now, L2 over DRAM; takes no time.
bool BlockRunner::read(std::uint64_t address, unsigned char* to, std::uint64_t bytes) const {
  std::array<unsigned char, kLineBytes> line{};
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t at = address + done, offset = at & kLineOffsetMask;
    const std::optional<std::uint64_t> physical = gpu_.pages.translate(line_of(at));
    if (!physical || !gpu_.mem.debug_read(*physical, line.data())) return false;
    const std::uint64_t n = std::min<std::uint64_t>(bytes - done, kLineBytes - offset);
    std::memcpy(to + done, line.data() + offset, n);
    done += n;
  }
  return true;
}

// An SM with blocks on it can only give up more of its L1; an empty one is divided anew.
void BlockRunner::carve(unsigned sm, const LaunchShape& shape) {
  const HostSpec& host = gpu_.config().host;
  const L1Spec& l1 = gpu_.config().l1;
  std::uint64_t needed = 0;
  if (shape.shared_bytes > 0)
    needed = std::uint64_t{blocks_per_sm(shape, host.distributor)} * BlockNeeds(shape, host.distributor).shared_bytes;
  unsigned bytes = carve_out(host.distributor, needed);
  SmState& state = sms_[sm];
  if (gpu_.sms[sm]->scheduler.ctas_resident() > 0) bytes = std::max(bytes, state.carve_out);
  if (bytes == state.carve_out) return;
  state.carve_out = bytes;
  gpu_.sms[sm]->l1.set_ways(l1_ways_left(bytes, l1.ways * l1.sets * kLineBytes, l1.ways));
}

// A block has ended when L2 has what a write-back L1 kept of it.
void BlockRunner::on_cta_retired(unsigned sm, std::uint32_t kernel, std::uint32_t) {
  --running_.at(kernel)->on_sms;
  L1Cache& l1 = gpu_.sms[sm]->l1;
  if (l1.clean())
    retire(sm, kernel);
  else
    l1.flush([this, sm, kernel] { retire(sm, kernel); });
}

void BlockRunner::retire(unsigned sm, std::uint32_t kernel) {
  if (const auto failed = gpu_.sms[sm]->l1.take_failed_write())
    distributor_.fault(
        kernel, ChannelErrorKind::mmu_fault,
        fmt::format("SM {}: line {:#x}, written back, {}", sm, failed->line,
                    failed->status == tlm::TLM_ADDRESS_ERROR_RESPONSE ? "is not mapped" : "was refused"));
  distributor_.retire(sm, kernel);
}

void BlockRunner::on_fault(unsigned sm, const Payload& access, std::uint64_t address, tlm::tlm_response_status status) {
  const Origin& origin = find_sideband(access)->origin;
  distributor_.fault(
      origin.kernel, ChannelErrorKind::mmu_fault,
      fmt::format("SM {} warp {} instruction {} of block {}: address {:#x} {}", sm, origin.warp, origin.instruction,
                  origin.cta, address, status == tlm::TLM_ADDRESS_ERROR_RESPONSE ? "is not mapped" : "was refused"));
}

// Their warps' programs refer to a launch's context, so it goes with the next one's beginning.
void BlockRunner::forget_ended() {
  for (auto it = running_.begin(); it != running_.end();)
    it = it->second->on_sms == 0 && !distributor_.has_launch(it->first) ? running_.erase(it) : std::next(it);
}

void BlockRunner::reset() {
  running_.clear();
  sms_.assign(sms_.size(), {});
}

}  // namespace gputlm
