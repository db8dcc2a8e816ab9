// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a dump: little-endian words, written and read one by one, and the checksum over them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gputlm {

/// CRC-32 as of IEEE 802.3 (reflected, polynomial 0xedb88320).
std::uint32_t crc32(std::string_view bytes);

/// Appends words.
class DumpWriter {
 public:
  void word(std::uint32_t value);
  void wide(std::uint64_t value);
  void text(std::string_view bytes) { bytes_ += bytes; }

  std::size_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Takes words from the front of a file's bytes. Every mistake is a ConfigError with file and offset.
class DumpReader {
 public:
  DumpReader(std::string file, std::string_view bytes) : file_(std::move(file)), bytes_(bytes) {}

  std::uint32_t word(const char* what);
  /// A word that must be below `limit`.
  std::uint32_t word_below(std::uint64_t limit, const char* what);
  std::uint64_t wide(const char* what);
  std::string_view text(std::size_t bytes, const char* what);

  std::size_t offset() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  [[noreturn]] void refuse(std::size_t offset, const std::string& message, const std::string& found,
                           const std::string& allowed) const;

 private:
  std::string file_;
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// "launch.dump, offset 0x40": how a place in a dump is named.
std::string place_in_dump(const std::string& file, std::uint64_t offset);

}  // namespace gputlm
