// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "gputlm/config/diagnostics.h"

namespace gputlm {

namespace {

constexpr const char* kStagedEnding = ".part";

/// Closes what it holds.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

bool fail(std::string& problem) {
  problem = std::string("cannot be read: ") + std::strerror(errno);
  return false;
}

bool read_to_end(int from, std::uint64_t limit, std::string& content, std::string& problem) {
  constexpr std::size_t kBlock = 1 << 16;
  content.clear();
  for (;;) {
    const std::size_t before = content.size();
    content.resize(before + kBlock);
    const ssize_t n = ::read(from, content.data() + before, kBlock);
    content.resize(before + (n > 0 ? static_cast<std::size_t>(n) : 0));
    if (n < 0 && errno != EINTR) return fail(problem);
    if (n == 0) return true;
    if (content.size() > limit) {  // it grows while it is read
      problem = kFileTooLarge;
      return false;
    }
  }
}

}  // namespace

bool read_regular_file(const std::string& file, std::uint64_t limit, std::string& content, std::string& problem) {
  // Opening a FIFO waits for its other end unless told not to.
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (in.number() < 0 || ::fstat(in.number(), &status) != 0) return fail(problem);
  if (!S_ISREG(status.st_mode)) {
    problem = S_ISDIR(status.st_mode) ? "is a directory, not a file" : "is no regular file";
    return false;
  }
  if (static_cast<std::uint64_t>(status.st_size) > limit) {
    problem = kFileTooLarge;
    return false;
  }
  return read_to_end(in.number(), limit, content, problem);
}

std::string read_input_file(const std::string& file, std::uint64_t limit) {
  std::string content, problem;
  Diagnostics diagnostics;
  if (!read_regular_file(file, limit, content, problem)) diagnostics.add({file}, {}, problem);
  diagnostics.throw_if_any();
  return content;
}

void check_output_file(const std::string& file, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  Diagnostics diagnostics;
  const bool there = fs::exists(file, ignored);
  if (there && !fs::is_regular_file(file, ignored))
    diagnostics.add({file}, {}, "cannot be written: it is no regular file");
  for (const std::string& input : inputs)
    for (const std::string& name : {file, file + kStagedEnding})
      if (fs::equivalent(name, input, ignored))  // the same device and inode
        diagnostics.add({name}, {}, "cannot be written: the run reads it");
  diagnostics.throw_if_any();
  std::ofstream trial(file, std::ios::app);
  if (!trial) diagnostics.add({file}, {}, std::string("cannot be written: ") + std::strerror(errno));
  diagnostics.throw_if_any();
  trial.close();
  if (!there) fs::remove(file, ignored);
}

bool replace_file(const std::string& file, std::string_view content) {
  const std::string staged = file + kStagedEnding;
  std::ofstream out(staged, std::ios::binary);
  out << content;
  out.close();
  std::error_code failed, ignored;
  if (out) std::filesystem::rename(staged, file, failed);
  if (out && !failed) return true;
  std::filesystem::remove(staged, ignored);
  return false;
}

}  // namespace gputlm
