// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/case_runner.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <vector>

#include <fmt/format.h>

namespace gputlm {

namespace {

using Bytes = std::vector<std::uint8_t>;

// Keys of the child's answer, one of them.
constexpr const char* kMeasured = "measured";
constexpr const char* kBadInput = "bad input";
constexpr const char* kFailed = "failed";

std::string first_problem(const Verdict& verdict) {
  if (!verdict.problems.empty()) return verdict.problems.front();
  return verdict.end == RunEnd::interrupted ? "stopped" : fmt::format("{} bytes were wrong", verdict.mismatches);
}

Json run_here(const Experiment& experiment, const Config& config, Recording recording, const KeepGoing& keep_going) {
  try {
    Simulation simulation(experiment, config, {});
    std::unique_ptr<Recorder> recorder;
    const PhaseCounters counters(simulation);
    if (recording == Recording::accesses) recorder = std::make_unique<Recorder>(simulation);
    const Verdict verdict = simulation.run([&](const Progress&) { return keep_going(); });
    if (!verdict.clean()) return {{kFailed, first_problem(verdict)}};
    return {{kMeasured, measure(experiment, simulation, verdict, counters, recorder.get()).to_json()}};
  } catch (const ConfigError& e) {
    return {{kBadInput, e.what()}};
  } catch (const sc_core::sc_report& e) {
    return {{kFailed, std::string("the model broke one of its own rules: ") + e.what()}};
  } catch (const std::exception& e) {
    return {{kFailed, e.what()}};
  }
}

void write_all(int to, const Bytes& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(to, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) return;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

Bytes read_all(int from) {
  Bytes bytes;
  std::array<std::uint8_t, 65536> block{};
  for (;;) {
    const ssize_t n = ::read(from, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return bytes;
    bytes.insert(bytes.end(), block.begin(), block.begin() + n);
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// The child's answer; throws when it left none.
Json answer_of(const std::string& name, const Bytes& bytes, int status) {
  if (WIFSIGNALED(status))
    throw ProbeError(fmt::format("{}: the run crashed ({})", name, ::strsignal(WTERMSIG(status))));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || bytes.empty())
    throw ProbeError(fmt::format("{}: the run ended without an answer (exit status {})", name, WEXITSTATUS(status)));
  return Json::from_cbor(bytes);
}

[[noreturn]] void throw_bad_input(const std::string& name, const std::string& text) {
  Diagnostics diagnostics;
  diagnostics.add({}, {}, name + ": " + text);
  diagnostics.throw_if_any();
  throw ProbeError(text);
}

}  // namespace

Measurement run_case(const std::string& name, const Experiment& experiment, const Config& config, Recording recording,
                     const KeepGoing& keep_going) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw ProbeError(fmt::format("{}: no pipe: {}", name, std::strerror(errno)));
  // What the parent has buffered must not be written by the child too.
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    write_all(ends[1], Json::to_cbor(run_here(experiment, config, recording, keep_going)));
    ::_exit(0);
  }
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    throw ProbeError(fmt::format("{}: no process: {}", name, std::strerror(errno)));
  }
  const Bytes bytes = read_all(ends[0]);
  ::close(ends[0]);
  const Json answer = answer_of(name, bytes, wait_for(child));
  if (answer.contains(kBadInput)) throw_bad_input(name, answer[kBadInput].get<std::string>());
  if (answer.contains(kFailed)) throw ProbeError(name + ": " + answer[kFailed].get<std::string>());
  return Measurement::from_json(answer[kMeasured]);
}

}  // namespace gputlm
