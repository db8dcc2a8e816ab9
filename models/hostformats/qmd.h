// SPDX-License-Identifier: Apache-2.0
//
// The queue meta data of a launch, version 02_04: a descriptor of 2048 bits that the compute work distributor reads.
// Its fields as a table: name, bits, how many there are of it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/hostformats/compute_methods.h"

namespace gputlm {

enum class QmdField : std::uint8_t {
  release_membar_type,
  cwd_membar_type,
  cta_raster_width,
  cta_raster_height,
  cta_raster_depth,
  shared_memory_size,
  qmd_version,
  qmd_major_version,
  cta_thread_dimension0,
  cta_thread_dimension1,
  cta_thread_dimension2,
  constant_buffer_valid,
  register_count_v,
  release0_address_lower,
  release0_address_upper,
  release0_structure_size,
  release0_payload,
  barrier_count,
  constant_buffer_addr_lower,
  constant_buffer_addr_upper,
  constant_buffer_size_shifted4,
  program_address_lower,
  program_address_upper
};

struct QmdFieldInfo {
  QmdField field;
  std::string name;
  unsigned high, low;  ///< Bits of the descriptor.
  unsigned count = 1, stride = 0;
  std::string meaning;  ///< For people: what it counts, or its unit.

  unsigned width() const { return high - low + 1; }
};

/// In the order of QmdField.
const std::vector<QmdFieldInfo>& qmd_fields();
const QmdFieldInfo& info_of(QmdField field);

/// CWD_MEMBAR_TYPE: the barrier at the kernel's end.
enum class CwdMembar : std::uint8_t { none = 0, l1_sysmembar = 1, l1_membar = 3 };
/// "L1_SYSMEMBAR". Throws FormatError for a value without meaning.
const char* name_of(CwdMembar membar);
CwdMembar decode_cwd_membar(std::uint32_t value);

/// The 64 words, field by field.
class Qmd {
 public:
  static constexpr unsigned kVersion = 4, kMajorVersion = 2, kConstantBuffers = 8;
  using Words = std::array<std::uint32_t, kQmdWords>;

  /// All 0 except the version.
  Qmd();
  explicit Qmd(const Words& words) : words_(words) {}

  /// Index: which of a field that occurs several times.
  std::uint32_t get(QmdField field, unsigned index = 0) const;
  /// Throws FormatError for a value that does not fit, std::out_of_range for an index past the last.
  void set(QmdField field, std::uint64_t value, unsigned index = 0);

  /// An address, or a dimension, that takes two fields.
  std::uint64_t get_wide(QmdField lower, QmdField upper, unsigned index = 0) const;
  void set_wide(QmdField lower, QmdField upper, std::uint64_t value, unsigned index = 0);

  const Words& words() const { return words_; }
  /// The bits that no field of the table covers.
  Words unknown_bits() const;
  /// Throws FormatError unless the version is 02_04.
  void check_version() const;

 private:
  Words words_{};
};

}  // namespace gputlm
