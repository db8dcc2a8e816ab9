// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/output_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace gputlm {
namespace fs = std::filesystem;
namespace {

std::string reason() {
  return std::strerror(errno != 0 ? errno : EIO);
}

/// A directory of a new name inside another, gone with the object: files of that name are nobody else's.
class Staging {
 public:
  explicit Staging(const fs::path& inside) {
    std::string name = (inside / (std::string(kPrefix) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("cannot write into " + inside.string() + ": " + reason());
    path_ = name;
  }
  ~Staging() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  const fs::path& path() const { return path_; }

  /// Removes what runs that were killed have left in a directory.
  static void sweep(const fs::path& inside) {
    std::error_code ignored;
    std::vector<fs::path> left;
    for (fs::directory_iterator it(inside, ignored), end; !ignored && it != end; it.increment(ignored))
      if (it->is_directory(ignored) && it->path().filename().string().rfind(kPrefix, 0) == 0)
        left.push_back(it->path());
    for (const fs::path& path : left) fs::remove_all(path, ignored);
  }

 private:
  static constexpr const char* kPrefix = ".gputlm-";
  fs::path path_;
};

/// Journeys of the run whose results are about to go (gputlm follow --keep).
void remove_journeys(const fs::path& directory) {
  std::error_code ignored;
  std::vector<fs::path> stale;
  for (fs::directory_iterator it(directory, ignored), end; !ignored && it != end; it.increment(ignored))
    if (it->path().filename().string().rfind("journey", 0) == 0 && it->path().extension() == ".json" &&
        it->symlink_status(ignored).type() == fs::file_type::regular)
      stale.push_back(it->path());
  for (const fs::path& path : stale) fs::remove(path, ignored);
}

void write_file(const fs::path& file, const ResultFile& result, const fs::path& target) {
  errno = 0;
  std::ofstream out(file);
  result.fill(out);
  out.close();
  if (!out) throw std::runtime_error("cannot write " + target.string() + ": " + reason());
}

}  // namespace

OutputDirectory::OutputDirectory(fs::path directory, const std::vector<std::string>& names)
    : directory_(std::move(directory)) {
  std::error_code error;
  fs::create_directories(directory_, error);
  std::error_code ignored;
  if (!fs::is_directory(directory_, ignored))
    throw std::runtime_error("cannot make the output directory " + directory_.string() +
                             (error ? ": " + error.message() : ": something else is in its place"));
  for (const std::string& name : names) {
    const fs::file_status found = fs::symlink_status(directory_ / name, error);
    if (fs::exists(found) && !fs::is_regular_file(found))
      throw std::runtime_error("cannot replace " + (directory_ / name).string() + ": it is no regular file");
  }
  lock();
  if (lock_ >= 0) Staging::sweep(directory_);  // nobody else is at work here
  const Staging can_be_written(directory_);
}

OutputDirectory::~OutputDirectory() {
  if (lock_ >= 0) ::close(lock_);
}

// The directory itself is locked, so no lock file stays behind. Where locks are not supported the run goes on.
void OutputDirectory::lock() {
  lock_ = ::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0 || ::flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(lock_);
  lock_ = -1;
  throw std::runtime_error("another run is writing its results to " + directory_.string() +
                           "; name another directory with --out");
}

void OutputDirectory::replace(const std::vector<ResultFile>& files) const {
  const Staging staging(directory_);
  for (const ResultFile& f : files) write_file(staging.path() / f.name, f, directory_ / f.name);
  std::error_code error;
  // Elsewhere than in a run's directory such files are somebody else's.
  if (fs::remove(directory_ / files.back().name, error)) remove_journeys(directory_);
  for (const ResultFile& f : files) {
    if (!error) fs::rename(staging.path() / f.name, directory_ / f.name, error);
    if (error) throw std::runtime_error("cannot replace " + (directory_ / f.name).string() + ": " + error.message());
  }
}

}  // namespace gputlm
