// SPDX-License-Identifier: Apache-2.0
#include "gputlm/process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "gputlm/process/program.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;

// Keys of the child's answer, one of them.
constexpr const char* kValue = "value";
constexpr const char* kFailed = "failed";

Json answer(const std::function<Json()>& work) {
  try {
    return {{kValue, work()}};
  } catch (const std::exception& e) {
    return {{kFailed, e.what()}};
  }
}

void write_all(int to, const std::vector<std::uint8_t>& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(to, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) return;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

}  // namespace

ChildProcess::ChildProcess(const std::function<Json()>& work) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
  // What the parent has buffered must not be written by the child too.
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ == 0) {
    end_with(parent);
    ::close(ends[0]);
    write_all(ends[1], Json::to_cbor(answer(work)));
    ::_exit(0);
  }
  ::close(ends[1]);
  from_ = ends[0];
  if (child_ < 0) {
    ::close(from_);
    throw std::runtime_error(std::string("no process: ") + std::strerror(errno));
  }
}

ChildProcess::~ChildProcess() {
  ::close(from_);
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool ChildProcess::take() {
  std::array<char, 65536> block{};
  const ssize_t n = ::read(from_, block.data(), block.size());
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) return false;
  bytes_.append(block.data(), static_cast<std::size_t>(n));
  return true;
}

Json ChildProcess::result() {
  while (take()) {
  }
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  if (WIFSIGNALED(status)) throw ChildCrashed(std::string("the run crashed (") + ::strsignal(WTERMSIG(status)) + ")");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || bytes_.empty())
    throw ChildCrashed("the run ended without an answer");
  Json all = Json::from_cbor(bytes_);
  if (all.contains(kFailed)) throw std::runtime_error(all[kFailed].get<std::string>());
  return std::move(all[kValue]);
}

void run_in_children(std::size_t count, unsigned jobs, const std::function<Json(std::size_t)>& work,
                     const std::function<void(std::size_t, Json)>& done, const std::function<bool()>& keep_going) {
  struct Running {
    std::size_t index;
    std::unique_ptr<ChildProcess> child;
  };
  std::vector<Running> running;
  std::size_t next = 0;
  while (next < count || !running.empty()) {
    if (!keep_going()) return;
    while (next < count && running.size() < jobs) {
      const std::size_t index = next++;
      running.push_back({index, std::make_unique<ChildProcess>([&] { return work(index); })});
    }
    std::vector<pollfd> descriptors;
    for (const Running& r : running) descriptors.push_back({r.child->descriptor(), POLLIN, 0});
    constexpr int kWaitMs = 200;
    if (::poll(descriptors.data(), descriptors.size(), kWaitMs) <= 0) continue;
    for (std::size_t i = running.size(); i-- > 0;) {
      if (descriptors[i].revents == 0 || running[i].child->take()) continue;
      done(running[i].index, running[i].child->result());
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

}  // namespace gputlm
