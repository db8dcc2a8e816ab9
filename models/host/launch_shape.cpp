// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/launch_shape.h"

#include "gputlm/host/occupancy.h"
#include "gputlm/hostformats/format_error.h"
#include "gputlm/tlm/sideband.h"

namespace gputlm {
namespace {

std::uint32_t ranged(const Qmd& qmd, QmdField field, std::uint64_t first, std::uint64_t last) {
  const std::uint32_t value = qmd.get(field);
  check_range("QMD: " + info_of(field).name, value, first, last);
  return value;
}

void read_constants(const Qmd& qmd, LaunchShape& shape) {
  constexpr unsigned kSizeShift = 4;
  for (unsigned i = 0; i < Qmd::kConstantBuffers; ++i) {
    LaunchShape::ConstantBuffer& buffer = shape.constants[i];
    buffer.valid = qmd.get(QmdField::constant_buffer_valid, i) != 0;
    buffer.address = qmd.get_wide(QmdField::constant_buffer_addr_lower, QmdField::constant_buffer_addr_upper, i);
    buffer.bytes = qmd.get(QmdField::constant_buffer_size_shifted4, i) << kSizeShift;
  }
}

void read_completion(const Qmd& qmd, LaunchShape& shape) {
  shape.membar = decode_cwd_membar(qmd.get(QmdField::cwd_membar_type));
  shape.release_membar = qmd.get(QmdField::release_membar_type) != 0;
  shape.semaphore = qmd.get_wide(QmdField::release0_address_lower, QmdField::release0_address_upper);
  shape.payload = qmd.get(QmdField::release0_payload);
  shape.semaphore_words = qmd.get(QmdField::release0_structure_size) != 0 ? 1 : 4;
  const unsigned bytes = 4 * shape.semaphore_words;
  if (shape.semaphore % bytes != 0)
    throw FormatError("QMD: RELEASE0_ADDRESS", hex_word(shape.semaphore), "a multiple of " + std::to_string(bytes));
}

}  // namespace

std::uint32_t LaunchShape::warps() const {
  return (threads() + kLanes - 1) / kLanes;
}

std::array<std::uint32_t, 3> LaunchShape::block_at(std::uint64_t number) const {
  return {static_cast<std::uint32_t>(number % grid[0]), static_cast<std::uint32_t>(number / grid[0] % grid[1]),
          static_cast<std::uint32_t>(number / grid[0] / grid[1])};
}

LaunchShape decode_launch(const Qmd& qmd, const WorkDistributorSpec& sm) {
  using F = QmdField;
  qmd.check_version();
  LaunchShape shape;
  shape.grid = {ranged(qmd, F::cta_raster_width, 1, 0x7fffffff), ranged(qmd, F::cta_raster_height, 1, 0xffff),
                ranged(qmd, F::cta_raster_depth, 1, 0xffff)};
  const std::uint64_t most = sm.max_threads_per_block;
  shape.block = {ranged(qmd, F::cta_thread_dimension0, 1, most), ranged(qmd, F::cta_thread_dimension1, 1, most),
                 ranged(qmd, F::cta_thread_dimension2, 1, most)};
  check_range("QMD: threads of a block", std::uint64_t{shape.block[0]} * shape.block[1] * shape.block[2], 1, most);
  shape.registers = ranged(qmd, F::register_count_v, 1, sm.max_registers_per_thread);
  shape.shared_bytes = ranged(qmd, F::shared_memory_size, 0, sm.max_shared_per_block);
  shape.barriers = ranged(qmd, F::barrier_count, 0, sm.max_barriers);
  shape.program = qmd.get_wide(F::program_address_lower, F::program_address_upper);
  read_constants(qmd, shape);
  read_completion(qmd, shape);
  const BlockNeeds needs(shape, sm);
  check_range("QMD: registers of a block", needs.registers, 1, sm.registers);
  check_range("QMD: warps of a block", needs.warps, 1, sm.sub_partitions * sm.warps_per_sub_partition);
  check_range("QMD: threads of a block, in whole warps", needs.threads, 1, sm.max_threads);
  check_range("QMD: shared memory of a block, with the system's share", needs.shared_bytes, 0, sm.shared_bytes);
  return shape;
}

}  // namespace gputlm
