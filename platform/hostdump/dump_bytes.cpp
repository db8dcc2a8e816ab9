// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostdump/dump_bytes.h"

#include <array>

#include <fmt/format.h>

#include "gputlm/config/diagnostics.h"

namespace gputlm {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1U) != 0 ? 0xedb88320U : 0);
    table[i] = value;
  }
  return table;
}
constexpr auto kCrcTable = make_crc_table();

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) crc = crc >> 8 ^ kCrcTable[(crc ^ static_cast<unsigned char>(c)) & 0xffU];
  return ~crc;
}

void DumpWriter::word(std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xffU);
}

void DumpWriter::wide(std::uint64_t value) {
  word(static_cast<std::uint32_t>(value));
  word(static_cast<std::uint32_t>(value >> 32));
}

std::string_view DumpReader::text(std::size_t bytes, const char* what) {
  if (left() < bytes)
    refuse(at_, fmt::format("the file ends inside {}", what), fmt::format("{} bytes", left()),
           fmt::format("{} bytes", bytes));
  at_ += bytes;
  return bytes_.substr(at_ - bytes, bytes);
}

std::uint32_t DumpReader::word(const char* what) {
  const std::string_view bytes = text(4, what);
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return value;
}

std::uint32_t DumpReader::word_below(std::uint64_t limit, const char* what) {
  const std::size_t at = at_;
  const std::uint32_t value = word(what);
  if (value >= limit)
    refuse(at, fmt::format("no such {}", what), std::to_string(value), fmt::format("below {}", limit));
  return value;
}

std::uint64_t DumpReader::wide(const char* what) {
  const std::uint64_t low = word(what);
  return std::uint64_t{word(what)} << 32 | low;
}

void DumpReader::refuse(std::size_t offset, const std::string& message, const std::string& found,
                        const std::string& allowed) const {
  Diagnostics diagnostics;
  diagnostics.add({place_in_dump(file_, offset), 0, 0}, "", message, found, allowed);
  throw ConfigError(diagnostics);
}

std::string place_in_dump(const std::string& file, std::uint64_t offset) {
  return fmt::format("{}, offset {:#x}", file, offset);
}

}  // namespace gputlm
