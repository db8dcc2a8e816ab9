// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostformats/qmd.h"

namespace gputlm {

const std::vector<QmdFieldInfo>& qmd_fields() {
  using F = QmdField;
  constexpr unsigned cb = Qmd::kConstantBuffers;
  static const std::vector<QmdFieldInfo> fields{
      {F::release_membar_type, "RELEASE_MEMBAR_TYPE", 366, 366, 1, 0, ""},
      {F::cwd_membar_type, "CWD_MEMBAR_TYPE", 369, 368, 1, 0, "barrier at the kernel's end"},
      {F::cta_raster_width, "CTA_RASTER_WIDTH", 415, 384, 1, 0, "blocks, x"},
      {F::cta_raster_height, "CTA_RASTER_HEIGHT", 431, 416, 1, 0, "blocks, y"},
      {F::cta_raster_depth, "CTA_RASTER_DEPTH", 463, 448, 1, 0, "blocks, z"},
      {F::shared_memory_size, "SHARED_MEMORY_SIZE", 561, 544, 1, 0, "bytes per block"},
      {F::qmd_version, "QMD_VERSION", 579, 576, 1, 0, ""},
      {F::qmd_major_version, "QMD_MAJOR_VERSION", 583, 580, 1, 0, ""},
      {F::cta_thread_dimension0, "CTA_THREAD_DIMENSION0", 607, 592, 1, 0, "threads, x"},
      {F::cta_thread_dimension1, "CTA_THREAD_DIMENSION1", 623, 608, 1, 0, "threads, y"},
      {F::cta_thread_dimension2, "CTA_THREAD_DIMENSION2", 639, 624, 1, 0, "threads, z"},
      {F::constant_buffer_valid, "CONSTANT_BUFFER_VALID", 640, 640, cb, 1, ""},
      {F::register_count_v, "REGISTER_COUNT_V", 656, 648, 1, 0, "registers per thread"},
      {F::release0_address_lower, "RELEASE0_ADDRESS_LOWER", 767, 736, 1, 0, "completion semaphore"},
      {F::release0_address_upper, "RELEASE0_ADDRESS_UPPER", 775, 768, 1, 0, ""},
      {F::release0_structure_size, "RELEASE0_STRUCTURE_SIZE", 799, 799, 1, 0, "0 four words, 1 one word"},
      {F::release0_payload, "RELEASE0_PAYLOAD", 831, 800, 1, 0, ""},
      {F::barrier_count, "BARRIER_COUNT", 959, 955, 1, 0, "block barriers"},
      {F::constant_buffer_addr_lower, "CONSTANT_BUFFER_ADDR_LOWER", 1055, 1024, cb, 64, ""},
      {F::constant_buffer_addr_upper, "CONSTANT_BUFFER_ADDR_UPPER", 1072, 1056, cb, 64, ""},
      {F::constant_buffer_size_shifted4, "CONSTANT_BUFFER_SIZE_SHIFTED4", 1087, 1075, cb, 64, "times 16 bytes"},
      {F::program_address_lower, "PROGRAM_ADDRESS_LOWER", 1567, 1536, 1, 0, "first instruction"},
      {F::program_address_upper, "PROGRAM_ADDRESS_UPPER", 1584, 1568, 1, 0, ""}};
  return fields;
}

const QmdFieldInfo& info_of(QmdField field) {
  return qmd_fields()[static_cast<std::size_t>(field)];
}

}  // namespace gputlm
