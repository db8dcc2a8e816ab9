// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/point_run.h"

#include <chrono>
#include <csignal>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "gputlm/config/plain_text.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/process/program.h"
#include "gputlm/sweep/whole_file.h"
#include "gputlm/system/summary.h"

namespace gputlm {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestLog = std::uint64_t{64} << 20;
constexpr int kSignalled = 128;  // the shell's base of exit codes of programs that a signal stopped

void leave_result(const fs::path& folder, const char* state, const std::string& problem) {
  write_whole(folder / kPointResult, text_of(Json{{"state", state}, {"problem", problem}}));
}

/// What a program said last, fit for a message. It begins with a file's name, so that little would not do.
std::string last_line(const fs::path& log) {
  constexpr std::size_t kLongestLine = 300;
  std::string text, problem, last;
  if (!read_regular_file(log.string(), kLargestLog, text, problem)) return {};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  last = last.substr(0, kLongestLine);
  for (TextFault fault = find_text_fault(last); fault; fault = find_text_fault(last)) last[fault.at] = '?';
  return last.empty() ? last : ": " + last;
}

/// Removes what an earlier run has left. One that is being killed may add to it for a moment; it has no hold on the
/// folder that is made anew.
std::error_code clear(const fs::path& folder) {
  constexpr int kTries = 20;
  constexpr std::chrono::milliseconds kBetween{50};
  std::error_code failed;
  for (int i = 0; i < kTries; ++i) {
    fs::remove_all(folder, failed);
    if (failed != std::errc::directory_not_empty) break;
    std::this_thread::sleep_for(kBetween);
  }
  return failed;
}

bool was_stopped(const ProgramEnd& end) {
  const auto stops = [](int signal) { return signal == SIGINT || signal == SIGTERM || signal == SIGHUP; };
  return stops(end.signal) || stops(end.code - kSignalled);
}

}  // namespace

void prepare_point(const fs::path& folder, const PointTask& task) {
  std::error_code failed = clear(folder);
  if (!failed) fs::create_directories(folder, failed);
  if (failed) throw std::runtime_error("cannot make " + folder.string() + ": " + failed.message());
  write_whole(folder / kPointFile, text_of(Json{{"probe", task.probe}, {"arguments", task.arguments}}));
}

std::optional<PointEnd> point_end(const fs::path& folder) {
  const std::optional<Json> result = read_json(folder / kPointResult);
  const auto is_text = [&result](const char* key) { return result->contains(key) && (*result)[key].is_string(); };
  if (!result || !result->is_object() || !is_text("state") || !is_text("problem")) return {};  // damaged: it runs again
  return PointEnd{(*result)["state"] == "done", (*result)["problem"]};
}

void run_point(const fs::path& folder) {
  const std::optional<PointEnd> earlier = point_end(folder);
  if (earlier && earlier->done) return;
  const std::optional<Json> task = read_json(folder / kPointFile);
  if (!task || !task->contains("arguments")) throw std::runtime_error(folder.string() + " is no folder of a point");
  std::vector<std::string> arguments{own_program()};
  for (const Json& argument : (*task)["arguments"]) arguments.push_back(argument.get<std::string>());
  const fs::path log = folder / kPointLog;
  const bool probe = task->value("probe", false);
  if (!probe) arguments.insert(arguments.end(), {"--out", (folder / kPointRun).string()});
  const ProgramEnd end = run_program(arguments, {(probe ? folder / kPointRows : log).string(), log.string()});
  if (was_stopped(end)) return;
  if (!end.ok()) return fail_point(folder, end.text() + last_line(log));
  leave_result(folder, "done", {});
}

void fail_point(const fs::path& folder, const std::string& problem) {
  leave_result(folder, "failed", problem);
}

}  // namespace gputlm
