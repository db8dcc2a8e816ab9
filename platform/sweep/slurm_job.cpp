// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/slurm_job.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/quantity.h"
#include "gputlm/process/program.h"
#include "gputlm/sweep/whole_file.h"

namespace gputlm {

namespace {

namespace fs = std::filesystem;

constexpr const char *kNumberFile = "job.txt", *kTasksFile = "tasks.txt", *kScriptFile = "job.sh";

std::string stripped(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

/// Most tasks of an array (MaxArraySize); Slurm's default where it does not say.
std::size_t most_tasks() {
  constexpr std::size_t kDefault = 1001;
  constexpr const char* kKey = "MaxArraySize";
  std::istringstream lines(run_program({"scontrol", "show", "config"}).output);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, std::string(kKey).size(), kKey) != 0) continue;
    const auto number = parse_count(stripped(line.substr(line.find('=') + 1)));
    if (number && number.value > 0) return number.value;
  }
  return kDefault;
}

/// In quotes for the shell.
std::string quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// A line a task.
std::string task_lines(const std::vector<fs::path>& points, std::size_t each) {
  std::string lines;
  for (std::size_t i = 0; i < points.size(); ++i)
    lines += points[i].filename().string() + ((i + 1) % each == 0 || i + 1 == points.size() ? "\n" : " ");
  return lines;
}

}  // namespace

void SlurmJob::check_installed() {
  Diagnostics diagnostics;
  for (const char* name : {"sbatch", "squeue", "scancel", "scontrol"})
    if (!has_program(name))
      diagnostics.add({"--engine slurm"}, {}, "the command is not on the PATH", name, "a machine of a Slurm cluster");
  diagnostics.throw_if_any();
}

std::string SlurmJob::number() const {
  std::ifstream in(folder_ / kNumberFile);
  std::string number;
  in >> number;
  return number;
}

SlurmState SlurmJob::state() const {
  const std::string job = number();
  if (job.empty()) return {};
  const ProgramEnd end = run_program({"squeue", "--noheader", "--jobs=" + job, "--format=%T %r"});
  if (!end.ok()) {
    const bool gone = end.output.find("Invalid job id") != std::string::npos;
    return {!gone, "Slurm does not answer: " + excerpt(stripped(end.output))};
  }
  std::size_t running = 0;
  std::string waits;
  std::istringstream lines(end.output);
  for (std::string state, reason; lines >> state && std::getline(lines, reason);) {
    if (state == "PENDING")
      waits = fmt::format(", others wait ({})", stripped(reason));
    else
      ++running;
  }
  return {!stripped(end.output).empty(), fmt::format("job {}: {} tasks running{}", job, running, waits)};
}

void SlurmJob::submit(const std::string& name, const std::vector<fs::path>& points, unsigned at_a_time,
                      const SlurmOptions& options) const {
  const std::size_t most = most_tasks();
  const std::size_t each = std::max<std::size_t>(options.points_per_task, (points.size() + most - 1) / most);
  const std::size_t tasks = (points.size() + each - 1) / each;
  std::error_code failed;
  fs::create_directories(folder_, failed);
  write_whole(folder_ / kTasksFile, task_lines(points, each));
  write_whole(folder_ / kScriptFile,
              fmt::format("#!/bin/sh\n# A task of a sweep: the points on one line of {}.\nexec {} sweep --run-task {} "
                          "\"$SLURM_ARRAY_TASK_ID\"\n",
                          kTasksFile, quoted(own_program()), quoted(folder_.parent_path().string())));
  std::vector<std::string> call{
      "sbatch", "--parsable", "--job-name=" + name,
      fmt::format("--array=0-{}{}", tasks - 1, at_a_time == 0 ? std::string() : fmt::format("%{}", at_a_time)),
      "--output=" + (folder_ / "task-%a.txt").string()};
  call.insert(call.end(), options.options.begin(), options.options.end());
  call.push_back((folder_ / kScriptFile).string());
  const ProgramEnd end = run_program(call);
  // The number, and behind a semicolon the cluster.
  const std::string number = stripped(end.output.substr(0, end.output.find_first_of(";\n")));
  if (!end.ok() || !parse_count(number))
    throw std::runtime_error("sbatch: " + end.text() + ": " + excerpt(stripped(end.output)));
  write_whole(folder_ / kNumberFile, number + "\n");
}

void SlurmJob::cancel() const {
  const std::string job = number();
  if (job.empty()) return;
  run_program({"scancel", job});
  forget();
}

void SlurmJob::forget() const {
  std::error_code ignored;
  fs::remove(folder_ / kNumberFile, ignored);
}

std::vector<fs::path> SlurmJob::points_of(unsigned task) const {
  std::ifstream in(folder_ / kTasksFile);
  std::string line;
  for (unsigned i = 0; i <= task; ++i)
    if (!std::getline(in, line))
      throw std::runtime_error((folder_ / kTasksFile).string() + " has no task " + std::to_string(task));
  std::vector<fs::path> points;
  std::istringstream names(line);
  for (std::string name; names >> name;) points.push_back(folder_.parent_path() / "points" / name);
  return points;
}

}  // namespace gputlm
