// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostformats/qmd.h"

#include <stdexcept>

#include "gputlm/hostformats/bit_range.h"
#include "gputlm/hostformats/format_error.h"

namespace gputlm {
namespace {

/// Where the field lies: no field crosses a word.
struct FieldPlace {
  unsigned word;
  BitRange bits;
};

FieldPlace place_of(const QmdFieldInfo& info, unsigned index) {
  if (index >= info.count) throw std::out_of_range("QMD: there is no " + info.name + "(" + std::to_string(index) + ")");
  const unsigned low = info.low + index * info.stride;
  return {low / 32, {low % 32 + info.width() - 1, low % 32}};
}

}  // namespace

const char* name_of(CwdMembar membar) {
  switch (membar) {
    case CwdMembar::none:
      return "none";
    case CwdMembar::l1_sysmembar:
      return "L1_SYSMEMBAR";
    case CwdMembar::l1_membar:
      return "L1_MEMBAR";
  }
  return "?";
}

CwdMembar decode_cwd_membar(std::uint32_t value) {
  for (const CwdMembar membar : {CwdMembar::none, CwdMembar::l1_sysmembar, CwdMembar::l1_membar})
    if (value == static_cast<std::uint32_t>(membar)) return membar;
  throw FormatError("QMD: CWD_MEMBAR_TYPE", std::to_string(value), "0 none, 1 L1_SYSMEMBAR, 3 L1_MEMBAR");
}

Qmd::Qmd() {
  set(QmdField::qmd_version, kVersion);
  set(QmdField::qmd_major_version, kMajorVersion);
}

std::uint32_t Qmd::get(QmdField field, unsigned index) const {
  const FieldPlace place = place_of(info_of(field), index);
  return place.bits.get(words_[place.word]);
}

void Qmd::set(QmdField field, std::uint64_t value, unsigned index) {
  const QmdFieldInfo& info = info_of(field);
  const FieldPlace place = place_of(info, index);
  check_range("QMD: " + info.name, value, 0, place.bits.most());
  std::uint32_t& word = words_[place.word];
  word = (word & ~place.bits.mask()) | place.bits.put(static_cast<std::uint32_t>(value));
}

std::uint64_t Qmd::get_wide(QmdField lower, QmdField upper, unsigned index) const {
  return std::uint64_t{get(upper, index)} << 32 | get(lower, index);
}

void Qmd::set_wide(QmdField lower, QmdField upper, std::uint64_t value, unsigned index) {
  set(upper, value >> 32, index);
  set(lower, value & 0xffffffffU, index);
}

Qmd::Words Qmd::unknown_bits() const {
  Words rest = words_;
  for (const QmdFieldInfo& info : qmd_fields())
    for (unsigned i = 0; i < info.count; ++i) {
      const FieldPlace place = place_of(info, i);
      rest[place.word] &= ~place.bits.mask();
    }
  return rest;
}

void Qmd::check_version() const {
  const unsigned version = get(QmdField::qmd_version), major = get(QmdField::qmd_major_version);
  if (version != kVersion || major != kMajorVersion)
    throw FormatError("QMD: version, major and minor", std::to_string(major) + " and " + std::to_string(version),
                      "2 and 4");
}

}  // namespace gputlm
