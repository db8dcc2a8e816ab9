// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>
#include <utility>

namespace gputlm {

/// What a file's name ends with until the file is whole.
inline constexpr const char* kStagedEnding = ".part";

/// Throws std::runtime_error for a write that has just failed, by errno.
[[noreturn]] void cannot_write(const std::string& file);

/// A name next to a file under which it is written until it is whole; then it takes the file's place. Without keep()
/// nothing stays.
class StagedName {
 public:
  explicit StagedName(std::string file) : file_(std::move(file)), staged_(file_ + kStagedEnding) {}
  ~StagedName();
  StagedName(const StagedName&) = delete;
  StagedName& operator=(const StagedName&) = delete;

  const std::string& file() const { return file_; }
  const std::string& staged() const { return staged_; }
  /// Of a writer that insists on an ending of its own.
  void stage_as(std::string staged) { staged_ = std::move(staged); }
  /// Throws std::runtime_error when the file cannot be replaced.
  void keep();

 private:
  std::string file_, staged_;
  bool kept_ = false;
};

/// A text file, staged.
class StagedText {
 public:
  /// Throws std::runtime_error when it cannot be written.
  explicit StagedText(const std::string& file);
  void write(const std::string& text);
  /// The file is whole, under its other name.
  void close();
  /// Closes it, unless that was done, and puts it into its place.
  void keep();

 private:
  StagedName name_;
  std::ofstream out_;
};

}  // namespace gputlm
