// SPDX-License-Identifier: Apache-2.0
#include "gputlm/process/program.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace gputlm {

namespace {

constexpr int kNotStarted = 127;  // as the shell has it

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

/// A descriptor, closed at the end; the programs that are started do not get it unless it is made one of their streams.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  void reset(int number) {
    close();
    number_ = number;
  }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

void open_for_writing(Descriptor& to, const std::string& file) {
  constexpr mode_t kMode = 0666;
  to.reset(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, kMode));
  if (to.number() < 0) fail("cannot write " + file);
}

[[noreturn]] void become(const std::vector<std::string>& arguments, int out, int error) {
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(error, STDERR_FILENO);
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  ::execvp(pointers[0], pointers.data());
  const std::string why = arguments[0] + ": " + std::strerror(errno) + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, why.data(), why.size());
  ::_exit(kNotStarted);
}

std::string read_all(int from) {
  std::string text;
  std::array<char, 4096> block{};
  for (;;) {
    const ssize_t n = ::read(from, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

std::string ProgramEnd::text() const {
  return signal != 0 ? ::strsignal(signal) : "exit code " + std::to_string(code);
}

void end_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNotStarted);  // it was gone before
}

ProgramEnd run_program(const std::vector<std::string>& arguments, const ProgramFiles& files) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("no pipe");
  const Descriptor from(ends[0]);
  Descriptor pipe(ends[1]), out, error;
  if (!files.out.empty()) open_for_writing(out, files.out);
  if (!files.error.empty() && files.error != files.out) open_for_writing(error, files.error);
  const int out_stream = files.out.empty() ? pipe.number() : out.number();
  const int error_stream = files.error.empty() ? pipe.number() : files.error == files.out ? out_stream : error.number();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) fail("no process");
  if (child == 0) {
    end_with(parent);
    become(arguments, out_stream, error_stream);
  }
  pipe.close();
  ProgramEnd end;
  end.output = read_all(from.number());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return end;
}

bool has_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((std::filesystem::path(folder) / name).c_str(), X_OK) == 0) return true;
  return false;
}

std::string own_program() {
  std::error_code failed;
  const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) throw std::runtime_error("the file of this program is not known: " + failed.message());
  return file.string();
}

}  // namespace gputlm
