// SPDX-License-Identifier: Apache-2.0
//
// A trace file line by line, plain or compressed with xz (told by its first bytes): memory does not grow with the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/config/diagnostics.h"

namespace gputlm {

/// Bytes of a file as they come, decompressed if need be.
class TraceBytes {
 public:
  virtual ~TraceBytes() = default;
  /// Up to `size` bytes; 0 at the end. Throws ConfigError when the file cannot be read or its compression is damaged.
  virtual std::size_t read(char* to, std::size_t size) = 0;
};

/// Opens a regular file. Throws ConfigError.
std::unique_ptr<TraceBytes> open_trace(const std::string& file);
/// Text in memory, as a file's.
std::unique_ptr<TraceBytes> trace_text(std::string text);

/// Lines without their ends, and without the byte order mark of UTF-8 that some editors put ahead of the first.
class TraceLines {
 public:
  /// A line that is longer is damage: no trace has one.
  static constexpr std::size_t kLongestLine = std::size_t{1} << 20;

  /// `file` is the name in messages.
  TraceLines(std::string file, std::unique_ptr<TraceBytes> bytes);

  /// The next line, valid until the one after it is asked for; false at the end. Throws ConfigError when the file
  /// cannot be read on: there it ends.
  bool next(std::string_view& line);
  /// Once after next(): it will give the same line again.
  void put_back() { begin_ -= used_, --line_; }
  /// The line that was read last, from 1.
  Place place() const;
  const std::string& file() const { return file_; }
  std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  bool read_line(std::string_view& line);
  bool fill();

  std::string file_;
  std::unique_ptr<TraceBytes> bytes_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< Of what is in the buffer and has not been handed out.
  bool ended_ = false;
  std::size_t used_ = 0;  ///< Bytes of the last line.
  std::uint64_t line_ = 0, bytes_read_ = 0;
};

}  // namespace gputlm
