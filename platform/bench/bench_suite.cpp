// SPDX-License-Identifier: Apache-2.0
#include "gputlm/bench/bench_suite.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <stdexcept>

#include "gputlm/bench/bench_report.h"
#include "gputlm/bench/raw_event.h"

namespace gputlm {
namespace {

void write_all(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(to, text.data() + done, text.size() - done);
    if (n <= 0) ::_exit(EXIT_FAILURE);
    done += static_cast<std::size_t>(n);
  }
}

std::string read_all(int from) {
  std::string text;
  std::array<char, 4096> block;
  for (ssize_t n; (n = ::read(from, block.data(), block.size())) > 0;) text.append(block.data(), n);
  return text;
}

/// What `work` returns, from a forked child, which ends without the parent's destructors.
BenchJson in_child(const std::function<BenchJson()>& work) {
  std::array<int, 2> ends;
  if (::pipe(ends.data()) != 0) throw std::runtime_error("bench: no pipe to a child process");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("bench: a child process could not be started");
  if (child == 0) {
    ::close(ends[0]);
    try {
      write_all(ends[1], work().dump());
    } catch (const std::exception& e) {
      write_all(ends[1], BenchJson{{"error", e.what()}}.dump());
    }
    ::_exit(EXIT_SUCCESS);
  }
  ::close(ends[1]);
  const std::string text = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status) || text.empty()) throw std::runtime_error("bench: a child process was killed");
  BenchJson answer = BenchJson::parse(text);
  if (answer.is_object() && answer.contains("error")) throw std::runtime_error(answer.at("error").get<std::string>());
  return answer;
}

}  // namespace

std::vector<BenchResult> run_bench_suite(const std::vector<std::string>& names,
                                         const std::function<void(const std::string&)>& starting) {
  std::vector<BenchResult> results;
  for (const std::string& name : names) {
    starting(name);
    const auto raw = in_child([] { return BenchJson(raw_event_ns()); }).get<double>();
    BenchResult result = bench_result_from(in_child([&] { return to_json(run_bench_case(name)); }));
    result.raw_event_ns = raw;
    result.raw_events_per_line = result.ns_per_line / raw;
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace gputlm
