// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/host/work_distributor_spec.h"
#include "gputlm/hostformats/qmd.h"

namespace gputlm::test {

/// An SM of compute capability 8.9 (CUDA programming guide, technical specifications per compute capability;
/// carve-outs: Ada tuning guide).
inline WorkDistributorSpec sm_8_9(unsigned sms = 1) {
  WorkDistributorSpec s;
  s.sms = sms;
  s.sub_partitions = 4;
  s.warps_per_sub_partition = 12;
  s.max_threads = 1536;
  s.max_blocks = 24;
  s.max_threads_per_block = 1024;
  s.registers = 65536;
  s.register_unit = 256;
  s.max_registers_per_thread = 255;
  s.shared_bytes = 100 << 10;
  s.carve_outs = {0, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 100 << 10};
  s.max_shared_per_block = 99 << 10;
  s.shared_reserved = 1 << 10;
  s.shared_unit = 128;
  s.max_barriers = 16;
  s.launch_latency = 100 * kFsPerNs;
  s.block_interval = 1 * kFsPerNs;
  return s;
}

inline Qmd launch_of(unsigned blocks, unsigned threads, unsigned registers = 16, unsigned shared = 0) {
  Qmd q;
  q.set(QmdField::cta_raster_width, blocks);
  q.set(QmdField::cta_raster_height, 1);
  q.set(QmdField::cta_raster_depth, 1);
  q.set(QmdField::cta_thread_dimension0, threads);
  q.set(QmdField::cta_thread_dimension1, 1);
  q.set(QmdField::cta_thread_dimension2, 1);
  q.set(QmdField::register_count_v, registers);
  q.set(QmdField::shared_memory_size, shared);
  return q;
}

}  // namespace gputlm::test
