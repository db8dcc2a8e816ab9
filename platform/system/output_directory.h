// SPDX-License-Identifier: Apache-2.0
//
// Where a run's results go. Results of an earlier run stay until those of this one are complete, and are then replaced
// file by file: nothing in the directory ever looks whole that is not, and a run that fails leaves no file behind.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace gputlm {

/// One file of the results and what writes it.
struct ResultFile {
  std::string name;
  std::function<void(std::ostream&)> fill;
};

/// A directory that has been shown to be writable and belongs to this run as long as the object lives.
class OutputDirectory {
 public:
  /// Creates the directory if need be and locks it. Throws std::runtime_error, with the reason, when it cannot be
  /// written, when another run holds it, or when one of `names` is there and is no regular file.
  OutputDirectory(std::filesystem::path directory, const std::vector<std::string>& names);
  ~OutputDirectory();
  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;

  /// Writes all files, the last one being the one that says that the others are there; where it was there before, the
  /// journeys kept of that run go. Throws std::runtime_error, and
  /// leaves what was there before, when the disk does not take them.
  void replace(const std::vector<ResultFile>& files) const;

  const std::filesystem::path& path() const { return directory_; }

 private:
  void lock();

  std::filesystem::path directory_;
  int lock_ = -1;
};

}  // namespace gputlm
