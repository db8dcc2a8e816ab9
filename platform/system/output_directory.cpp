// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/output_directory.h"

#include <fstream>
#include <stdexcept>
#include <system_error>

namespace gputlm {
namespace fs = std::filesystem;

OutputDirectory::OutputDirectory(fs::path directory) : directory_(std::move(directory)) {
  std::error_code error;
  fs::create_directories(directory_, error);
  if (error || !fs::is_directory(directory_, error))
    throw std::runtime_error("cannot make the output directory " + directory_.string() +
                             (error ? ": " + error.message() : ": something else is in its place"));
  for (const char* file : {kSummary, kStatistics, kTimeSeries, kConfiguration}) {
    fs::remove(directory_ / file, error);
    if (error) throw std::runtime_error("cannot replace " + (directory_ / file).string() + ": " + error.message());
  }
  const fs::path probe = directory_ / ".writable";
  if (!std::ofstream(probe)) throw std::runtime_error("cannot write into " + directory_.string());
  fs::remove(probe, error);
}

void OutputDirectory::write(const std::string& file, const std::function<void(std::ostream&)>& fill) const {
  const fs::path target = directory_ / file, partial = directory_ / (file + ".partial");
  {
    std::ofstream out(partial);
    fill(out);
    out.flush();
    if (!out) throw std::runtime_error("cannot write " + target.string() + " (disk full?)");
  }
  fs::rename(partial, target);
}

}  // namespace gputlm
