// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/traceg_writer.h"

#include <algorithm>

#include <fmt/format.h>

#include "gputlm/version.h"

namespace gputlm {
namespace {

/// Mode 1 where lanes next to each other have one stride, else mode 2; the mask is not empty.
std::string addresses(const TracegInstruction& i) {
  const unsigned first = lowest_lane(i.mask);
  const std::uint32_t run = i.mask >> first;
  const std::uint64_t stride = i.address[(first + 1) % kWarpLanes] - i.address[first];
  bool strided = run != 1 && (run & (run + 1)) == 0;
  std::string deltas;
  std::uint64_t last = i.address[first];
  for_each_lane_of(i.mask & (i.mask - 1), [&](unsigned lane) {
    const std::uint64_t delta = i.address[lane] - last;
    strided = strided && delta == stride;
    deltas += fmt::format(" {}", static_cast<std::int64_t>(delta));
    last = i.address[lane];
  });
  if (strided) return fmt::format("1 {:#x} {}", i.address[first], static_cast<std::int64_t>(stride));
  return fmt::format("2 {:#x}{}", i.address[first], deltas);
}

}  // namespace

std::string traceg_header_text(const TracegHeader& h) {
  return fmt::format(
      "-kernel name = {}\n-kernel id = {}\n-grid dim = ({},{},{})\n-block dim = ({},{},{})\n-shmem = {}\n-nregs = {}\n"
      "-binary version = {}\n-cuda stream id = {}\n-shmem base_addr = {:#018x}\n-local mem base_addr = {:#018x}\n"
      "-nvbit version = none, gputlm {}\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
      "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] "
      "[mem_addresses] immediate\n",
      h.kernel, h.id, h.grid.x, h.grid.y, h.grid.z, h.block.x, h.block.y, h.block.z, h.shared_bytes, h.registers,
      h.binary_version, h.stream, h.shared_base, h.local_base, GPUTLM_VERSION_STRING);
}

std::string traceg_line(const TracegInstruction& i) {
  const bool result = i.destination != TracegInstruction::kNoRegister;
  std::string line = fmt::format("{:04x} {:08x} {}", i.pc, i.mask, result ? fmt::format("1 R{}", i.destination) : "0");
  const auto* const end = std::find(i.sources.begin(), i.sources.end(), TracegInstruction::kNoRegister);
  line += fmt::format(" {} {}", i.opcode->text, end - i.sources.begin());
  for (const auto* source = i.sources.begin(); source != end; ++source) line += fmt::format(" R{}", *source);
  // An access of no lane has no address to write.
  const bool accesses = i.addressed && i.mask != 0;
  return line + (accesses ? fmt::format(" {} {}", i.opcode->bytes, addresses(i)) : " 0") +
         fmt::format(" {}\n", i.immediate);
}

}  // namespace gputlm
